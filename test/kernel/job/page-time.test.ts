import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { TrawlError } from '../../../src/index.js'
import { awaitOpen } from '../../../src/kernel/fetch/http/feature-transport.js'
import { PageTime } from '../../../src/kernel/job/attempt/page-time.js'
import type { ScrapePlan } from '../../../src/kernel/plan/scrape-plan.js'
import { useEngineSite } from '../../site/engine-site.js'
import { page } from './crawl-site.js'

const on = useEngineSite()
const ANSWERS = { handles: () => true, fetch: () => ({ body: '' }) }

describe('the `timeout` of a page of a job', () => {
  it('has no part of the time that a fetcher takes to open, in a job and in a single page', async () => {
    const open = () => {
      let opening: Promise<void> | undefined
      return {
        open: () => (opening ??= sleep(1500)),
        handles: () => true,
        fetch: ({ url }: { readonly url: string }) =>
          url.endsWith('/robots.txt') ? { status: 404 } : { headers: { 'content-type': 'text/html' }, body: '<p>text' },
      }
    }
    await on.open({}, { fetcher: open() })
    expect((await on.engine.scrape('http://a.test/', { timeout: 1000 })).markdown).toBe('text')
    await on.open({}, { fetcher: open() })
    const job = on.engine.crawl({ url: 'http://a.test/', sitemap: 'skip', scrapeOptions: { timeout: 1000 } })
    for await (const { markdown } of job) expect(markdown).toBe('text')
    expect(await job.explain('http://a.test/')).toMatchObject({ outcome: 'done' })
  })

  it('waits for a fetcher that does not open no longer than its limit, nor after an abort', async () => {
    const hanging = [{ feature: 'mine', fetcher: { open: () => new Promise<void>(() => undefined), ...ANSWERS } }]
    const failing = [{ feature: 'mine', fetcher: { open: () => Promise.reject(new Error('no file')), ...ANSWERS } }]
    await awaitOpen(hanging, new AbortController().signal, 20)
    await awaitOpen(failing, new AbortController().signal)
    await awaitOpen(hanging, AbortSignal.abort())
  })

  it.each([
    ['a batch', () => on.engine.batchScrape({ urls: [on.site.url('/hang')], timeout: 1000 })],
    [
      'a crawl',
      () =>
        on.engine.crawl({
          url: on.site.url('/hang'),
          sitemap: 'skip',
          ignoreRobotsTxt: true,
          scrapeOptions: { timeout: 1000 },
        }),
    ],
  ])('covers its retries: a page that hangs is requested once, in %s as by `scrape()`', async (_, start) => {
    await on.open({}, { retry: { maxRetries: 2, backoffMs: 1 } })
    await expect(on.engine.scrape(on.site.url('/hang'), { timeout: 1000 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
    })
    expect(on.site.requests).toHaveLength(1)
    const job = start()
    await job.finished()
    expect(on.site.requests).toHaveLength(2)
    const row = await job.explain(on.site.url('/hang'))
    expect(row).toMatchObject({
      outcome: 'failed',
      attempts: [{ code: 'SCRAPE_TIMEOUT' }],
      failure: { error: expect.stringContaining('its `timeout` of 1000 ms') },
    })
  })

  it('is what its attempts and the delays between them take together', async () => {
    await on.open(
      { '/slow': ({ response }) => void setTimeout(() => response.writeHead(503).end(), 700) },
      { retry: { maxRetries: 9, backoffMs: 200 } },
    )
    const timeout = 3000
    const job = on.engine.batchScrape({ urls: [on.site.url('/slow')], timeout })
    await job.finished()
    const row = await job.explain(on.site.url('/slow'))
    const attempts = row && 'attempts' in row ? row.attempts : []
    expect(attempts.length).toBeGreaterThan(1)
    expect(attempts.length).toBeLessThan(5)
    const taken = attempts.map((one) => (one.retryAtMs ?? one.endedAtMs) - one.startedAtMs - (one.waitedMs ?? 0))
    // No attempt begins after the time is over.
    expect(taken.slice(0, -1).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(timeout)
  })

  it('does not count the time of other pages: a page that waits for its turn at its site has all of it', async () => {
    await on.open(
      { '/first': ({ response }) => void setTimeout(() => response.end(page()), 1500), '/second': page() },
      { maxConcurrencyPerSite: 1, maxConcurrency: 1 },
    )
    const urls = ['/first', '/second'].map((path) => on.site.url(path))
    expect(await on.engine.batchScrape({ urls, timeout: 2000 }).finished()).toMatchObject({ completed: 2 })
  })
})

describe('PageTime', () => {
  const plan = { fetch: { timeoutMs: 10_000 } } as ScrapePlan
  const attempt = { startedAtMs: 1000, endedAtMs: 4000 }

  it('leaves what earlier attempts and the delays after them have not taken, without what they waited for others', () => {
    const left = (...attempts: ConstructorParameters<typeof PageTime>[0]): number =>
      new PageTime(attempts, 10_000).planRest(plan).fetch.timeoutMs
    expect(left()).toBe(10_000)
    expect(left(attempt)).toBe(7000)
    expect(left({ ...attempt, retryAtMs: 5500 })).toBe(5500)
    expect(left({ ...attempt, waitedMs: 2500, retryAtMs: 5500 })).toBe(8000)
    // The clock of the host was set back.
    expect(left({ startedAtMs: 9000, endedAtMs: 4000, retryAtMs: 3000 })).toBe(10_000)
    expect(left({ ...attempt, endedAtMs: 99_000 })).toBe(1)
  })

  it('allows a retry that begins before the time is over', async () => {
    const time = new PageTime([attempt], 10_000)
    expect([time.allows(6000), time.allows(7000), time.allows(undefined)]).toEqual([true, false, false])
    // A page that waits in a queue takes none of its time.
    await time.clock.pauseDuring(sleep(300))
    expect(time.waitedMs).toBeGreaterThan(200)
    expect(time.allows(6900)).toBe(true)
  })

  it('names the whole time in the message of a later attempt', () => {
    const time = new PageTime([attempt], 10_000)
    const thrown = new TrawlError(
      'SCRAPE_TIMEOUT',
      'The page took longer than its `timeout` of 7000 ms: the site had not answered',
    )
    expect(time.describe(thrown)).toMatchObject({
      message:
        'The page took longer than its `timeout` of 10000 ms with its earlier attempts: the site had not answered',
    })
    const other = new TrawlError('SCRAPE_SITE_ERROR', 'reset')
    expect(time.describe(other)).toBe(other)
  })
})
