import { describe, expect, it } from 'vitest'
import { type EngineConfig, type Job, memoryLedger } from '../../../src/index.js'
import type { Document } from '../../../src/kernel/page/document.js'
import { useEngineSite } from '../../site/engine-site.js'
import { article, useModelSite } from '../../site/model-site.js'
import { page } from './crawl-site.js'
import { CrawlContent } from '../../../src/kernel/job/crawl/crawl-content.js'
import { collect, collectGarbage, noteObjects, noteRunners, readAll } from './left-of-jobs.js'

const on = useEngineSite()
const urls = (): [string, string] => [on.site.url('/a'), on.site.url('/elsewhere')]

describe('a job that has ended keeps its record, rows and documents', () => {
  const pages = {
    '/': page('/a', '/gone', '/b?x=1'),
    '/a': page('/c'),
    '/c': page(),
    '/b': page(),
    '/fails': (answer: { response: { destroy(): void } }) => answer.response.destroy(),
  }
  const kinds: readonly [string, () => Job<Document>, ((job: Job<Document>) => Promise<unknown>)?][] = [
    ['a crawl', () => on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', excludePaths: ['^/c'] })],
    ['a crawl of version 1', () => on.engine.v1.crawl({ url: on.site.url('/'), limit: 2 })],
    ['a crawl without documents', () => on.engine.crawl({ url: on.site.url('/fails'), sitemap: 'skip' })],
    ['a batch', () => on.engine.batchScrape({ urls: ['/a', '/fails', '/a'].map((path) => on.site.url(path)) })],
    ['an acknowledged batch', () => on.engine.batchScrape({ urls: [on.site.url('/a')] }, { acknowledge: true })],
    ['a batch that keeps nothing', () => on.engine.batchScrape({ urls: [on.site.url('/a')], retain: false })],
    ['a cancelled crawl', () => on.engine.crawl({ url: on.site.url('/') }), (job) => job.cancel()],
    [
      'a crawl with a goal',
      () => on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', goal: 'words of the page' }),
    ],
    [
      'a crawl whose goal is known',
      () =>
        on.engine.crawl({
          url: on.site.url('/'),
          sitemap: 'skip',
          goal: 'some words',
          until: { pages: 1, answers: 1 },
        }),
    ],
    [
      'a batch of 1,200 URLs',
      () => on.engine.batchScrape({ urls: ['no url:', ...Array.from({ length: 1200 }, () => on.site.url('/a'))] }),
    ],
    [
      'a batch that grows',
      () => on.engine.batchScrape({ urls: [on.site.url('/a')] }),
      async (job) => await on.engine.batchScrape({ urls: [on.site.url('/c')], appendToId: job.id }),
    ],
    ['a batch with a budget', () => on.engine.batchScrape({ urls: [on.site.url('/a')], budget: { requests: 9 } })],
  ]
  it.each(kinds)('%s tells the same when nothing else of it is left', async (kind, start, act) => {
    const runners = noteRunners()
    await on.open(pages, { retry: { maxRetries: 0 } })
    const job = start()
    await act?.(job)
    await job.finished()
    const before = await readAll(job, urls())
    await runners.letGo()
    // Those that are delivered once have been.
    const isOnce = /acknowledged|keeps nothing/.test(kind)
    expect(await readAll(job, urls())).toEqual(isOnce ? { ...before, documents: [] } : before)
    await runners.letGo()
    expect(await on.engine.job(job.id)).toBe(job)
  })

  it('what a crawl has learnt is freed while its documents wait for a reader', async () => {
    const learnt = noteObjects(CrawlContent.prototype, 'refuse')
    await on.open(pages)
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', excludePaths: ['^/c'], retain: false })
    expect((await job.finished()).completed).toBeGreaterThan(1)
    await learnt.letGo()
    expect((await collect(job)).length).toBeGreaterThan(1)
  })

  describe('on a site with a model', () => {
    const model = useModelSite()

    it('a crawl with a prompt tells the same when nothing else of it is left', async () => {
      const runners = noteRunners()
      const body = (link: string): string => article(`<a href="${link}">A link</a><p>Some words.</p>`)
      await model.open({ '/': body('/a'), '/a': body('/c'), '/c': body('/') }, () => ({
        says: '{"excludePaths":["^/c"],"maxDiscoveryDepth":3}',
      }))
      const { engine, site } = model
      const described: object = { prompt: 'all pages but the last' }
      const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', ...described })
      expect(await job.finished()).toMatchObject({ completed: 2 })
      const both = [site.url('/a'), site.url('/c')] as const
      const before = await readAll(job, both)
      expect(before).toMatchObject({ json: expect.stringContaining('maxDiscoveryDepth') })
      await runners.letGo()
      expect(await readAll(job, both)).toEqual(before)
      await runners.letGo()
    })
  })

  it('and what a loop over its documents needs, until the loop ends', async () => {
    const runners = noteRunners()
    await on.open(pages, { ledger: memoryLedger({ maxJobs: 1 }) })
    const read = on.engine.batchScrape({ urls: ['/a', '/c', '/b'].map((path) => on.site.url(path)) })
    await read.finished()
    await collectGarbage()
    let documents = 0
    for await (const _ of read) {
      documents += 1
      await on.engine.batchScrape({ urls: [on.site.url('/a')] }).finished()
      await collectGarbage()
    }
    expect(documents).toBe(3)
    await on.engine.batchScrape({ urls: [on.site.url('/a')] }).finished()
    await runners.letGo()
    await expect(read.status()).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })
})

describe('the bounds of `memoryLedger()`', () => {
  const text = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919) % 10_007}`).join(' ')
  const pages = { '/': `<title>A page</title><main><p>${text}</p></main>` }
  const bounds: readonly [string, EngineConfig['ledger'], RegExp][] = [
    ['jobs', memoryLedger({ maxJobs: 3 }), /`maxJobs` of 3 ended jobs/],
    ['bytes', memoryLedger({ maxTotalBytes: 80_000 }), /`maxTotalBytes` of 80000/],
    ['bytes that are compressed', memoryLedger({ maxTotalBytes: 40_000, maxBytes: 0 }), /`maxTotalBytes` of 40000/],
  ]
  it.each(bounds)('in %s cost the jobs that ended first, and all are told', async (_, ledger, reason) => {
    await on.open(pages, { ledger })
    const batch = (): Job<Document> => on.engine.batchScrape({ urls: [on.site.url('/')] })
    const first = batch()
    const closing = await first.finished()
    expect(closing).not.toHaveProperty('warning')
    expect((await on.engine.health()).jobs).toEqual({ running: 0, dropped: 0 })
    const later: Job<Document>[] = []
    for (let count = 0; count < 8; count += 1) {
      later.push(batch())
      await later.at(-1)?.finished()
    }
    const gone = { code: 'JOB_NOT_FOUND', message: expect.stringMatching(reason) }
    await expect(first.status()).rejects.toMatchObject(gone)
    await expect(first.errors()).rejects.toMatchObject(gone)
    await expect(collect(first.urls())).rejects.toMatchObject(gone)
    await expect(collect(first)).rejects.toMatchObject(gone)
    expect(await on.engine.job(first.id)).toBeUndefined()
    const { dropped = 0 } = (await on.engine.health()).jobs
    expect(dropped).toBeGreaterThan(0)
    const found = await Promise.all(later.map(({ id }) => on.engine.job(id)))
    const kept = found.filter((job) => job !== undefined)
    expect(kept).toHaveLength(9 - dropped)
    expect(kept.at(-1)).toBe(later.at(-1))
    expect((await later.at(-1)?.status())?.warning).toMatch(reason)
    expect((await later.at(-1)?.status())?.warning).toContain(`forgotten ${dropped} before their \`expiresAt\``)
    expect(await collect(kept[0] ?? first)).toHaveLength(1)
  })

  it('cost no running job', async () => {
    let answer: (() => void) | undefined
    const waits = new Promise<void>((resolve) => (answer = resolve))
    const hung = {
      '/hung': async ({ response }: { response: { end(text: string): void } }) =>
        response.end(await waits.then(() => page())),
    }
    await on.open({ ...pages, ...hung }, { ledger: memoryLedger({ maxJobs: 1, maxTotalBytes: 0 }) })
    const running = on.engine.batchScrape({ urls: [on.site.url('/hung')] })
    for (let count = 0; count < 3; count += 1) await on.engine.batchScrape({ urls: [on.site.url('/')] }).finished()
    answer?.()
    const documents = collect(running)
    expect(await documents).toHaveLength(1)
  })
})

describe('a job that has expired', () => {
  it('is forgotten although nobody calls the engine', async () => {
    await on.open({ '/': page() }, { retentionMs: 200 })
    const job = on.engine.batchScrape({ urls: [on.site.url('/')] })
    expect(await job.finished()).toMatchObject({ completed: 1 })
    await expect.poll(() => job.status().catch(({ code }) => code), { timeout: 10_000 }).toBe('JOB_NOT_FOUND')
    await expect(job.status()).rejects.toThrow(`job ${job.id} has expired`)
  })

  it('is forgotten at a call also when the clock was set back between two ends', async () => {
    let nowMs = 1_000_000
    await on.open({ '/': page() }, { retentionMs: 1000, now: () => nowMs })
    const end = async (): Promise<string> => {
      const job = on.engine.batchScrape({ urls: [on.site.url('/')] })
      await job.finished()
      return job.id
    }
    const late = await end()
    nowMs -= 500_000
    const early = await end()
    nowMs += 2000
    expect([await on.engine.job(late), await on.engine.job(early)].map(Boolean)).toEqual([true, false])
    nowMs += 500_000
    expect(await on.engine.job(late)).toBeUndefined()
  })
})
