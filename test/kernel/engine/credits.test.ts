import { describe, expect, it } from 'vitest'
import { createEngine, type Document, type ScrapeOptions, type TrawlError } from '../../../src/index.js'
import { costOf } from './cost-of.js'
import { lines, makePdf } from '../../content/pdf/make-pdf.js'
import { htmlPage } from '../../site/exchange.js'
import { useEngineSite, type Pages } from '../../site/engine-site.js'

const on = useEngineSite()
const page = htmlPage('Page', '<p>Some words that are the content of this page.</p>')
const file = makePdf(
  [1, 2, 3].map((n) => ({ pieces: lines([`Page ${n} of a file that has three.`], { x: 72, y: 100 }) })),
)
const pdf: Pages[string] = ({ response }) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(file)
const manyPages = (count: number): Pages =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, page]))

describe('a page costs', () => {
  it.each<[string, ScrapeOptions, number]>([
    ['one credit', {}, 1],
    ['no more for formats that need no model', { formats: ['markdown', 'html', 'links', 'images', 'rawHtml'] }, 1],
    ['no more where `proxy: auto` had no need of more', { proxy: 'auto', maxAge: 0 }, 1],
  ])('%s', async (_, options, credits) => {
    await on.open({ '/': page }, { fetcher: 'http' })
    expect(await costOf(on.engine, on.site.url('/'), options)).toEqual([credits, credits, credits])
  })

  it('one from the cache, and one with an error status', async () => {
    await on.open({ '/': page })
    await on.engine.scrape(on.site.url('/'))
    const hit = await on.engine.scrape(on.site.url('/'), { minAge: 1 })
    const missing = await on.engine.scrape(on.site.url('/missing'))
    expect([hit, missing].map(({ metadata }) => metadata.creditsUsed)).toEqual([1, 1])
    expect([hit.metadata.cacheState, missing.metadata.statusCode]).toEqual(['hit', 404])
  })

  it('a credit for each page of a PDF file, of which `maxPages` may leave some out, and one for a file that is not read', async () => {
    await on.open({ '/file.pdf': pdf })
    const url = on.site.url('/file.pdf')
    expect(await costOf(on.engine, url)).toEqual([3, 3, 3])
    expect(await costOf(on.engine, url, { parsers: [{ type: 'pdf', maxPages: 2 }] })).toEqual([2, 2, 2])
    expect(await costOf(on.engine, url, { parsers: [] })).toEqual([1, 1, 1])
    const v1 = on.engine.v1.crawl({ url, limit: 1, ignoreSitemap: true })
    expect((await v1.finished()).creditsUsed).toBe(3)
    const flat = on.engine.v1.crawl({ url, limit: 1, ignoreSitemap: true, scrapeOptions: { parsePDF: false } })
    expect((await flat.finished()).creditsUsed).toBe(1)
  })

  it('one credit more with `zeroDataRetention`', async () => {
    await on.open({ '/': page })
    const job = on.engine.batchScrape({ urls: [on.site.url('/')], zeroDataRetention: true })
    const documents: Document[] = []
    for await (const document of job) documents.push(document)
    expect(documents.map(({ metadata }) => metadata.creditsUsed)).toEqual([2])
    expect((await job.finished()).creditsUsed).toBe(2)
  })

  it('nothing when it fails, but one for a host without address, and one for a miss in lockdown', async () => {
    await on.open({ '/': ({ response }) => response.destroy() }, { retry: { maxRetries: 0 } })
    const creditsOf = async (url: string, options: ScrapeOptions = {}): Promise<[number, number]> => {
      const { failed, creditsUsed } = await on.engine.batchScrape({ urls: [url], ...options }).finished()
      return [failed, creditsUsed]
    }
    expect(await creditsOf(on.site.url('/'))).toEqual([1, 0])
    expect(await creditsOf('http://no-such-host.invalid/')).toEqual([1, 1])
    expect(await creditsOf(on.site.url('/'), { lockdown: true })).toEqual([1, 1])
    expect(on.engine.credits()).toEqual({ used: 2, reserved: 0 })
  })

  it('one credit if a batch names it twice', async () => {
    await on.open({ '/': page })
    const { data, creditsUsed } = await on.engine.batchScrape({ urls: [on.site.url('/'), on.site.url('/')] }).finished()
    expect([data.map(({ metadata }) => metadata.creditsUsed), creditsUsed]).toEqual([[1, 0], 1])
  })
})

