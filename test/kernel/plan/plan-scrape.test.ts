import { describe, expect, it } from 'vitest'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { planScrape } from '../../../src/kernel/plan/scrape/plan-scrape.js'
import { checkScrapeOptions } from '../../../src/kernel/options/check.js'
import type { ScrapeOptions } from '../../../src/kernel/options/scrape-options.js'
import { defaults, unfrozen } from './plans.js'

const plan = (options: unknown = {}) => planScrape(checkScrapeOptions(options), defaults)

describe('the plan of a page', () => {
  it('has every default of the interface', () => {
    expect(plan()).toEqual({
      cache: { read: true, maxAgeMs: 172_800_000, write: true, timeoutMs: 30_000, variant: expect.any(String) },
      fetch: {
        headers: {},
        skipTlsVerification: true,
        timeoutMs: 30_000,
        fetcher: 'auto',
        proxy: 'auto',
        needsBrowser: [],
        emulation: { mobile: false, languages: ['en-US', 'en'], timeZone: 'America/New_York' },
        browser: { waitForMs: 0, actions: [], captures: {}, blockAds: true },
      },
      digest: {
        parse: defaults.parse,
        extract: { onlyMainContent: true, visibleOnly: true, includeTags: [], excludeTags: [] },
        convert: { formats: [{ type: 'markdown' }], removeBase64Images: true },
        fingerprint: false,
      },
      enrich: { formats: [] },
      enhancedCredits: 4,
    })
  })

  it('contains the options of the request, and each format once, as an object', () => {
    const attributes = { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }
    const { fetch, digest } = plan({
      formats: ['links', attributes, { type: 'links' }],
      headers: { Cookie: 'a=b' },
      timeout: 1000,
      skipTlsVerification: true,
      onlyMainContent: false,
      includeTags: ['main'],
      excludeTags: ['nav'],
      removeBase64Images: false,
    })
    expect(fetch).toMatchObject({ headers: { Cookie: 'a=b' }, skipTlsVerification: true, timeoutMs: 1000 })
    expect(digest.extract).toEqual({
      onlyMainContent: false,
      visibleOnly: true,
      includeTags: ['main'],
      excludeTags: ['nav'],
      fidelity: false,
    })
    expect(digest.convert).toEqual({ formats: [{ type: 'links' }, attributes], removeBase64Images: false })
    expect(plan({ formats: [] }).digest.convert.formats).toEqual([])
  })

  it('compares the content with the page where something shows the content', () => {
    const isCompared = (options: unknown): boolean => plan(options).digest.extract.fidelity !== false
    expect(isCompared({})).toBe(true)
    expect(isCompared({ formats: ['links', 'html'] })).toBe(true)
    expect(isCompared({ formats: ['chunks'] })).toBe(true)
    expect(isCompared({ formats: ['links'], trace: true })).toBe(true)
    expect(isCompared({ formats: ['links'], parsers: [{ type: 'pdf', pages: true }] })).toBe(true)
    expect(isCompared({ formats: ['links', 'images', 'rawHtml'] })).toBe(false)
  })

  it('is deeply frozen, and leaves the defaults unfrozen', () => {
    expect(unfrozen(plan({ headers: { a: 'b' }, includeTags: ['a'], formats: ['links'] }))).toEqual([])
    expect(Object.isFrozen(defaults.parse)).toBe(false)
  })

  it('verifies certificates if credentials may be sent, unless `skipTlsVerification` is given', () => {
    expect(plan({ headers: { Cookie: 'a=b' } }).fetch.skipTlsVerification).toBe(false)
    expect(plan({ headers: {} }).fetch.skipTlsVerification).toBe(true)
    expect(plan({ headers: { Cookie: 'a=b' }, skipTlsVerification: true }).fetch.skipTlsVerification).toBe(true)
    const actions: ScrapeOptions = { actions: [{ type: 'scrape' }] }
    expect(planScrape(actions, defaults).fetch.skipTlsVerification).toBe(false)
  })
})

describe('the plan for the cache', () => {
  it('reads pages younger than `maxAge`, and none with 0', () => {
    expect(plan({ maxAge: 5000 }).cache).toMatchObject({ read: true, maxAgeMs: 5000, write: true })
    expect(plan({ maxAge: 0 }).cache).toMatchObject({ read: false, write: true })
  })

  it('reads pages older than `minAge`, and younger than `maxAge` if both are given', () => {
    expect(plan({ minAge: 1 }).cache).toMatchObject({ read: true, minAgeMs: 1, maxAgeMs: Infinity })
    expect(plan({ minAge: 1000, maxAge: 5000 }).cache).toMatchObject({ minAgeMs: 1000, maxAgeMs: 5000 })
    expect(plan().cache).not.toHaveProperty('minAgeMs')
  })

  it('neither reads nor writes pages with headers, actions or a profile', () => {
    const personal: ScrapeOptions[] = [
      { headers: { Cookie: 'a=b' } },
      { actions: [{ type: 'scrape' }] },
      { profile: { name: 'me' } },
    ]
    for (const options of personal) {
      const { cache } = planScrape({ ...options, storeInCache: true }, defaults)
      expect(cache).toMatchObject({ read: false, write: false })
    }
    expect(plan({ storeInCache: false }).cache).toMatchObject({ read: true, write: false })
  })

  it('reads pages of up to two years with `lockdown`', () => {
    const twoYearsMs = 2 * 365 * 24 * 60 * 60 * 1000
    expect(plan({ lockdown: true }).cache).toMatchObject({ read: true, lockdown: true, maxAgeMs: twoYearsMs })
    expect(plan({ lockdown: true, maxAge: 5 }).cache).toMatchObject({ lockdown: true, maxAgeMs: 5 })
    expect(plan({ lockdown: false }).cache).not.toHaveProperty('lockdown')
    const { sitemap, robots } = planCrawl({ url: 'http://a.test/', scrapeOptions: { lockdown: true } }, defaults)
    expect(sitemap).toBe('skip')
    expect(robots.obey).toBe(false)
  })

  it('has a variant for each option to which sites adapt their pages', () => {
    const variants: ScrapeOptions[] = [
      {},
      { mobile: true },
      { blockAds: false },
      { proxy: 'enhanced' },
      { location: { country: 'DE' } },
      { location: { languages: ['de'] } },
    ]
    const names = variants.map((options) => planScrape(options, defaults).cache.variant)
    expect(new Set(names).size).toBe(variants.length)
    const same: ScrapeOptions[] = [{ proxy: 'stealth' }, { proxy: 'enhanced' }]
    expect(new Set(same.map((options) => planScrape(options, defaults).cache.variant)).size).toBe(1)
    expect(plan({ formats: ['html'], onlyMainContent: false, location: { country: 'US-generic' } }).cache.variant).toBe(
      names[0],
    )
  })
})
