import { describe, expect, it } from 'vitest'
import type { CachePlan, PageCache } from '../../../src/kernel/cache/cache.js'
import { cacheKey } from '../../../src/kernel/cache/cache-key.js'
import { memoryCache } from '../../../src/kernel/cache/caches/index.js'
import { recall } from '../../../src/kernel/cache/recall.js'
import { remember } from '../../../src/kernel/cache/remember.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import { fetchedPage } from '../../contracts/cache.contract.js'

const url = 'http://site.test/page'
const NOW_MS = 10_000
const plan = (more: Partial<CachePlan> = {}): CachePlan => ({
  read: true,
  write: true,
  maxAgeMs: 5000,
  variant: '',
  ...more,
})

async function holding(page: Partial<FetchedPage>, variant = ''): Promise<PageCache> {
  const cache = memoryCache()
  await remember(url, fetchedPage(page), plan({ variant }), cache)
  return cache
}

const broken: PageCache = {
  get: () => Promise.reject(new Error('disk on fire')),
  set: () => Promise.reject(new Error('disk on fire')),
  delete: async () => undefined,
  close: async () => undefined,
}

describe('recall', () => {
  it('returns a page that is younger than maxAge', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS - 4999 })
    expect(await recall(url, plan(), cache, NOW_MS)).toMatchObject({ state: 'hit', page: { statusCode: 200 } })
  })

  it('returns a page as old as maxAge only as stale', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS - 5000 })
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({
      state: 'miss',
      stale: fetchedPage({ fetchedAtMs: NOW_MS - 5000 }),
    })
  })

  it.each([
    [4999, 'hit'],
    [5000, 'miss'],
  ])('takes a page that a clock has dated %i ms ahead for one that is as old: %s', async (aheadMs, state) => {
    const cache = await holding({ fetchedAtMs: NOW_MS + aheadMs })
    expect(await recall(url, plan(), cache, NOW_MS)).toMatchObject({ state })
  })

  it('does not read the cache, and returns no state, when the plan bypasses it', async () => {
    expect(await recall(url, plan({ read: false }), broken, NOW_MS)).toEqual({})
    expect(await recall(url, plan(), undefined, NOW_MS)).toEqual({})
  })

  it('returns a page at least as old as minAge, and rejects with SCRAPE_NO_CACHED_DATA otherwise', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS - 3000 })
    const old = plan({ minAgeMs: 3000 })
    expect(await recall(url, old, cache, NOW_MS)).toMatchObject({ state: 'hit' })
    await expect(recall(url, plan({ minAgeMs: 3001 }), cache, NOW_MS)).rejects.toMatchObject({
      code: 'SCRAPE_NO_CACHED_DATA',
      status: 404,
      url,
    })
    await expect(recall(url, old, undefined, NOW_MS)).rejects.toMatchObject({ code: 'SCRAPE_NO_CACHED_DATA' })
    // No page has an age in this window.
    await expect(recall(url, plan({ minAgeMs: 3000, maxAgeMs: 1000 }), cache, NOW_MS)).rejects.toThrow(
      'is at least 3000 ms and less than `maxAge`, 1000 ms, old',
    )
  })

  it('returns a page of any age with minAge 1', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS })
    expect(await recall(url, plan({ minAgeMs: 1 }), cache, NOW_MS)).toMatchObject({ state: 'hit' })
  })

  it('returns an error page only with minAge', async () => {
    const cache = await holding({ statusCode: 503, fetchedAtMs: NOW_MS - 10 })
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({ state: 'miss' })
    expect(await recall(url, plan({ minAgeMs: 1 }), cache, NOW_MS)).toMatchObject({ page: { statusCode: 503 } })
  })

  it('distinguishes variants of a page', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS }, 'mobile')
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({ state: 'miss' })
    expect(await recall(url, plan({ variant: 'mobile' }), cache, NOW_MS)).toMatchObject({ state: 'hit' })
  })

  it('returns a warning when the cache fails', async () => {
    expect(await recall(url, plan(), broken, NOW_MS)).toEqual({
      state: 'miss',
      warning: 'the cache could not be read: disk on fire',
    })
    expect(await remember(url, fetchedPage(), plan(), broken)).toBe('the page could not be cached: disk on fire')
    const why = '(the cache could not be read: disk on fire)'
    await expect(recall(url, plan({ minAgeMs: 1 }), broken, NOW_MS)).rejects.toThrow(why)
    await expect(recall(url, plan({ lockdown: true }), broken, NOW_MS)).rejects.toThrow(why)
  })

  it.each([
    ['a body that went through JSON', { body: { 0: 60 } }],
    ['no URL', { url: undefined }],
    ['no headers', { headers: null }],
    ['no time', { fetchedAtMs: 1e20 }],
    ['nothing of a page', 'text'],
  ])('misses, with a warning, when the cache returns a page with %s', async (_fault, garbage) => {
    const page: unknown =
      typeof garbage === 'string' ? garbage : { ...fetchedPage({ fetchedAtMs: NOW_MS }), ...garbage }
    const cache: PageCache = { ...broken, get: async () => page as FetchedPage }
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({
      state: 'miss',
      warning: 'the cache returned a value that is not a page',
    })
  })

  it('neither stores nor looks up a URL with a user name, and removes it from messages', async () => {
    const own = 'http://user@site.test/page'
    const cache = memoryCache()
    expect(await remember(own, fetchedPage({ fetchedAtMs: NOW_MS }), plan(), cache)).toBeUndefined()
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({ state: 'miss' })
    await remember(url, fetchedPage({ fetchedAtMs: NOW_MS }), plan(), cache)
    expect(await recall(own, plan(), cache, NOW_MS)).toEqual({})
    await expect(recall(own, plan({ lockdown: true }), cache, NOW_MS)).rejects.toMatchObject({
      code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
      message: expect.not.stringContaining('user'),
      url,
    })
  })

  it('stores an error page beside the last good page, except 410, which deletes the good page', async () => {
    const cache = await holding({ fetchedAtMs: NOW_MS - 10 })
    await remember(url, fetchedPage({ statusCode: 500, fetchedAtMs: NOW_MS - 5 }), plan(), cache)
    expect(await recall(url, plan(), cache, NOW_MS)).toMatchObject({ page: { statusCode: 200 } })
    await remember(url, fetchedPage({ statusCode: 410, fetchedAtMs: NOW_MS - 1 }), plan(), cache)
    expect(await recall(url, plan(), cache, NOW_MS)).toEqual({ state: 'miss' })
    expect(await recall(url, plan({ lockdown: true }), cache, NOW_MS)).toMatchObject({ page: { statusCode: 410 } })
  })

  it('stores nothing when the plan does not write to the cache', async () => {
    expect(await remember(url, fetchedPage(), plan({ write: false }), broken)).toBeUndefined()
  })
})

