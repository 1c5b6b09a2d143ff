import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { at, candidate, done, end } from '../../contracts/ledger-rows.js'
import { useSqliteFiles } from './use-sqlite-files.js'
import { storedJob } from './stored-job.js'

const { newFile, openSqlite: open } = useSqliteFiles()

const rules = { limit: Infinity, holdLevelMs: 0 }
const openJob = (ledger: Ledger) => ledger.open<{ name: string }>('job', rules)

/** Number of rows of a table. */
function count(file: string, table: string): unknown {
  const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()
  database.close()
  return row?.['rows']
}

describe('the reports in an SQLite file', () => {
  it('keep their numbers when the file is opened again, and no number is used twice', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job', { reports: true }))
    const first = await openJob(before)
    await first.outbox('reporter').post('started', 1)
    await before.close()

    const again = open(file)
    const second = await openJob(again)
    expect(await second.outbox('reporter').lease(1)).toMatchObject({ number: 0, event: 'started' })
    await second.outbox('reporter').delivered(0)
    await second.admit(
      ['a', 'b', 'c'].map((key) => candidate(key)),
      0,
    )
    for (const key of ['a', 'b', 'c']) {
      await second.lease(at(0))
      await second.end(key, done(key), { ...end, reports: { features: ['reporter'], dueAtMs: 5 } })
    }
    for (
      let report = await second.outbox('reporter').lease(5);
      report;
      report = await second.outbox('reporter').lease(5)
    ) {
      if (report.number === 1) await second.outbox('reporter').failed(1, 'no', 60)
      if (report.number === 3) await second.outbox('reporter').delivered(3)
    }
    await again.close()

    const third = await openJob(open(file))
    // The second was leased.
    expect(await third.outbox('reporter').undelivered()).toEqual([
      {
        number: 1,
        feature: 'reporter',
        event: 'page',
        page: { key: 'a', at: 0, sequence: 0 },
        attempts: 1,
        dueAtMs: 60,
        error: 'no',
      },
      {
        number: 2,
        feature: 'reporter',
        event: 'page',
        page: { key: 'b', at: 0, sequence: 1 },
        attempts: 0,
        dueAtMs: 5,
      },
    ])
    await third.outbox('reporter').post('started', 9)
    await third.outbox('reporter').post('completed', 9)
    await third.outbox('reporter').post('cancelled', 9)
    const left = await third.outbox('reporter').undelivered()
    expect(left.map(({ number, event }) => [number, event])).toEqual([
      [1, 'page'],
      [2, 'page'],
      [4, 'completed'],
    ])
  })

  it('of an earlier version belong to the feature that asks for them first', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job', { reports: true }))
    await (await openJob(before)).outbox('reporter').post('started', 1)
    await before.close()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
    database.exec(`UPDATE reports SET report = replace(report, '"feature":"reporter",', '')`)
    database.close()

    const again = await openJob(open(file))
    expect(await again.outbox('reporter').undelivered()).toEqual([
      { number: 0, event: 'started', attempts: 0, dueAtMs: 1 },
    ])
    expect(await again.outbox('other').undelivered()).toEqual([])
    await again.outbox('reporter').post('started', 2)
    expect(await again.outbox('reporter').lease(2)).toMatchObject({ number: 0 })
  })

  it('are written in one transaction with the end of their page', async () => {
    const file = newFile()
    const ledger = open(file)
    await ledger.jobStore.add(storedJob('job', { reports: true }))
    const job = await openJob(ledger)
    await job.admit([candidate('a')], 0)
    await job.lease(at(0))
    const ended = job.end('a', done('a'), { ...end, reports: { features: ['reporter'], dueAtMs: 0 } })
    const seen = [count(file, 'documents'), count(file, 'reports')]
    await ended
    expect(seen).toEqual([0, 0])
    expect([count(file, 'documents'), count(file, 'reports')]).toEqual([1, 1])
  })

  it('are deleted with their job', async () => {
    const file = newFile()
    const ledger = open(file)
    await ledger.jobStore.add(storedJob('job', { reports: true }))
    const outbox = (await openJob(ledger)).outbox('reporter')
    await outbox.post('started', 0)
    await outbox.post('completed', 0)
    ledger.jobStore.change('job', { state: 'completed', expiresAtMs: 5 })
    ledger.jobStore.forgetExpired(5)
    await expect.poll(() => count(file, 'reports')).toBe(0)
    await outbox.lease(0)
    await outbox.delivered(0)
    await ledger.close()
    expect(count(file, 'reports')).toBe(0)
  })
})

describe('an ended job with unsent reports', () => {
  it('is owned by one process until the reports are sent or the process dies', async () => {
    const file = newFile()
    const [one, other] = [open(file), open(file)]
    await one.jobStore.add(storedJob('job', { reports: true }))
    one.jobStore.change('job', { state: 'completed', completedAtMs: 5, expiresAtMs: 9 })
    expect(await one.jobStore.listInterrupted()).toEqual([])
    expect(await one.jobStore.listUnreported()).toEqual([])
    expect(await other.jobStore.listUnreported()).toEqual([])
    // Every process may read its status.
    expect(await other.jobStore.acquire('job')).toMatchObject({ state: 'completed', reports: false })
    expect(await one.jobStore.acquire('job')).toMatchObject({ state: 'completed', reports: true })
    await one.close()
    expect(await other.jobStore.listUnreported()).toEqual(['job'])
    expect(await other.jobStore.acquire('job')).toMatchObject({ reports: true })
    expect(await other.jobStore.listUnreported()).toEqual([])
    other.jobStore.change('job', { reports: false })
    await other.close()
    const last = open(file)
    expect(await last.jobStore.listUnreported()).toEqual([])
    expect(await last.jobStore.acquire('job')).toMatchObject({ state: 'completed', reports: false })
  })
})

describe('an SQLite file of the third version', () => {
  it('is migrated with its jobs', async () => {
    const file = newFile()
    const before = open(file)
    await before.jobStore.add(storedJob('job'))
    await before.close()
    const database = findSqlite({ code: 'LEDGER_ERROR', name: 'a test' })(file)
    for (const table of ['reports', 'abridged', 'feature_tables']) database.exec(`DROP TABLE ${table}`)
    database.exec('ALTER TABLE jobs DROP COLUMN reports; PRAGMA user_version = 3')
    database.close()
    const after = open(file)
    expect(await after.jobStore.acquire('job')).toEqual(storedJob('job'))
    const outbox = (await openJob(after)).outbox('reporter')
    await outbox.post('started', 0)
    await after.close()
    expect(count(file, 'reports')).toBe(1)
  })
})