describe('`creditLimit`', () => {
  const payment = { code: 'INSUFFICIENT_CREDITS', status: 402 }

  it('refuses jobs and pages if fewer credits are left than one page costs, and says how many', async () => {
    await on.open({ '/a': page, '/b': page, '/c': page }, { creditLimit: 2, fetcher: 'http' })
    expect(on.engine.credits()).toEqual({ used: 0, reserved: 0, limit: 2, left: 2 })
    await on.engine.scrape(on.site.url('/a'))
    await on.engine.batchScrape({ urls: [on.site.url('/b')] }).finished()
    expect(on.engine.credits()).toEqual({ used: 2, reserved: 0, limit: 2, left: 0 })
    await expect(on.engine.scrape(on.site.url('/c'))).rejects.toMatchObject(payment)
    await expect(on.engine.parse({ body: '<p>Mine</p>', url: 'https://a.test/' })).rejects.toMatchObject(payment)
    const refusals = [
      () => on.engine.crawl({ url: on.site.url('/c') }),
      () => on.engine.v1.crawl({ url: on.site.url('/c') }),
      () => on.engine.batchScrape({ urls: [on.site.url('/c')] }),
    ].map((start) => {
      try {
        return start()
      } catch (error) {
        return (error as TrawlError).status
      }
    })
    expect(refusals).toEqual([402, 402, 402])
    expect(on.site.requests.some(({ path }) => path === '/c')).toBe(false)
    expect(on.engine.jobs()).toEqual([])
  })

  it('admits cheap pages when expensive ones no longer fit', async () => {
    await on.open({ '/a': page, '/b': page }, { creditLimit: 4, fetcher: 'http' })
    await expect(on.engine.scrape(on.site.url('/a'), { proxy: 'enhanced' })).rejects.toMatchObject(payment)
    expect((await on.engine.scrape(on.site.url('/a'))).metadata.creditsUsed).toBe(1)
  })

  it('stops a running job with INSUFFICIENT_CREDITS, and leaves its other URLs queued', async () => {
    await on.open(manyPages(10), { creditLimit: 4, fetcher: 'http' })
    const urls = Object.keys(manyPages(10)).map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls })
    const status = await job.finished()
    expect(status).toMatchObject({
      success: false,
      status: 'failed',
      code: 'INSUFFICIENT_CREDITS',
      error: '`creditLimit` of 4: 4 are spent, and a page costs 1',
      stoppedBy: 'credits',
      completed: 4,
      total: 10,
      creditsUsed: 4,
    })
    expect(status.data).toHaveLength(4)
    expect(() => job.resume()).toThrow('`creditLimit` of 4')
    expect(await job.cancel()).toMatchObject({ status: 'cancelled', completed: 4, skippedByReason: { CANCELLED: 6 } })
  })

  it.each([1, 3, 7, 16])('of %i is never exceeded by jobs and pages at once', async (creditLimit) => {
    const pages = manyPages(30)
    await on.open(pages, { creditLimit, maxConcurrency: 8 })
    const urls = Object.keys(pages).map((path) => on.site.url(path))
    const jobs = [0, 10].map((from) => on.engine.batchScrape({ urls: urls.slice(from, from + 10), maxAge: 0 }))
    const singles = await Promise.allSettled(urls.slice(20).map((url) => on.engine.scrape(url)))
    const ended = await Promise.all(jobs.map((job) => job.finished()))
    const paid = [
      ...ended.map(({ creditsUsed }) => creditsUsed),
      ...singles.map((single) => (single.status === 'fulfilled' ? single.value.metadata.creditsUsed : 0)),
    ].reduce((sum, credits) => sum + credits)
    expect(paid).toBe(creditLimit)
    expect(on.engine.credits()).toEqual({ used: creditLimit, reserved: 0, limit: creditLimit, left: 0 })
    for (const single of singles) if (single.status === 'rejected') expect(single.reason).toMatchObject(payment)
  })

  it('is exceeded only by further pages of a PDF file, whose number is not known before', async () => {
    await on.open({ '/file.pdf': pdf, '/a': page }, { creditLimit: 2, fetcher: 'http' })
    await on.engine.scrape(on.site.url('/file.pdf'))
    expect(on.engine.credits()).toEqual({ used: 3, reserved: 0, limit: 2, left: 0 })
    await expect(on.engine.scrape(on.site.url('/a'))).rejects.toMatchObject(payment)
  })

  it('of 0 refuses everything, and an invalid value is refused', async () => {
    await on.open({ '/a': page }, { creditLimit: 0 })
    await expect(on.engine.scrape(on.site.url('/a'))).rejects.toMatchObject(payment)
    for (const creditLimit of [-1, 1.5, Number.NaN, Infinity]) {
      expect(() => createEngine({ creditLimit })).toThrow('creditLimit')
    }
    await createEngine({ creditLimit: Number.MAX_SAFE_INTEGER }).close()
  })
})