describe('the security of a stored page', () => {
  const http = 'http://site.test/page'
  const https = 'https://site.test/page'
  const by = { http: [http, {}], https: [https, {}], verified: [https, { verifiesCertificates: true }] } as const
  const hop = { url: http, statusCode: 301 }

  it.each([
    ['http', 'http', 'hit'],
    ['http', 'https', 'miss'],
    ['http', 'verified', 'miss'],
    ['https', 'http', 'hit'],
    ['https', 'https', 'hit'],
    ['https', 'verified', 'miss'],
    ['verified', 'http', 'hit'],
    ['verified', 'https', 'hit'],
    ['verified', 'verified', 'hit'],
  ] as const)('as stored by %s, asked for by %s: %s', async (stored, asked, state) => {
    const cache = memoryCache()
    const [storedUrl, storedPlan] = by[stored]
    const [askedUrl, askedPlan] = by[asked]
    const page = fetchedPage({ url: storedUrl, headers: { etag: '"1"' }, fetchedAtMs: NOW_MS - 10 })
    await remember(storedUrl, page, plan(storedPlan), cache)
    expect((await recall(askedUrl, plan(askedPlan), cache, NOW_MS)).state).toBe(state)
    const old = await recall(askedUrl, plan({ ...askedPlan, maxAgeMs: 5 }), cache, NOW_MS)
    // What may not be given is not revalidated either: its body would be given.
    expect(old.stale !== undefined).toBe(state === 'hit')
    const only = recall(askedUrl, plan({ ...askedPlan, lockdown: true }), cache, NOW_MS)
    await (state === 'hit' ? expect(only).resolves.toBeDefined() : expect(only).rejects.toThrow())
  })

  it('is that of its weakest redirect', async () => {
    const cache = memoryCache()
    for (const [asked, page] of [
      [http, fetchedPage({ url: https, redirects: [hop], fetchedAtMs: NOW_MS - 10 })],
      [https, fetchedPage({ url: https, redirects: [{ ...hop, url: https }, hop], fetchedAtMs: NOW_MS - 10 })],
      [https, fetchedPage({ url: http, redirects: [{ ...hop, url: https }], fetchedAtMs: NOW_MS - 10 })],
    ] as const) {
      await remember(asked, { ...page, secured: 'verified' }, plan(), cache)
      expect((await recall(https, plan(), cache, NOW_MS)).state).toBe('miss')
      expect((await recall(http, plan(), cache, NOW_MS)).state).toBe('hit')
    }
  })
})

describe('cacheKey', () => {
  it('is equal for different spellings of the URL of a page', () => {
    const keys = ['http://site.test', 'https://www.site.test/', 'https://site.test/index.html', 'http://site.test/#top']
    expect(new Set(keys.map((spelling) => cacheKey(spelling, ''))).size).toBe(1)
  })

  it('differs by port, query and client-side route', () => {
    const keys = [
      'http://a.test/',
      'http://a.test:81/',
      'http://a.test/?q=1',
      'http://a.test/#/route',
      'http://a.test/b',
    ]
    expect(new Set(keys.map((spelling) => cacheKey(spelling, ''))).size).toBe(keys.length)
  })
})
