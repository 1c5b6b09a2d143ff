import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Document, type FormatItem, type Job } from '../../../src/index.js'
import { LONG_MS } from './postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { createRequestGate } from './request-gate.js'
import { ownerSettings, useWorkers } from './use-workers.js'
import { crawlOf, createWorkSite, documentsOf } from './work-site.js'
import { type Process, startOwner } from './worker-processes.js'

const HOUR_MS = 3_600_000
const gate = createRequestGate()
const { pages } = createWorkSite(60, gate)

const title = `a job with workers${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useWorkers(pages)
  // A page that took seconds is not waited for as a sample of what repeats, here as in one engine.
  const crawl = () => ({ ...crawlOf(on.site.url('/')) })
  let expected: unknown
  beforeAll(async () => {
    await using engine = createEngine({ ...ownerSettings, maxConcurrency: 12 })
    expected = await documentsOf(engine.crawl(crawl()))
  }, 3 * LONG_MS)
  afterEach(() => gate.allow(Infinity))
  /** Starts a crawl that is in its midst until the site is open, and waits until workers have pages. */
  const start = async (
    workers = 1,
    engine = on.open(),
    formats: FormatItem[] = ['markdown'],
  ): Promise<Job<Document>> => {
    gate.allow(1)
    const job = engine.crawl({ ...crawl(), scrapeOptions: { formats } })
    await on.until(`SELECT 1 FROM SCHEMA.tasks WHERE answer IS NULL HAVING count(DISTINCT worker) >= ${workers}`)
    return job
  }
  /** The documents of a job, while twice the timeout of a page passes for some tasks, again and again. */
  const documentsAfterTimeout = async (job: Job<Document>, which: string): Promise<unknown> => {
    const over = new AbortController()
    const documents = documentsOf(job).finally(() => over.abort())
    while (!over.signal.aborted) {
      await on.ask(`UPDATE SCHEMA.tasks SET until = clock_timestamp() WHERE ${which}`)
      await sleep(100)
    }
    return documents
  }

  it.each<{ does: string; formats: FormatItem[] }>([
    { does: 'scrape', formats: ['markdown'] },
    { does: 'read', formats: ['markdown', 'changeTracking'] },
  ])('loses nothing when workers that $does its pages are killed, and goes on without any', async ({ formats }) => {
    const first = await on.addWorker()
    const second = await on.addWorker()
    const job = await start(2, on.open(), formats)
    await first.kill()
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(DISTINCT worker) = 1')
    await second.kill()
    gate.allow(Infinity)
    expect(await documentsOf(job)).toEqual(expected)
  })

  it('loses nothing when a worker is closed at once, and when the server crashes', async () => {
    const worker = await on.open().work({ concurrency: 4 })
    await on.addWorker()
    const job = await start(2)
    await worker.close({ drain: false })
    await on.server.crash()
    gate.allow(Infinity)
    await on.server.start()
    expect(await documentsOf(job)).toEqual(expected)
  })

  it('gives the pages of a worker that hangs to another one', async () => {
    const hanging = await on.addWorker()
    const job = await start()
    hanging.child.kill('SIGSTOP')
    await on.addWorker()
    gate.allow(Infinity)
    const which = 'worker = (SELECT min(owner) FROM SCHEMA.workers)'
    expect(await documentsAfterTimeout(job, which)).toEqual(expected)
    hanging.child.kill('SIGCONT')
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
  })

  it('ends when its only worker hangs, and leaves no rows', async () => {
    const hanging = await on.addWorker()
    const engine = on.open()
    const job = await start(1, engine)
    hanging.child.kill('SIGSTOP')
    gate.allow(Infinity)
    expect(await documentsAfterTimeout(job, 'worker IS NOT NULL')).toEqual(expected)
    await engine.close()
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
    await hanging.kill()
    // The server takes a moment to see that the process has ended.
    const next = on.open()
    const count = 'SELECT count(*)::integer FROM SCHEMA.workers'
    while ((await on.ask(count))['count'] !== 0) await next.crawl({ ...crawl(), limit: 1 }).finished()
  })

  it('is continued by another engine when its own one is killed, with clocks that differ by an hour, and the workers go on', async () => {
    const worker = await on.addWorker({ aheadMs: -HOUR_MS })
    gate.allow(1)
    const owner: Process = startOwner(ownerSettings, crawl(), {
      connectionString: on.server.url(),
      schema: on.schema,
      aheadMs: HOUR_MS,
    })
    await on.until('SELECT 1 FROM SCHEMA.tasks WHERE worker IS NOT NULL')
    await owner.kill()
    const engine = on.open()
    let job: Job<Document> | undefined
    for (; !job; await sleep(20)) [job] = await engine.resume()
    // The worker has pages of the engine that has taken the job over.
    await on.until(
      'SELECT 1 FROM SCHEMA.tasks WHERE worker IS NOT NULL AND owner = (SELECT max(owner) FROM SCHEMA.jobs)',
    )
    gate.allow(Infinity)
    expect(await documentsOf(job)).toEqual(expected)
    await worker.kill('SIGTERM')
    expect(worker.said()).toMatch(/"done":[1-9]/)
  })
})
