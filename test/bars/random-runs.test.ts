import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BatchScrapeJob, createEngine, type Job, type JobStatus, type LedgerRow, sqlite } from '../../src/index.js'
import { startSite, type Site } from '../site/site.js'
import { page } from '../kernel/job/crawl-site.js'

const runs = process.env['BARS'] === 'whole' ? 1000 : 40
const PAGES = 14
/** What a page may lead to beside other pages. */
const troubles = ['/status/404', '/status/500', '/reset', '/flaky?times=1&status=503', '/redirect/1', '/picture.png']

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
const pages: Record<string, string> = {}
for (let at = 0; at < PAGES; at++) {
  const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
  pages[`/${at}`] = page(...links, troubles[at % troubles.length] ?? '/', `/${(at * 5) % PAGES}`)
}
let site: Site
beforeAll(async () => {
  site = await startSite({ pages })
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const), drain: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'cancel' as const, 'append' as const) }) },
)

const plan = fc.record({
  steps: fc.array(step, { maxLength: 5 }),
  limit: fc.integer({ min: 1, max: 20 }),
  isBatch: fc.boolean(),
  acknowledge: fc.boolean(),
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
})

/** Every URL that the job may know, by outcome, and what they cost: counted one by one. */
async function countRows(job: Job<unknown>): Promise<Record<LedgerRow['outcome'] | 'credits', number>> {
  const counts = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0, credits: 0 }
  for (const path of [...Object.keys(pages), ...troubles, '/redirect/0']) {
    const row = await job.explain(site.url(path))
    if (!row || row.outcome === 'unseen') continue
    counts[row.outcome] += row.sources?.length ?? 1
    counts.credits += row.credits ?? 0
  }
  return counts
}

async function checkSums(job: Job<unknown>, status: JobStatus<unknown>): Promise<void> {
  const { done, failed, skipped, queued, active, credits } = await countRows(job)
  expect([queued, active]).toEqual([0, 0])
  expect(status).toMatchObject({ completed: done, total: done, failed, skipped, creditsUsed: credits })
  expect(status.data.length).toBe(done)
  expect(Object.values(status.skippedByReason).reduce((sum, count) => sum + count, 0)).toBe(skipped)
  expect((await job.errors()).errors.length).toBeGreaterThanOrEqual(failed)
}

it(
  `adds up after ${runs} runs of failures, cancels, pauses, appends and restarts`,
  { timeout: runs * 5000 },
  async () => {
    let files = 0
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, limit, isBatch, acknowledge, maxConcurrency }) => {
        const file = join(folder, `${files++}.db`)
        const start = () =>
          createEngine({
            allowPrivateNetworks: true,
            threads: 0,
            fetcher: 'http',
            cache: false,
            maxConcurrency,
            retry: { maxRetries: 1, backoffMs: 1 },
            ledger: sqlite(file),
          })
        let engine = start()
        const urls = [...Object.keys(pages), '/0', '/reset', '/3'].slice(0, limit + 2).map((path) => site.url(path))
        const { id } = isBatch
          ? engine.batchScrape({ urls }, { acknowledge })
          : engine.crawl(
              { url: site.url('/0'), limit, sitemap: 'skip', ignoreRobotsTxt: true, crawlEntireDomain: true },
              { acknowledge },
            )
        const given = [...urls]
        for (const [at, one] of steps.entries()) {
          const job = await engine.job(id)
          if (one.do === 'wait') await sleep(one.ms)
          else if (one.do === 'pause') {
            void job?.pause()
            await sleep(3)
            void job?.resume()
          } else if (one.do === 'append' && isBatch) {
            const more = [site.url(`/${at}`), site.url('/9'), site.url('/9')]
            const added = await (job as BatchScrapeJob<unknown>).append(more).then(
              () => true,
              () => false,
            )
            if (added) given.push(...more)
          } else if (one.do === 'cancel' && at % 2 === 1) await job?.cancel().catch(() => undefined)
          else if (one.do === 'restart') {
            await engine.close({ drain: one.drain })
            engine = start()
            await engine.resume()
          }
        }
        const job = await engine.job(id)
        if (!job) throw new Error('the job is gone')
        const status = await job.finished()
        await checkSums(job, status)
        if (!isBatch) expect(status.completed).toBeLessThanOrEqual(limit)
        else expect(status.completed + status.failed + status.skipped).toBe(given.length)
        await engine.close()
      }),
      { numRuns: runs, seed: 20261120 },
    )
  },
)
