import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine, type Engine, type EngineConfig, type TrawlError } from '../../../src/index.js'
import type { Ledger } from '../../../src/kernel/ledger/ledger.js'
import { sqlite } from '../../../src/kernel/ledger/ledgers/index.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'
import { LONG_MS, settings } from '../../features/machines/postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { useSqliteFiles } from './use-sqlite-files.js'
import { storedJob } from './stored-job.js'
import { PATIENT, useCrawls } from '../../features/machines/use-crawls.js'
import { useEngineSite } from '../../site/engine-site.js'

const { newFile } = useSqliteFiles()

/** A ledger that outlives its engines, as a test of damaged values needs it. */
interface Place {
  /** The page of each job. */
  readonly url: string
  open(): Ledger
  query(sql: string): Promise<void>
}

/** @param damageCounts damages what the pages of the job `bad` are counted by */
function damagedJobs(damageCounts: string, makePlace: () => Promise<Place>): void {
  let engines: Engine[] = []
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false })))
    engines = []
  })
  /** Stores an interrupted job `bad`, and `good` after it, and changes a column of the first one. */
  async function damage(change: string): Promise<(config?: EngineConfig) => Engine> {
    const place = await makePlace()
    const ledger = place.open()
    const request = JSON.stringify({ urls: [place.url] })
    for (const id of ['bad', 'good']) await ledger.jobStore?.add(storedJob(id, { kind: 'batch-scrape', request }))
    await ledger.close()
    await place.query(change)
    return (config) => {
      const engine = createEngine({ ...settings, ledger: place.open(), ...config })
      engines.push(engine)
      return engine
    }
  }

  it.each([
    ['warnings', `UPDATE jobs SET warnings = '["cut' WHERE id = 'bad'`],
    ['missing', `UPDATE jobs SET missing = '7' WHERE id = 'bad'`],
    ['used', `UPDATE jobs SET used = '{"bytes":' WHERE id = 'bad'`],
    ['budget', `UPDATE jobs SET budget = 'null' WHERE id = 'bad'`],
    ['generated', `UPDATE jobs SET generated = '{' WHERE id = 'bad'`],
    ['kind', `UPDATE jobs SET kind = 'walk' WHERE id = 'bad'`],
    ['stopped_by', `UPDATE jobs SET stopped_by = 'boredom' WHERE id = 'bad'`],
    ['request', `UPDATE jobs SET request = '{"urls":[' WHERE id = 'bad'`],
    ['created_at', `UPDATE jobs SET created_at = 9000000000000000000 WHERE id = 'bad'`],
  ])('are named by `listJobs` and `resume`, and the other jobs go on: `%s`', async (column, change) => {
    const engine = (await damage(change))()
    const error = expect.stringMatching(new RegExp(`^job bad cannot be read: .*\`${column}\``))
    const [good, bad] = await engine.listJobs()
    expect(bad).toMatchObject({ id: 'bad', status: 'scraping', interrupted: true, error })
    expect(good).toMatchObject({ id: 'good', interrupted: true })
    expect(good).not.toHaveProperty('error')
    await expect(engine.resume()).rejects.toMatchObject({ code: 'LEDGER_ERROR', message: error })
    expect(await (await engine.job('good'))?.finished()).toMatchObject({ status: 'completed', completed: 1 })
    await expect(engine.job('bad')).rejects.toThrow(expect.objectContaining({ code: 'LEDGER_ERROR', message: error }))
  })

  it.each([
    ['values that cannot be read', `UPDATE jobs SET request = '{"urls":[' WHERE id = 'bad'`],
    ['a request that is none', `UPDATE jobs SET request = '{"urls":7}' WHERE id = 'bad'`],
    [
      'a request for a language model',
      `UPDATE jobs SET request = '{"urls":["/"],"formats":["summary"]}' WHERE id = 'bad'`,
    ],
  ])('can be cancelled, and then hinder nothing: %s', async (_, change) => {
    const engine = (await damage(change))()
    await expect(engine.resume()).rejects.toMatchObject({ message: expect.stringMatching(/job bad .*engine\.cancel/s) })
    await expect(engine.job('bad')).rejects.toThrow(/^job bad cannot be /)
    await engine.cancel('bad')
    const ended = { id: 'bad', status: 'cancelled', completedAt: expect.any(String) }
    const bad = (await engine.listJobs()).find(({ id }) => id === 'bad')
    expect(bad).toMatchObject(ended)
    expect(bad).not.toHaveProperty('interrupted')
    expect(await engine.resume()).toEqual([])
    await engine.cancel('bad')
    await expect(engine.cancel('unknown')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('are named by `listJobs` when the pages of a job cannot be counted', async () => {
    const engine = (await damage(damageCounts))()
    const error = expect.stringMatching(/^job bad cannot be read: .*`(?:counts|pages)`/)
    expect(await engine.listJobs()).toMatchObject([{ id: 'good' }, { id: 'bad', error, completed: 0 }])
  })

  it.each([
    ['is cut off', `UPDATE jobs SET request = '{"urls":[' WHERE id = 'bad'`, /^job bad cannot be read: .*`request`/],
    [
      'is no request',
      `UPDATE jobs SET request = '{"urls":7}' WHERE id = 'bad'`,
      /^job bad cannot be resumed here: .*urls/,
    ],
  ])('are told to `onError`, and the other jobs go on: a request that %s', async (_, change, message) => {
    const [onJob, onError] = [vi.fn<(id: string) => void>(), vi.fn<(error: TrawlError) => void>()]
    const engine = (await damage(change))({ resume: { onJob, onError } })
    await vi.waitUntil(() => onJob.mock.calls.length > 0 && onError.mock.calls.length > 0, { timeout: LONG_MS })
    expect(onJob.mock.calls).toEqual([['good']])
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringMatching(message) })]])
    expect(await (await engine.job('good'))?.finished()).toMatchObject({ status: 'completed' })
    expect(await engine.listJobs()).toMatchObject([{ id: 'good' }, { id: 'bad', interrupted: true }])
  })
}

describe('stored values that cannot be read, in an SQLite file', () => {
  const on = useEngineSite()
  damagedJobs(`INSERT INTO pages (job, number, row) SELECT number, 0, '{' FROM jobs WHERE id = 'bad'`, async () => {
    await on.open({ '/': '<title>A page</title>' })
    const file = newFile()
    return {
      url: on.site.url('/'),
      open: () => sqlite(file),
      async query(sql) {
        const database = findSqlite({ code: 'LEDGER_ERROR', name: 'the test' })(file)
        database.exec(sql)
        database.close()
      },
    }
  })
})

const title = `stored values that cannot be read, on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()
  damagedJobs(`UPDATE jobs SET counts = '{' WHERE id = 'bad'`, async () => ({
    url: on.site.url('/'),
    open: () => openPostgres({ connectionString: on.server.url(), schema: on.schema }, PATIENT),
    query: async (sql) => void (await on.server.query(`SET search_path TO "${on.schema}"; ${sql}`)),
  }))
})
