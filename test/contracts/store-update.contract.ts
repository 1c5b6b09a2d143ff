import { expect, it } from 'vitest'
import type { Store } from '../../src/base/store/store.js'

/**
 * The contract of every store with `update`.
 *
 * @param open opens two stores of the same storage, as two processes do
 */
export function storeUpdateContract(open: () => Promise<readonly [Store, Store]>): void {
  const increment = async (store: Store): Promise<void> =>
    store.update?.('count', (entry) => ({ facts: Number(entry?.facts ?? 0) + 1 }))

  it('loses no change of two processes that change an entry at once', async () => {
    const [one, other] = await open()
    await Promise.all(Array.from({ length: 10 }, () => [increment(one), increment(other)]).flat())
    expect((await one.get('count'))?.facts).toBe(20)
    await one.close()
    await other.close()
  })

  it('stores nothing when the change throws, and changes what `set` has stored', async () => {
    const [one, other] = await open()
    const fail = (): never => {
      throw new Error('no change')
    }
    await expect(one.update?.('count', fail)).rejects.toThrow('no change')
    expect(await one.get('count')).toBeUndefined()
    await other.set('count', { facts: 5, bodies: { body: new Uint8Array(5000) } })
    await increment(one)
    expect(await other.get('count')).toEqual({ facts: 6, bodies: {} })
    await other.delete('count')
    await increment(other)
    expect((await one.get('count'))?.facts).toBe(1)
    await one.close()
    await other.close()
  })
}
