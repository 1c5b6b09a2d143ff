import { describe, expect, it } from 'vitest'
import { defineFeature, memoryCache, memoryStore } from '../../../src/index.js'
import { startSite } from '../../site/site.js'
import { fakeSite, hang, openWith, readAll } from './fake-site.js'

const pages = {
  '/': '<h1>Shop</h1><a href="/lamp">Lamp</a>',
  '/lamp': '<h1>Lamp</h1>',
  '/moved': { status: 302, headers: { location: '/lamp' } },
}

/** A feature that signs the requests for one page. */
const signing = defineFeature({
  name: 'signing',
  request: ({ url }) => (url.endsWith('/lamp') ? { headers: { 'X-Signed': `for ${url}` } } : undefined),
})

describe('a feature that changes requests', () => {
  it('adds, replaces and removes headers of the request for a page', async () => {
    const site = fakeSite(pages)
    const seen: object[] = []
    const changing = defineFeature({
      name: 'changing',
      request({ url, headers }) {
        seen.push({ url, headers: { ...headers } })
        return { headers: { 'x-new': '1', 'X-Mine': `${headers['x-mine']}!`, 'x-away': undefined } }
      },
    })
    const last = { name: 'last', request: ({ headers }: { headers: object }) => void seen.push(headers) }
    await using engine = openWith([site.feature, changing, last])
    await engine.scrape('https://shop.test/', { headers: { 'X-Mine': 'a', 'X-Away': 'b' } })
    expect(seen).toEqual([
      { url: 'https://shop.test/', headers: { 'x-mine': 'a', 'x-away': 'b' } },
      { 'x-mine': 'a!', 'x-new': '1' },
    ])
    const [{ headers } = { headers: {} }] = site.requests
    expect(headers).toMatchObject({ 'x-new': '1', 'x-mine': 'a!' })
    expect(headers).not.toHaveProperty('x-away')
  })

  it('is asked about each page of a job and each attempt, and not about robots.txt', async () => {
    const asked: string[] = []
    let failures = 1
    const site = fakeSite({
      ...pages,
      get '/lamp'() {
        return failures-- > 0 ? { status: 503 } : '<h1>Lamp</h1>'
      },
    })
    const counting = { name: 'counting', request: ({ url }: { url: string }) => void asked.push(new URL(url).pathname) }
    await using engine = openWith([site.feature, counting], { retry: { maxRetries: 1, backoffMs: 1 } })
    await readAll(engine.crawl({ url: 'https://shop.test/', sitemap: 'skip' }))
    expect(asked.toSorted()).toEqual(['/', '/lamp', '/lamp'])
  })

  it('keeps its headers from other hosts, and leaves those of the caller in their scope', async () => {
    const other = await startSite({ pages: { '/': '<p>Other' } })
    const site = fakeSite({ '/lamp': { status: 302, headers: { location: other.url('/') } } })
    await using engine = openWith([site.feature, signing], { allowPrivateNetworks: true })
    await engine.scrape('https://shop.test/lamp')
    expect(site.requests[0]?.headers['x-signed']).toBe('for https://shop.test/lamp')
    expect(other.requests[0]?.headers['x-signed']).toBeUndefined()
    await other.close()
  })

  it('keeps a page that it changes out of the cache, and leaves the others in it', async () => {
    const site = fakeSite(pages)
    const cache = memoryCache()
    await using without = openWith([site.feature], { cache })
    await using engine = openWith([site.feature, signing], { cache })
    const scrape = (path: string, by = engine) => by.scrape(`https://shop.test${path}`, { maxAge: 60_000 })
    await scrape('/lamp', without)
    expect((await scrape('/lamp')).metadata.cacheState).toBeUndefined()
    expect((await scrape('/lamp')).metadata.cacheState).toBeUndefined()
    expect(site.requests.filter(({ headers }) => headers['x-signed'])).toHaveLength(2)
    for (const cacheState of ['miss', 'hit']) expect((await scrape('/')).metadata.cacheState).toBe(cacheState)
    expect((await scrape('/lamp', without)).metadata.cacheState).toBe('hit')
    await expect(engine.scrape('https://shop.test/lamp', { lockdown: true })).rejects.toMatchObject({
      code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
    })
  })

  it('leaves a page in the cache whose headers stay as they are', async () => {
    const site = fakeSite(pages)
    const idle = defineFeature({ name: 'idle', request: () => ({ headers: { 'x-away': undefined } }) })
    await using engine = openWith([site.feature, idle], { cache: memoryCache() })
    for (const cacheState of ['miss', 'hit']) {
      const { metadata } = await engine.scrape('https://shop.test/', { maxAge: 60_000 })
      expect(metadata.cacheState).toBe(cacheState)
    }
  })

  it('warns on an unchanged page as well, where the page can do without it', async () => {
    const site = fakeSite(pages)
    const failing = { name: 'failing', optional: true, request: () => Promise.reject(new Error('no key')) }
    await using engine = openWith([site.feature, failing], { snapshots: memoryStore() })
    const crawl = (request: object = {}) =>
      readAll(engine.crawl({ url: 'https://shop.test/', sitemap: 'skip', ...request }))
    await crawl()
    const documents = await crawl({ since: 'last' })
    expect(documents.map(({ changeTracking }) => changeTracking?.changeStatus)).toEqual(['same', 'same'])
    for (const { warning } of documents) expect(warning).toBe('Feature `failing` failed: no key.')
  })

  it('has pages share no request with those of others', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, signing], { cache: memoryCache() })
    await Promise.all([1, 2].map(() => engine.scrape('https://shop.test/lamp')))
    expect(site.requests).toHaveLength(2)
  })

  it('changes the request of a browser', async () => {
    const site = await startSite({ pages: { '/': '<p>One' } })
    const changing = defineFeature({ name: 'changing', request: () => ({ headers: { 'x-new': '1' } }) })
    await using engine = openWith([changing], { allowPrivateNetworks: true, fetcher: 'browser' })
    await engine.scrape(site.url('/'))
    expect(site.requests.find(({ path }) => path === '/')?.headers['x-new']).toBe('1')
    await site.close()
  })
})

