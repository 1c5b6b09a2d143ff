import { afterEach, expect, it } from 'vitest'
import type { Store, StoredEntry } from '../../src/base/store/store.js'

/** Options of the store under test. */
export interface StoreMaker {
  make(maxBytes: number): Promise<Store> | Store
  /** True when the underlying storage limits the size. */
  readonly isBounded: boolean
}

/** Incompressible bytes, the same for the same seed. */
export function noise(length: number, seed: number): Uint8Array {
  let state = (seed + 1) * 2654435761
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0
    return (state >>> 13) & 255
  })
}

const text = new TextEncoder().encode('the same words again and again, '.repeat(500))

/** The contract of every store. */
export function storeContract({ make, isBounded }: StoreMaker): void {
  const opened: Store[] = []
  const open = async (maxBytes = 1e7): Promise<Store> => {
    const store = await make(maxBytes)
    opened.push(store)
    return store
  }
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  it('returns the stored entry whole, and nothing under another key', async () => {
    const store = await open()
    const entry: StoredEntry = {
      facts: { url: 'http://site.test/ü?a=1', list: [1, 2.5, null, true, { deep: 'ß\u0000🐟' }] },
      bodies: { page: text, picture: new Uint8Array([0, 255, 10, 13, 128]), empty: new Uint8Array() },
    }
    await store.set('a', entry)
    expect(await store.get('a')).toEqual(entry)
    expect(await store.get('b')).toBeUndefined()
  })

  it('accepts keys of any characters and length, and distinguishes them', async () => {
    const store = await open()
    const keys = ['', '../../a', 'a/b', 'A', 'a', 'a ', '🐟', 'x'.repeat(10_000), `${'x'.repeat(9_999)}y`, 'con', '*']
    for (const key of keys) await store.set(key, { facts: { key } })
    for (const key of keys) expect((await store.get(key))?.facts).toEqual({ key })
  })

  it('keeps the newest entry of a key, with its own bodies only', async () => {
    const store = await open()
    await store.set('a', { facts: 1, bodies: { page: text, more: noise(5000, 1) } })
    await store.set('a', { facts: 2, bodies: { page: noise(5000, 2) } })
    expect(await store.get('a')).toEqual({ facts: 2, bodies: { page: noise(5000, 2) } })
    await store.set('a', { facts: 3 })
    expect((await store.get('a'))?.facts).toBe(3)
    expect(Object.keys((await store.get('a'))?.bodies ?? {})).toEqual([])
  })

  it('keeps bodies shared by entries when one of them is deleted', async () => {
    const store = await open()
    await store.set('a', { facts: 'a', bodies: { page: text } })
    await store.set('b', { facts: 'b', bodies: { other: text } })
    await store.delete('a')
    expect(await store.get('b')).toEqual({ facts: 'b', bodies: { other: text } })
  })

  it('returns copies that callers may change', async () => {
    const store = await open()
    const facts = { n: [1] }
    const body = noise(1000, 3)
    await store.set('a', { facts, bodies: { page: body } })
    facts.n.push(2)
    body.fill(0)
    const first = await store.get('a')
    first?.bodies?.['page']?.fill(1)
    expect(await store.get('a')).toEqual({ facts: { n: [1] }, bodies: { page: noise(1000, 3) } })
  })

  it('has no entry after it was deleted', async () => {
    const store = await open()
    await store.set('a', { facts: 1, bodies: { page: text } })
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    await store.delete('never stored')
  })

  it('returns whole entries while many callers write and read one key', async () => {
    const store = await open()
    const write = async (n: number): Promise<void> => {
      await store.set('a', { facts: n, bodies: { page: noise(3000, n), same: text } })
      const read = await store.get('a')
      if (read === undefined) return
      expect(read).toEqual({ facts: read.facts, bodies: { page: noise(3000, Number(read.facts)), same: text } })
    }
    await Promise.all(Array.from({ length: 30 }, (_, n) => write(n)))
    expect(await store.get('a')).toBeDefined()
  })

  if (!isBounded) return

  it('evicts the least recently used entries above `maxBytes`', async () => {
    const store = await open(200_000)
    for (let i = 0; i < 50; i++) {
      await store.set(`k${i}`, { facts: i, bodies: { page: noise(10_000, i) } })
      await store.get('k0')
    }
    const held = await Promise.all(Array.from({ length: 50 }, (_, i) => store.get(`k${i}`)))
    expect(held.filter(Boolean).length).toBeLessThanOrEqual(20)
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(5)
    expect(held[0]).toBeDefined()
    expect(held[49]).toBeDefined()
    expect(held[1]).toBeUndefined()
  })

  it('stores no entry larger than its limit, and drops the earlier one of that key', async () => {
    const store = await open(20_000)
    await store.set('a', { facts: 1, bodies: { page: noise(2_000, 1) } })
    expect(await store.get('a')).toBeDefined()
    await store.set('a', { facts: 2, bodies: { page: noise(40_000, 2) } })
    expect(await store.get('a')).toBeUndefined()
  })
}
