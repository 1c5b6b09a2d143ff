import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createEngine, type LedgerRow } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { collectSpans, countJob, sumSpans } from './collect-spans.js'
import { SECRET, tracedCrawls } from './traced-crawls.js'

describe.each(tracedCrawls)('$name', ({ run }) => {
  it('has spans whose sums are the counters of the job, and whose parents are right', async () => {
    using spans = collectSpans()
    await run(async (job) => {
      const rows: LedgerRow[] = []
      for await (const row of job.urls()) rows.push(row)
      const jobs = spans.ended.job
      const status = await job.status()
      expect(sumSpans(spans)).toEqual(countJob(status, rows))
      expect(status.failed).toBeGreaterThan(0)
      expect(spans.open.size).toBe(0)
      const last = jobs.at(-1)
      expect(last).toMatchObject({ jobId: job.id, kind: job.kind, state: status.status, used: status.used })
      expect(last?.counts).toEqual({
        completed: status.completed,
        failed: status.failed,
        skipped: status.skipped,
        credits: status.creditsUsed,
      })
      const ofJob = spans.ended.page.filter(({ parent }) => parent !== undefined)
      expect(ofJob.every(({ parent }) => parent?.jobId === job.id)).toBe(true)
      const pages = new Set<unknown>(spans.ended.page)
      expect(spans.ended.attempt.every(({ parent }) => pages.has(parent))).toBe(true)
      const attempts = new Set<unknown>(spans.ended.attempt)
      const works = [...spans.ended.fetch, ...spans.ended.digest, ...spans.ended.model]
      const robots = works.filter(({ parent }) => parent === undefined)
      expect(robots.every((span) => 'url' in span && span.url.endsWith('/robots.txt'))).toBe(true)
      expect(works.filter(({ parent }) => parent && !attempts.has(parent))).toEqual([])
      expect(spans.ended.ledger.every(({ parent }) => parent?.jobId === job.id)).toBe(true)
      expect(spans.toText()).not.toContain(SECRET)
    })
  })
})

it('`engine.scrape()` has a page without a job, and each attempt at it', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 1 } })
  using spans = collectSpans()
  await engine.scrape(site.url('/flaky'))
  await engine.scrape(site.url('/reset')).catch(() => undefined)
  const [scraped, failed] = spans.ended.page
  expect(scraped).toMatchObject({ outcome: 'done', documents: 1, credits: 1, url: site.url('/flaky') })
  expect(failed).toMatchObject({ outcome: 'failed', code: expect.stringMatching(/^SCRAPE_/) })
  expect(spans.ended.attempt.slice(0, 2)).toMatchObject([
    { outcome: 'retry', number: 1, statusCode: 503, parent: scraped },
    { outcome: 'done', number: 2, statusCode: 200, parent: scraped },
  ])
  expect(spans.ended.job).toEqual([])
  expect(spans.open.size).toBe(0)
})

it('a page that waits for a retry when its job is cancelled ends as skipped', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 60_000 } })
  using spans = collectSpans()
  const job = engine.batchScrape({ urls: [site.url('/status/503')], timeout: 120_000 })
  while (spans.ended.attempt.length === 0) await sleep(5)
  await job.cancel()
  expect(spans.ended.page).toMatchObject([{ outcome: 'skipped', reason: 'CANCELLED' }])
  expect(spans.ended.job).toMatchObject([{ state: 'cancelled', counts: { skipped: 1 } }])
  expect(sumSpans(spans)).toMatchObject({ skipped: 1 })
})

it('a channel alone has the nearest parent that somebody subscribed to', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
  using spans = collectSpans(['job', 'fetch'])
  const job = engine.batchScrape({ urls: [site.url('/page/a')] })
  await job.finished()
  expect(spans.ended.fetch).toMatchObject([{ parent: { jobId: job.id }, requests: 1, statusCode: 200 }])
  expect(spans.ended.page).toEqual([])
})

it('publishes in the order of a tracing channel, with `error` for what failed', async () => {
  await using site = await startSite()
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { maxRetries: 0 } })
  const seen: string[] = []
  const note = (name: string) => () => void seen.push(name)
  const channel = tracingChannel('trawl:fetch')
  const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
  const subscriber = Object.fromEntries(names.map((name) => [name, note(name)])) as Record<
    (typeof names)[number],
    () => void
  >
  channel.subscribe(subscriber)
  await engine.scrape(site.url('/reset')).catch(() => undefined)
  channel.unsubscribe(subscriber)
  expect(seen).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
  await engine.scrape(site.url('/page/a'))
  expect(seen).toHaveLength(5)
})

it('a digest has the media type of its page without parameters, however long they are', async () => {
  const type = `Text/HTML; charset=utf-8; x=${'x'.repeat(4000)}`
  await using site = await startSite({
    pages: { '/': ({ response }) => response.writeHead(200, { 'content-type': type }).end('<p>A text.</p>') },
  })
  await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http' })
  using spans = collectSpans(['digest'])
  await engine.scrape(site.url('/'))
  expect(spans.ended.digest).toMatchObject([{ contentType: 'text/html' }])
})
