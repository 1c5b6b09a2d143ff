import { describe, expect, it } from 'vitest'
import { rowLimits } from '../../../src/kernel/ledger/rows/row-limits.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import { useSqliteFiles } from './use-sqlite-files.js'
import { storedJob } from './stored-job.js'

const { openSqlite: open } = useSqliteFiles()

describe('the rows of a job in an SQLite file', () => {
  it('are counted without opening its ledger as by the open one, over several queries', async () => {
    const file = open()
    await file.jobStore.add(storedJob('job'))
    await file.jobStore.add(storedJob('empty'))
    const ledger = await file.open('job', { limit: 50, holdLevelMs: 0 })
    const found = Array.from({ length: 2500 + rowLimits.reserve }, (_, n) => candidate(`k${n}`, { depth: 1 }))
    const refused = Array.from({ length: 1500 }, (_, n) => ({
      ...candidate(`r${n}`),
      refused: { reason: n % 3 === 0 ? ('ROBOTS_TXT' as const) : ('EXTERNAL_LINK' as const), message: 'refused' },
    }))
    await ledger.admit([candidate('twice', { sources: [0, 1].map((order) => ({ order, url: 'twice' })) })], 0)
    await ledger.admit([...found, ...refused], 5000)
    for (let n = 0; n < 3; n += 1) {
      const row = await ledger.lease(at(9000))
      await ledger.end(row?.key ?? '', { ...done(`d${n}`), credits: n + 0.5 }, end)
    }
    const counts = await ledger.counts()
    expect(counts).toMatchObject({ done: 4, credits: 4.5, abridged: expect.any(Number) as unknown })
    expect(await file.countRows?.('job')).toEqual(counts)
    expect(await file.countRows?.('empty')).toMatchObject({ done: 0, queued: 0, credits: 0, skippedByReason: {} })
    expect(await file.countRows?.('unknown')).toMatchObject({ done: 0, queued: 0 })
  })
})

describe('the jobs of an SQLite file', () => {
  it('are listed newest first, in a range, without requests and without those that have expired', async () => {
    const { jobStore } = open()
    for (const id of ['a', 'b', 'c', 'd']) await jobStore.add(storedJob(id, { request: '{"urls":[]}' }))
    jobStore.change('c', { state: 'completed', completedAtMs: 5, expiresAtMs: 9 })
    const idsOf = (skip: number, limit: number, nowMs: number) =>
      jobStore.list?.({ skip, limit, nowMs }).map(({ stored }) => stored.id)
    expect([idsOf(0, 9, 8), idsOf(0, 9, 9), idsOf(1, 2, 8), idsOf(1, 1, 9)]).toEqual([
      ['d', 'c', 'b', 'a'],
      ['d', 'b', 'a'],
      ['c', 'b'],
      ['b'],
    ])
    expect(jobStore.list?.({ skip: 0, limit: 1, nowMs: 0 })).toEqual([
      { stored: storedJob('d', { request: '' }), isHeld: true },
    ])
    expect(await jobStore.read('d')).toEqual({ stored: storedJob('d', { request: '{"urls":[]}' }), isHeld: true })
    jobStore.release('d')
    expect([(await jobStore.read('d'))?.isHeld, (await jobStore.read('c'))?.isHeld, await jobStore.read('x')]).toEqual([
      false,
      false,
      undefined,
    ])
  })
})
