import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/index.js'
import { pathOf } from '../../kernel/job/crawl-site.js'
import { LONG_MS } from './postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { useWorkers } from './use-workers.js'
import { CRAWL_DELAY_MS, crawlOf, createWorkSite, resultsOf } from './work-site.js'

/** Timers and clocks are no more precise. Milliseconds. */
const CLOCK_MS = 2
const { pages, load, count: pageCount } = createWorkSite(40)

const title = `workers${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useWorkers(pages)
  const crawl = () => crawlOf(on.site.url('/'))

  it('scrape for an engine, and the documents and outcomes are the same with 0, 1 and 3 of them', async () => {
    const alone = await resultsOf(on.open({ ledger: undefined }).crawl(crawl()))
    const engine = on.open()
    expect(await resultsOf(engine.crawl(crawl()))).toEqual(alone)
    for (const count of [1, 3]) {
      while (on.processes.length < count) await on.addWorker()
      const before = on.site.requests.length
      expect(await resultsOf(engine.crawl(crawl()))).toEqual(alone)
      // The page that fails is asked for twice, and the page that has moved with its target.
      expect(on.site.requests.length - before).toBe(pageCount + 2)
    }
    await on.until('SELECT 1 FROM SCHEMA.tasks HAVING count(*) = 0')
    for (const { child, said } of on.processes) {
      child.kill('SIGTERM')
      await once(child, 'close')
      expect(said()).toMatch(/"active":0,"done":[1-9]/)
    }
    await on.until('SELECT 1 FROM SCHEMA.workers HAVING count(*) = 0')
  })

  it('keep the limits of a site and of a job', async () => {
    const engine = on.open({ maxConcurrencyPerSite: 3 })
    await on.addWorker()
    await on.addWorker()
    load.reset()
    const job = engine.crawl({ ...crawl(), limit: 17 })
    const { completed, data } = await job.finished()
    expect([completed, data.length]).toEqual([17, 17])
    expect(load.most()).toBeLessThanOrEqual(3)
    const rows: string[] = []
    for await (const { outcome } of job.urls()) rows.push(outcome)
    expect(rows.filter((outcome) => outcome === 'done')).toHaveLength(17)
  })

  it.each([
    ['budget', {}, { budget: { requests: 9 } }, 'requests'],
    ['credits', { creditLimit: 9 }, {}, 'credits'],
  ])(
    'keep the %s of a job exact',
    async (_, config, request, stoppedBy) => {
      const engine = on.open({ maxConcurrencyPerSite: 12, ...config })
      await on.addWorker()
      await on.addWorker()
      const urls = ['guide', 'news', 'shop'].flatMap((folder) =>
        Array.from({ length: 8 }, (__, at) => on.site.url(`/${folder}/${at}`)),
      )
      load.reset()
      const { completed, used, ...status } = await engine.batchScrape({ urls, ...request }).finished()
      const asked = load.visits.filter(({ path }) => path !== '/robots.txt').length
      expect([completed, used.requests, asked, status.stoppedBy]).toEqual([9, 9, 9, stoppedBy])
    },
    30_000,
  )

  it('keep the pauses that a site asks for', async () => {
    await on.addWorker()
    await on.addWorker()
    const engine = on.open({ maxConcurrency: 1 })
    load.reset()
    const job = engine.crawl({ url: on.site.url('/limits/'), sitemap: 'skip' })
    expect((await job.finished()).completed).toBe(6)
    const visits = load.visits.toSorted((a, b) => a.startMs - b.startMs)
    expect([visits.length, load.most()]).toEqual([7, 1])
    for (const [at, { startMs }] of visits.entries()) {
      const { endMs = -Infinity, path = '' } = visits[at - 1] ?? {}
      const isBusy = path === '/limits/busy' && visits.findIndex((visit) => visit.path === path) === at - 1
      expect(startMs - endMs).toBeGreaterThanOrEqual((isBusy ? 1000 : CRAWL_DELAY_MS) - CLOCK_MS)
    }
  })

  it('do not change the order of a crawl towards a goal', async () => {
    // A page that is tried again is read when its delay is over, so that the pages read by then differ from run to run.
    const excludePaths = ['/flaky']
    const readOrder = async (engine: Engine): Promise<unknown> => {
      const job = engine.crawl({ ...crawl(), excludePaths, goal: 'news 5', maxConcurrency: 4 })
      await job.finished()
      const leased: [number, string][] = []
      for await (const { order, url } of job.urls()) if (order !== undefined) leased.push([order, pathOf(url)])
      return leased.toSorted(([one], [other]) => one - other)
    }
    const alone = await readOrder(on.open({ ledger: undefined, maxConcurrency: 4 }))
    const owner = on.open({ maxConcurrency: 1 })
    await owner.crawl({ ...crawl(), limit: 1 }).finished()
    const worker = await on.addWorker()
    expect(await readOrder(owner)).toEqual(alone)
    worker.child.kill('SIGTERM')
    await worker.ended
    expect(worker.said()).toMatch(/"done":[1-9]/)
  })

  it('leave the tasks of another version alone', async () => {
    await on
      .open()
      .crawl({ ...crawl(), limit: 1 })
      .finished()
    // Tasks of an engine that has ended are deleted. This one lives, has no job that would look at its tasks, and takes none of its own.
    await on.open().work()
    await on.until('SELECT 1 FROM SCHEMA.workers')
    const { owner } = await on.ask('SELECT owner FROM SCHEMA.workers')
    await on.addWorker()
    await on.ask(`INSERT INTO SCHEMA.tasks (owner, number, version, job, lease_ms, payload)
      SELECT ${Number(owner)}, 1000, 'trawl/99', 'none', 1000, ''
      UNION SELECT ${Number(owner)}, 1001, version, 'none', 1000, '' FROM SCHEMA.workers`)
    await on.until('SELECT 1 FROM SCHEMA.tasks WHERE answer IS NOT NULL AND number = 1001')
    expect(await on.ask('SELECT worker, answer FROM SCHEMA.tasks WHERE number = 1000')).toEqual({
      worker: null,
      answer: null,
    })
  })

  it('need a ledger that engines share, and are one for each engine', async () => {
    await expect(on.open({ ledger: undefined }).work()).rejects.toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('use `postgres(…)` as `ledger`'),
      }),
    )
    const engine = on.open()
    await expect(engine.work({ concurrency: 0 })).rejects.toThrow(/`?concurrency`?: 0 /)
    const worker = await engine.work()
    expect([worker.concurrency, worker.counts()]).toEqual([2, { active: 0, done: 0, failed: 0 }])
    await expect(engine.work()).rejects.toThrow(/works already/)
    await worker.close()
    await (await engine.work({ concurrency: 3 })).close({ drain: false })
    await engine.close()
    await expect(engine.work()).rejects.toThrow(expect.objectContaining({ code: 'ENGINE_CLOSED' }))
  })
})
