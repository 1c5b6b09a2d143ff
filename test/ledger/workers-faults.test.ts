import { beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Document, type Job } from '../../src/index.js'
import { missing } from './postgres-server.js'
import { ownerSettings, useWorkers } from './use-workers.js'
import { crawlOf, createWorkSite, documentsOf } from './work-site.js'
import { type Process, startOwner } from './worker-processes.js'

const { pages } = createWorkSite(60)

describe.skipIf(missing !== undefined)(`a job with workers${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useWorkers(pages)
  // A page that took seconds is not waited for as a sample of what repeats, here as in one engine.
  const crawl = () => ({ ...crawlOf(on.site.url('/')), learnBoilerplate: false })
  let expected: unknown
  beforeAll(async () => {
    await using engine = createEngine({ ...ownerSettings, maxConcurrency: 12 })
    expected = await documentsOf(engine.crawl(crawl()))
  })
  /** Starts a crawl, and waits until a worker has a page. */
  const start = async (): Promise<Job<Document>> => {
    const job = on.open().crawl(crawl())
    await on.until('SELECT 1 FROM SCHEMA.tasks WHERE worker IS NOT NULL')
    return job
  }

  it('loses nothing when workers are killed, and goes on without any', async () => {
    const first = await on.addWorker()
    const second = await on.addWorker()
    const job = await start()
    await first.kill()
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(DISTINCT worker) = 1')
    await second.kill()
    expect(await documentsOf(job)).toEqual(expected)
  }, 30_000)

  it('loses nothing when a worker is closed at once, and when the server crashes', async () => {
    const worker = on.open().work({ concurrency: 4 })
    await on.addWorker()
    const job = await start()
    await worker.close({ drain: false })
    await on.server.crash()
    await on.server.start()
    expect(await documentsOf(job)).toEqual(expected)
  }, 30_000)

  it('gives the pages of a worker that hangs to another one', async () => {
    const hanging = await on.addWorker()
    const job = await start()
    hanging.child.kill('SIGSTOP')
    await on.addWorker()
    // As if twice the timeout of a page had passed.
    const timer = setInterval(() => {
      void on.ask(
        `UPDATE SCHEMA.tasks SET until = clock_timestamp() WHERE worker = (SELECT min(owner) FROM SCHEMA.workers)`,
      )
    }, 300)
    const documents = await documentsOf(job)
    clearInterval(timer)
    expect(documents).toEqual(expected)
    hanging.child.kill('SIGCONT')
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
  }, 40_000)

  it('ends when its only worker hangs, and leaves no rows', async () => {
    const hanging = await on.addWorker()
    const engine = on.open()
    const job = engine.crawl(crawl())
    await on.until('SELECT 1 FROM SCHEMA.tasks WHERE worker IS NOT NULL')
    hanging.child.kill('SIGSTOP')
    // As if twice the timeout of a page had passed.
    const timer = setInterval(() => {
      void on.ask('UPDATE SCHEMA.tasks SET until = clock_timestamp() WHERE worker IS NOT NULL')
    }, 300)
    const documents = await documentsOf(job)
    clearInterval(timer)
    expect(documents).toEqual(expected)
    await engine.close()
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
    await hanging.kill()
    // The server takes a moment to see that the process has ended.
    const next = on.open()
    const count = 'SELECT count(*)::integer FROM SCHEMA.workers'
    while ((await on.ask(count))['count'] !== 0) await next.crawl({ ...crawl(), limit: 1 }).finished()
  }, 40_000)

  it('is continued by another engine when its own one is killed, and the workers go on', async () => {
    const worker = await on.addWorker()
    const owner: Process = startOwner(ownerSettings, crawl(), [on.server.url(), on.schema])
    await on.until('SELECT 1 FROM SCHEMA.tasks WHERE worker IS NOT NULL')
    await owner.kill()
    const engine = on.open()
    let job: Job<Document> | undefined
    while (!job) [job] = await engine.resume()
    expect(await documentsOf(job)).toEqual(expected)
    await worker.kill('SIGTERM')
    expect(worker.said()).toMatch(/"done":[1-9]/)
  }, 30_000)
})
