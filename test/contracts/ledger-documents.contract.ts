import { expect, it } from 'vitest'
import type { JobLedger, Ledger } from '../../src/kernel/ledger/ledger.js'
import { type Doc, at, candidate, done, end } from './ledger-rows.js'

const names = (found: readonly { document: Doc }[]): string[] => found.map(({ document }) => document.name)

/** Delivery and release of documents. */
export function ledgerDocumentsContract(make: () => Ledger): void {
  /** A ledger in which these pages were completed in this order. */
  async function openWith(...keys: string[]): Promise<JobLedger<Doc>> {
    const ledger = await make().open<Doc>('job', { limit: Infinity, holdLevelMs: 0 })
    await ledger.admit(
      keys.map((key) => candidate(key)),
      0,
    )
    for (const key of keys) {
      await ledger.lease(at(0))
      await ledger.end(key, done(key), end)
    }
    return ledger
  }

  it('leaves out acknowledged documents with `unacknowledgedOnly`', async () => {
    const ledger = await openWith('a', 'b', 'c')
    await ledger.acknowledge(1, false)
    expect(names(await ledger.completed(0, 9, true))).toEqual(['a', 'c'])
    expect(names(await ledger.completed(0, 9))).toEqual(['a', 'b', 'c'])
    expect(names(await ledger.documents({ skip: 0, limit: 9 }))).toEqual(['a', 'b', 'c'])
  })

  it('drops an acknowledged document, and keeps the numbers of the others', async () => {
    const ledger = await openWith('a', 'b', 'c')
    await ledger.acknowledge(2, true)
    await ledger.acknowledge(0, true)
    expect(await ledger.delivered()).toBe(3)
    expect((await ledger.completed(0, 9)).map(({ sequence }) => sequence)).toEqual([1])
    expect(names(await ledger.documents({ skip: 0, limit: 9 }))).toEqual(['b'])
    expect(await ledger.counts()).toMatchObject({ done: 3 })
  })

  it('reads no document after those that exceed `maxBytes` together', async () => {
    const ledger = await openWith('a', 'b', 'c')
    const read = async (maxBytes: number) => names(await ledger.documents({ skip: 0, limit: 9, maxBytes }))
    expect(await read(5)).toEqual(['a'])
    expect(await read(10)).toEqual(['a', 'b'])
    expect(await read(1000)).toEqual(['a', 'b', 'c'])
  })

  it('records the credits of a page', async () => {
    const ledger = await openWith('a', 'b')
    expect(await ledger.row('b')).toMatchObject({ outcome: 'done', credits: 2 })
    expect(await ledger.counts()).toMatchObject({ credits: 4 })
  })
}
