import { describe, expect, it } from 'vitest'
import { boundStore } from '../../src/store/bound-store.js'
import { memoryStore } from '../../src/store/stores/memory.js'
import type { Store } from '../../src/store/store.js'

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
})