const failing: readonly (readonly [string, () => unknown, string])[] = [
  ['throws', () => Promise.reject(new Error('no key')), 'no key'],
  ['returns a text', () => 'x: y', 'its `request` returned "x: y": an object with `headers`, or undefined'],
  ['returns another URL', () => ({ url: 'https://other.test/' }), 'its `request` returned an object'],
  ['returns a list', () => ({ headers: [['a', 'b']] }), '`headers` that are no object with a string for each name'],
  ['returns `Headers`', () => ({ headers: new Headers({ a: 'b' }) }), '`headers` that are no object'],
  ['returns a number', () => ({ headers: { 'x-a': 5 } }), 'the header `x-a` with what is no string of one line'],
  ['returns two lines', () => ({ headers: { 'x-a': 'secret\r\nb: c' } }), 'the header `x-a` with what is no string'],
  ['returns a name that is none', () => ({ headers: { 'x a': 'b' } }), 'a header with the name "x a"'],
  ['returns a header of the connection', () => ({ headers: { Host: 'b' } }), 'a header with the name "Host"'],
  ['returns headers without end', () => ({ headers: { a: 'b'.repeat(1e6) } }), 'headers of 1000001 characters'],
]

describe('a `request` that fails', () => {
  it.each(failing)('as it %s ends its page, by its name, and not the job', async (_, request, message) => {
    const site = fakeSite(pages)
    const broken = {
      name: 'broken',
      request: ({ url }: { url: string }) => (url.endsWith('/lamp') ? request() : undefined),
    }
    await using engine = openWith([site.feature, broken])
    const error = await engine.scrape('https://shop.test/lamp').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'FEATURE_FAILED',
      message: expect.stringContaining(`feature \`broken\` failed: `) as string,
    })
    expect((error as Error).message).toContain(message)
    expect((error as Error).message).not.toContain('secret')
    const job = engine.batchScrape({ urls: ['https://shop.test/', 'https://shop.test/lamp'] })
    await readAll(job)
    expect(await job.status()).toMatchObject({ status: 'completed', completed: 1, failed: 1 })
    expect(site.paths()).not.toContain('/lamp')
  })

  it('is a warning if the page can do without it', async () => {
    const site = fakeSite(pages)
    const broken = { name: 'broken', optional: true, request: () => Promise.reject(new Error('no key')) }
    await using engine = openWith([site.feature, broken, signing])
    const { warning } = await engine.scrape('https://shop.test/lamp')
    expect(warning).toBe('Feature `broken` failed: no key.')
    expect(site.requests[0]?.headers['x-signed']).toBeDefined()
  })

  it.each([true, false])('as it hangs ends its page at its time, optional: %s', async (optional) => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'stuck', optional, request: hang }])
    const timeout = {
      code: 'SCRAPE_TIMEOUT',
      message: expect.stringContaining('feature `stuck` had not ended') as string,
    }
    await expect(engine.scrape('https://shop.test/', { timeout: 1000 })).rejects.toMatchObject(timeout)
  })

  it('as it changes what it is given changes nothing', async () => {
    const site = fakeSite(pages)
    const sly = {
      name: 'sly',
      request(asked: { url: string; headers: Record<string, string> }) {
        asked.url = 'https://other.test/'
        asked.headers['x-sly'] = '1'
      },
    }
    await using engine = openWith([site.feature, sly])
    expect((await engine.scrape('https://shop.test/')).metadata.url).toBe('https://shop.test/')
    expect(site.requests[0]?.headers['x-sly']).toBeUndefined()
  })
})
