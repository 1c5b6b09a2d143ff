import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdFilter } from '../../src/features/browser/ad-block/ad-filter.js'
import { createEngine, type Engine } from '../../src/index.js'
import { adRequests, type AskedAs } from '../site/ad-requests.js'
import { type AdSite, adsOf, ANSWERED, contentOf, pagesForAll, pageUrl, startAdSite } from '../site/ad-site.js'

/**
 * What `blockAds` stops with the list that every engine has. The requests are those of `test/site/ad-requests.ts`; pages
 * load them as the web does, beside content of their own under names that a filter is tempted by.
 */

const isWhole = process.env['BARS'] === 'whole'
const pages = isWhole ? 100 : 6
/** Pages that are loaded without a filter, to see that they ask for what is to be stopped. */
const freePages = isWhole ? pagesForAll : 2

/** What the browser calls a request. */
const resourceTypes: Readonly<Record<AskedAs, string>> = {
  script: 'script',
  image: 'image',
  frame: 'document',
  fetch: 'fetch',
  beacon: 'ping',
}

let site: AdSite
let engine: Engine
beforeAll(async () => {
  site = await startAdSite()
  engine = createEngine({
    fetcher: 'browser',
    allowPrivateNetworks: true,
    threads: 0,
    proxies: { basic: [site.proxy] },
    retry: { maxRetries: 0 },
  })
})
afterAll(async () => {
  await engine.close()
  await site[Symbol.asyncDispose]()
})

/** Loads pages from a number on, and gives what they asked for. */
async function load(count: number, blockAds: boolean, waitFor = 0): Promise<ReadonlyMap<string, number>> {
  const before = site.asked.length
  const urls = Array.from({ length: count }, (_, nth) => pageUrl(nth))
  const job = engine.batchScrape({
    urls,
    blockAds,
    waitFor,
    // A page is taken when its text is there: what a slow machine asks for later would not be seen.
    actions: [{ type: 'wait', selector: ANSWERED }],
    skipTlsVerification: true,
    formats: ['markdown'],
    timeout: 120_000,
  })
  let done = 0
  for await (const { markdown } of job) {
    expect(markdown).toMatch(/is what a reader came for/)
    done += 1
  }
  expect(done).toBe(count)
  const times = new Map<string, number>()
  for (const asked of site.asked.slice(before)) times.set(asked, (times.get(asked) ?? 0) + 1)
  return times
}

const all = (count: number, of: (nth: number) => readonly string[]): string[] =>
  Array.from({ length: count }, (_, nth) => of(nth)).flat()

describe('advertisements and trackers', () => {
  it('are many, and of many hosts', () => {
    expect(adRequests.length).toBeGreaterThan(250)
    expect(new Set(adRequests.map(({ url }) => new URL(url).hostname)).size).toBeGreaterThan(150)
  })

  it('are known to the own list, 95 of 100', async () => {
    const source = createAdFilter({ adLists: [], getList: () => Promise.reject(new Error('none')), now: Date.now })
    const filter = await source.load(AbortSignal.timeout(20_000))
    const from = 'https://news.example/'
    const through = adRequests.filter(
      ({ as, url }) => !filter.blocks({ url, pageUrl: from, resourceType: resourceTypes[as] }),
    )
    const most = Math.floor(adRequests.length * 0.05)
    expect(through.length, through.map(({ url }) => url).join(' ')).toBeLessThanOrEqual(most)
  })

  it('are asked for by the pages, where nothing is blocked', { timeout: 600_000 }, async () => {
    const asked = await load(freePages, false, isWhole ? 10_000 : 3000)
    const ads = [...new Set(all(freePages, adsOf))]
    const missing = ads.filter((url) => !asked.has(url))
    expect(missing.length, missing.join(' ')).toBeLessThanOrEqual(ads.length * 0.1)
  })

  it('are stopped, 95 of 100, and nothing of the content is', { timeout: 900_000 }, async () => {
    const asked = await load(pages, true)
    const ads = all(pages, adsOf)
    const through = [...new Set(ads)].reduce((sum, url) => sum + (asked.get(url) ?? 0), 0)
    const stopped = 1 - through / ads.length
    const content = all(pages, contentOf)
    const missing = [...new Set(content)].filter((url) => !asked.has(url))
    console.log(
      `${pages} pages, ${ads.length} requests for ads: ${(stopped * 100).toFixed(1)}% stopped; ${content.length} for content`,
    )
    expect(stopped).toBeGreaterThanOrEqual(0.95)
    expect(missing).toEqual([])
    // Nothing else is asked for than what is known.
    const known = new Set([...content, ...ads, ...all(pages, (nth) => [pageUrl(nth).slice(8)])])
    expect([...asked.keys()].filter((url) => !known.has(url) && !url.endsWith('/favicon.ico'))).toEqual([])
  })
})
