import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { boundStore, StoreOutage } from '../../../src/base/store/bound-store.js'
import { memoryStore } from '../../../src/base/store/stores/memory.js'
import type { Store } from '../../../src/base/store/store.js'

const never = (): Promise<never> => new Promise(() => undefined)
const hanging: Store = { get: never, set: never, delete: never, update: never, close: async () => undefined }
const entry = { facts: 1 }

describe('boundStore', () => {
  it('rejects each call that the store does not answer in time', async () => {
    const store = boundStore(hanging, { timeoutMs: 1 })
    const late = 'the store took longer than 1 ms'
    await expect(store.get('a')).rejects.toThrow(late)
    await expect(store.set('a', entry)).rejects.toThrow(late)
    await expect(store.delete('a')).rejects.toThrow(late)
    await expect(store.update?.('a', () => entry)).rejects.toThrow(late)
  })

  it('ends the waiting when its signal aborts, and refuses further calls', async () => {
    const controller = new AbortController()
    const store = boundStore(hanging, { signal: controller.signal, timeoutMs: 60_000 })
    const waiting = store.get('a')
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(store.set('a', entry)).rejects.toThrow('enough')
  })

  it('passes calls and their answers on, and rejects for a store that throws', async () => {
    const store = boundStore(memoryStore(), { timeoutMs: 60_000 })
    await store.set('a', entry)
    expect(await store.get('a')).toMatchObject(entry)
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    const broken = {
      ...hanging,
      get(): Promise<undefined> {
        throw new Error('broken')
      },
    }
    await expect(boundStore(broken, { timeoutMs: 60_000 }).get('a')).rejects.toThrow('broken')
  })

  describe('with an outage', () => {
    it('asks a store no further while it gives no answer, and then by one call at a time', async () => {
      let calls = 0
      const counted: Store = { ...hanging, get: () => ((calls += 1), never()) }
      const store = boundStore(counted, { timeoutMs: 100, outage: new StoreOutage(400) })
      const first = [store.get('a'), store.get('b')]
      for (const call of first) await expect(call).rejects.toThrow('the store took longer than 100 ms')
      await expect(store.get('c')).rejects.toThrow('100 ms for an earlier call, and is not asked for a moment')
      expect(calls).toBe(2)
      await sleep(500)
      const later = await Promise.allSettled([store.get('d'), store.get('e'), store.get('f')])
      expect(later.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(calls).toBe(3)
    })

    it('asks a store again that answers', async () => {
      const inner = memoryStore()
      let isGone = true
      const store = boundStore(
        { ...inner, get: (key) => (isGone ? never() : inner.get(key)) },
        { timeoutMs: 50, outage: new StoreOutage(50) },
      )
      await expect(store.get('a')).rejects.toThrow('the store took longer than 50 ms')
      isGone = false
      await sleep(100)
      expect(await store.get('a')).toBeUndefined()
      expect(await Promise.all([store.get('a'), store.get('b')])).toEqual([undefined, undefined])
    })

    it('asks a store on that answers other calls, or that rejects', async () => {
      const inner = memoryStore()
      const store = boundStore(
        {
          ...inner,
          get: (key) => (key === 'slow' ? never() : inner.get(key)),
          delete: () => Promise.reject(new Error('no')),
        },
        { timeoutMs: 300, outage: new StoreOutage(60_000) },
      )
      const slow = store.get('slow')
      await store.get('a')
      await expect(slow).rejects.toThrow('the store took longer than 300 ms')
      await expect(store.delete('a')).rejects.toThrow('no')
      expect(await store.get('a')).toBeUndefined()
    })
  })
})
