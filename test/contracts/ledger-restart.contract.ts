import { expect, it } from 'vitest'
import type { JobStore } from '../../src/kernel/ledger/job-store.js'
import type { Ledger } from '../../src/kernel/ledger/ledger.js'
import { storedJob } from '../kernel/ledger/stored-job.js'
import { at, attempt, candidate, end, failed, refusal } from './ledger-rows.js'

const rules = { limit: Infinity, holdLevelMs: 0 }

/**
 * What a ledger that outlives its process gives back.
 *
 * @param makePlace creates an empty file or schema, and returns a function that opens a ledger there
 */
export function ledgerRestartContract(makePlace: () => () => Ledger & { readonly jobStore: JobStore }): void {
  it('restores every row, and leases first the rows that were active', async () => {
    const open = makePlace()
    const before = open()
    await before.jobStore.add(storedJob('job'))
    const ledger = await before.open<{ name: string }>('job', rules)
    const sources = [
      { order: 0, url: 'x' },
      { order: 3, url: 'y\0 "\\ \ud800' },
    ]
    await ledger.admit(
      ['a', 'b', 'c', 'd', 'e'].map((key) => candidate(key, key === 'a' ? { sources } : {})),
      5,
    )
    await ledger.admit([candidate('f', { place: [2, 1] }), candidate('g', { refused: refusal })], 6)
    for (let row = 0; row < 5; row++) await ledger.lease(at(7))
    await ledger.end(
      'f',
      { outcome: 'done', documents: [{ name: 'f' }], bytes: 3.5, credits: 5 },
      { ...end, note: 'of f' },
    )
    await ledger.end('b', failed, end)
    await ledger.retry('c', attempt({ retryAtMs: 50 }))
    const rows = await ledger.rows()
    const counts = await ledger.counts()
    await before.close()

    const after = await open().open<{ name: string }>('job', rules)
    const asQueued = rows.map((row) => (row.outcome === 'active' ? { ...row, outcome: 'queued' } : row))
    expect(await after.rows()).toEqual(asQueued)
    expect(await after.counts()).toEqual({ ...counts, queued: counts.queued + counts.active, active: 0 })
    expect(await after.delivered()).toBe(1)
    expect(await after.documents({ skip: 0, limit: 9 })).toMatchObject([{ document: { name: 'f' }, order: 0 }])
    const notes = []
    for await (const { row, note } of after.notes()) notes.push([row.key, note])
    expect(notes).toEqual([['f', 'of f']])
    const keys: [key: string, order: number | undefined][] = []
    for (let row = await after.lease(at(60)); row; row = await after.lease(at(60))) keys.push([row.key, row.order])
    // `c` waited for its retry, the others were active.
    expect(keys.slice(0, 3).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['a', 1],
      ['c', 3],
      ['d', 4],
    ])
    expect(keys.at(-1)).toEqual(['e', 5])
    await after.admit([candidate('z')], 70)
    expect(await after.lease(at(70))).toMatchObject({ key: 'z', order: 6 })
  })
}
