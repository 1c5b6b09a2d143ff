import { describe, expect, it } from 'vitest'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { planV1Crawl } from '../../../src/kernel/plan/crawl/plan-v1-crawl.js'
import { checkBatchScrape, checkCrawl, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { defaults, unfrozen } from './plans.js'

const batch = (request: object) => planBatch(checkBatchScrape({ urls: ['example.com'], ...request }), defaults)
const crawl = (request: object = {}) => planCrawl(checkCrawl({ url: 'example.com/docs', ...request }), defaults)
const v1 = (request: object = {}) => planV1Crawl(checkV1Crawl({ url: 'example.com/docs', ...request }), defaults)

describe('the plan of a batch', () => {
  it('lists the valid URLs in order with their spelling, and the invalid ones verbatim', () => {
    const urls = ['Example.com', 'nope', 'https://a.example/#x', 'ftp://b.example', 'Example.com']
    expect(batch({ urls })).toMatchObject({
      urls: ['Example.com', 'https://a.example/#x', 'Example.com'],
      invalidURLs: ['nope', 'ftp://b.example'],
    })
  })

  it('has an empty list of invalid URLs if all are valid, and no list if `ignoreInvalidURLs` is false', () => {
    expect(batch({}).invalidURLs).toEqual([])
    expect(batch({ ignoreInvalidURLs: false }).invalidURLs).toBeUndefined()
  })

  it('contains the plan of its pages, and is frozen', () => {
    const plan = batch({ timeout: 2000, formats: ['html'] })
    expect(plan.page).toEqual(planScrape({ timeout: 2000, formats: ['html'] }, defaults))
    expect(unfrozen(plan)).toEqual([])
  })
})

describe('the throttle of a job', () => {
  it('allows the smaller number of pages of job and engine', () => {
    expect(batch({}).throttle).toEqual({ maxConcurrency: 10, delayMs: 0 })
    expect(batch({ maxConcurrency: 3 }).throttle.maxConcurrency).toBe(3)
    expect(batch({ maxConcurrency: 99 }).throttle.maxConcurrency).toBe(10)
  })

  it('allows one page at a time with a `delay`, which it has in milliseconds', () => {
    expect(crawl({ delay: 0.25, maxConcurrency: 5 }).throttle).toEqual({ maxConcurrency: 1, delayMs: 250 })
    expect(v1({ delay: 60 }).throttle).toEqual({ maxConcurrency: 1, delayMs: 60_000 })
  })
})

describe('the plan of a crawl', () => {
  it('has every default of the interface', () => {
    const page = planScrape({}, defaults, true)
    expect(crawl()).toEqual({
      start: 'http://example.com/docs',
      sourceURL: 'example.com/docs',
      limit: 10_000,
      scope: {
        start: 'http://example.com/docs',
        includePaths: [],
        excludePaths: [],
        regexOnFullURL: false,
        crawlEntireDomain: false,
        maxDiscoveryDepth: Infinity,
        maxPathDepth: Infinity,
        ignoreQueryParameters: false,
        deduplicateSimilarURLs: true,
        allowSubdomains: false,
        allowExternalLinks: false,
      },
      sitemap: 'include',
      budget: {},
      retain: true,
      robots: { obey: true, obeyMeta: false, agent: 'trawl' },
      deduplicateContent: false,
      discoverThrough: 0,
      throttle: { maxConcurrency: 10, delayMs: 0 },
      page: {
        ...page,
        starts: ['http://example.com/docs'],
        fetch: { ...page.fetch, headerScope: { namedUrl: 'http://example.com/docs' } },
      },
      warnings: [],
    })
  })

  it('contains the options of the request, with compiled patterns', () => {
    const plan = crawl({
      limit: 5,
      includePaths: ['^/docs/'],
      excludePaths: ['/old/', 'x$'],
      regexOnFullURL: true,
      crawlEntireDomain: true,
      maxDiscoveryDepth: 2,
      ignoreQueryParameters: true,
      deduplicateSimilarURLs: false,
      scrapeOptions: { timeout: 2000 },
    })
    expect(plan.limit).toBe(5)
    expect(plan.scope).toMatchObject({ regexOnFullURL: true, crawlEntireDomain: true, maxDiscoveryDepth: 2 })
    expect(plan.scope).toMatchObject({ ignoreQueryParameters: true, deduplicateSimilarURLs: false })
    expect(plan.scope.excludePaths.map(({ source }) => source)).toEqual(['/old/', 'x$'])
    expect(plan.scope.includePaths[0]?.test('/docs/a')).toBe(true)
    expect(plan.page.fetch.timeoutMs).toBe(2000)
    expect(unfrozen(plan)).toEqual([])
  })
})

describe('the plan of a crawl of version 1', () => {
  it('differs from that of version 2 only in its defaults', () => {
    const { page, ...rest } = v1()
    const two = crawl({ scrapeOptions: { maxAge: 0, skipTlsVerification: false, proxy: 'basic' } })
    expect(rest.scope).toEqual({ ...two.scope, maxPathDepth: 10 })
    expect(page).toEqual(two.page)
    expect(page.cache.read).toBe(false)
    expect(unfrozen(v1())).toEqual([])
  })

  it('prefers given options to its defaults', () => {
    const options = { formats: ['links', 'rawHtml'], maxAge: 1000, skipTlsVerification: true }
    const { page, scope } = v1({ maxDepth: 3, scrapeOptions: options })
    expect(scope.maxPathDepth).toBe(3)
    expect(page.cache.maxAgeMs).toBe(1000)
    expect(page.fetch.skipTlsVerification).toBe(true)
    expect(page.digest.convert.formats).toEqual([{ type: 'links' }, { type: 'rawHtml' }])
  })

  it('follows links upward with `allowBackwardLinks`, unless `crawlEntireDomain` is given', () => {
    expect(v1({ allowBackwardLinks: true }).scope.crawlEntireDomain).toBe(true)
    expect(v1({ allowBackwardLinks: true, crawlEntireDomain: false }).scope.crawlEntireDomain).toBe(false)
    expect(v1().scope.crawlEntireDomain).toBe(false)
  })
})
