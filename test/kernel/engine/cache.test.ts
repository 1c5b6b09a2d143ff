import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createEngine, fileCache, type Engine, type EngineConfig } from '../../../src/index.js'
import { type Handler, sendPage } from '../../site/exchange.js'
import { startSite, type Site, type SiteOptions } from '../../site/site.js'

const page = (title = 'Page'): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Some words that are the content.</p></main>`

let site: Site
let engine: Engine
/** What the engine's clock shows. */
let nowMs = 1_000_000

async function open(pages: NonNullable<SiteOptions['pages']>, config: EngineConfig = {}): Promise<void> {
  nowMs = 1_000_000
  site = await startSite({ pages })
  engine = makeEngine(config)
}

const makeEngine = (config: EngineConfig = {}): Engine =>
  createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    retry: { maxRetries: 0 },
    now: () => nowMs,
    ...config,
  })

afterEach(async () => {
  await engine.close()
  await site.close()
})

const pathsAsked = (): string[] => site.requests.map(({ path }) => path)

/** Answers late, with a number that counts up. */
const slow = (delayMs: number): Handler => {
  let count = 0
  return async ({ response }) => {
    count += 1
    await sleep(delayMs)
    response.setHeader('content-type', 'text/html')
    response.end(page(`Answer ${count}`))
  }
}

describe('pages that are requested at once', () => {
  it('are fetched once, over all jobs and calls of an engine', async () => {
    let answer = (): void => undefined
    const gate = new Promise<void>((resolve) => (answer = resolve))
    await open({ '/a': ({ response }) => void gate.then(() => response.end(page('Answer'))) })
    const url = site.url('/a')
    const jobs = [engine.batchScrape({ urls: [url] }), engine.batchScrape({ urls: [site.url('/a#top')] })]
    for (const job of jobs)
      await vi.waitUntil(async () => (await job.status()).total === 1 && site.requests.length > 0, 20_000)
    const calls = [engine.scrape(url), engine.scrape(url, { formats: ['html', 'links'] })]
    await sleep(200)
    answer()
    const documents = await Promise.all([...calls, ...jobs.map(async (job) => (await job.finished()).data[0])])
    expect(pathsAsked()).toEqual(['/a'])
    expect(documents.map((document) => document?.metadata.title)).toEqual(documents.map(() => 'Answer'))
    const states = documents.map((document) => document?.metadata.cacheState)
    expect(states.filter((state) => state === 'miss').length).toBeGreaterThanOrEqual(3)
  })

  it('are fetched for each caller that wants a new page, or whose options differ in more than formats', async () => {
    await open({ '/a': slow(200) })
    const url = site.url('/a')
    await Promise.all([
      engine.scrape(url, { maxAge: 0 }),
      engine.scrape(url, { maxAge: 0 }),
      engine.scrape(url, { mobile: true }),
      engine.scrape(url, { headers: { 'x-a': '1' } }),
      engine.scrape(url),
    ])
    expect(pathsAsked()).toHaveLength(5)
  })

  it('are returned to callers that still wait when another caller times out or aborts', async () => {
    await open({ '/a': slow(2000) })
    const url = site.url('/a')
    const leaving = new AbortController()
    const short = engine.scrape(url, { timeout: 1000 })
    const left = engine.scrape(url, {}, { signal: leaving.signal })
    const long = engine.scrape(url)
    setTimeout(() => leaving.abort(new Error('never mind')), 200)
    await expect(left).rejects.toThrow('never mind')
    await expect(short).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect((await long).metadata.title).toBe('Answer 1')
    expect(pathsAsked()).toEqual(['/a'])
  })
})

describe('a page that has become too old', () => {
  const versioned: Handler = ({ request, response }) => {
    const isKnown = request.headers['if-none-match'] === '"v1"'
    response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'content-type': 'text/html', 'x-asked': String(isKnown) })
    response.end(isKnown ? undefined : page())
  }

  it('is revalidated by a 304, which counts as a fresh scrape', async () => {
    await open({ '/a': versioned, '/old': ({ response }) => void response.writeHead(302, { location: '/a' }).end() })
    const url = site.url('/old')
    const first = await engine.scrape(url, { maxAge: 1000 })
    nowMs += 5000
    const second = await engine.scrape(url, { maxAge: 1000 })
    expect(site.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      undefined,
      undefined,
      '"v1"',
    ])
    expect(second.markdown).toBe(first.markdown)
    expect(second.metadata).toMatchObject({ statusCode: 200, cacheState: 'miss', url: site.url('/a') })
    expect(second.metadata).not.toHaveProperty('error')
    expect(second.metadata).not.toHaveProperty('cachedAt')
    nowMs += 900
    const third = await engine.scrape(url, { maxAge: 1000 })
    expect(third.metadata).toMatchObject({ cacheState: 'hit', cachedAt: new Date(nowMs - 900).toISOString() })
  })

  it('is replaced if the site has a new version', async () => {
    let version = 1
    await open({
      '/a': ({ request, response }) => {
        const isKnown = request.headers['if-none-match'] === `"v${version}"`
        response.writeHead(isKnown ? 304 : 200, { etag: `"v${version}"`, 'content-type': 'text/html' })
        response.end(isKnown ? undefined : page(`Version ${version}`))
      },
    })
    await engine.scrape(site.url('/a'), { maxAge: 10 })
    version = 2
    nowMs += 100
    expect((await engine.scrape(site.url('/a'), { maxAge: 10 })).metadata.title).toBe('Version 2')
  })

  it('is fetched without validators if the 304 is about another page', async () => {
    await open({
      '/a': ({ request, response }) => {
        const isAsked = request.headers['if-none-match'] !== undefined
        response.writeHead(isAsked ? 304 : 200, { etag: isAsked ? '"other"' : '"v1"', 'content-type': 'text/html' })
        response.end(isAsked ? undefined : page())
      },
    })
    await engine.scrape(site.url('/a'), { maxAge: 10 })
    nowMs += 100
    expect((await engine.scrape(site.url('/a'), { maxAge: 10 })).metadata).toMatchObject({
      statusCode: 200,
      title: 'Page',
    })
    expect(pathsAsked()).toHaveLength(3)
  })

  it('is revalidated by its date if it has no ETag, and not with `maxAge: 0`', async () => {
    const date = 'Tue, 15 Nov 1994 12:45:26 GMT'
    await open({
      '/a': ({ response }) =>
        void response.writeHead(200, { 'last-modified': date, 'content-type': 'text/html' }).end(page()),
    })
    await engine.scrape(site.url('/a'), { maxAge: 10 })
    nowMs += 100
    await engine.scrape(site.url('/a'), { maxAge: 10 })
    nowMs += 100
    await engine.scrape(site.url('/a'), { maxAge: 0 })
    expect(site.requests.map(({ headers }) => headers['if-modified-since'])).toEqual([undefined, date, undefined])
  })
})

describe('staleIfErrorMs', () => {
  const failing = (times: number, fail: Handler): Handler => {
    let count = 0
    return (exchange) => {
      count += 1
      return count > times ? fail(exchange) : sendPage(exchange, page())
    }
  }
  const reset: Handler = ({ response }) => void response.destroy()
  const refuse: Handler = ({ response }) =>
    void response.writeHead(503, { 'content-type': 'text/html' }).end(page('Sorry'))

  it.each([
    ['breaks off', reset],
    ['answers 503', refuse],
    ['hangs', () => undefined],
  ] as [string, Handler][])('returns an older copy, with a warning, if the site %s', async (_how, fail) => {
    await open({ '/a': failing(1, fail) }, { staleIfErrorMs: 10_000 })
    const options = { maxAge: 1000, timeout: 2000 }
    await engine.scrape(site.url('/a'), options)
    nowMs += 5000
    const { metadata, markdown, warning } = await engine.scrape(site.url('/a'), options)
    expect(markdown).toContain('# Page')
    expect(metadata).toMatchObject({ statusCode: 200, cacheState: 'hit', cachedAt: new Date(1_000_000).toISOString() })
    expect(warning).toMatch(/^The site could not give the page \(.+\): this is an older copy\.$/)
  })

  it('returns no copy that is older, and none if it is off', async () => {
    await open({ '/a': failing(1, reset) }, { staleIfErrorMs: 1000 })
    await engine.scrape(site.url('/a'), { maxAge: 1000 })
    nowMs += 2000
    await expect(engine.scrape(site.url('/a'), { maxAge: 1000 })).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })

  it('does not hide that a page is gone', async () => {
    await open({ '/a': failing(1, ({ response }) => void response.writeHead(404).end()) }, { staleIfErrorMs: 1e6 })
    await engine.scrape(site.url('/a'), { maxAge: 1000 })
    nowMs += 5000
    expect((await engine.scrape(site.url('/a'), { maxAge: 1000 })).metadata.statusCode).toBe(404)
    await expect(engine.scrape(site.url('/a'), { minAge: 5000 })).rejects.toMatchObject({
      code: 'SCRAPE_NO_CACHED_DATA',
    })
  })
})

describe('the cache of an engine', () => {
  it('keeps a page and a later failure, and returns the one that is requested', async () => {
    let isUp = true
    await open({
      '/a': ({ response }) => void response.writeHead(isUp ? 200 : 500, { 'content-type': 'text/html' }).end(page()),
    })
    await engine.scrape(site.url('/a'))
    isUp = false
    nowMs += 100
    expect((await engine.scrape(site.url('/a'), { maxAge: 0 })).metadata.statusCode).toBe(500)
    expect((await engine.scrape(site.url('/a'))).metadata).toMatchObject({ statusCode: 200, cacheState: 'hit' })
    expect((await engine.scrape(site.url('/a'), { minAge: 1 })).metadata.statusCode).toBe(200)
    expect((await engine.scrape(site.url('/a'), { maxAge: 50, minAge: 1 })).metadata.statusCode).toBe(500)
  })

  it.each([400, 401, 403, 404, 429, 500, 503])('returns a stored answer %i for `minAge` only', async (statusCode) => {
    await open({
      '/a': ({ response }) => void response.writeHead(statusCode, { 'content-type': 'text/html' }).end(page()),
    })
    const fetched = await engine.scrape(site.url('/a'))
    const { metadata, warning } = await engine.scrape(site.url('/a'), { minAge: 1 })
    expect(metadata).toMatchObject({ statusCode, cacheState: 'hit' })
    expect(warning).toBe(fetched.warning)
    await engine.scrape(site.url('/a'))
    expect(pathsAsked()).toEqual(['/a', '/a'])
  })

  it('survives the engine in a folder, and gives the same document', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const long = `<title>Long</title><main><h1>Long</h1>${'<p>Many words, and <a href="/b">a link</a> among them.</p>'.repeat(200)}</main>`
    await open({ '/a': long }, { cache: folder })
    const formats = ['markdown', 'html', 'links', 'rawHtml'] as const
    const first = await engine.scrape(site.url('/a'), { formats })
    await engine.close()
    engine = makeEngine({ cache: fileCache({ folder }) })
    const second = await engine.scrape(site.url('/a'), { formats })
    const { metadata: before, ...fields } = first
    const { metadata: after, ...again } = second
    expect(again).toEqual(fields)
    expect({ ...after, cacheState: 'miss', scrapeId: '', cachedAt: undefined }).toEqual({ ...before, scrapeId: '' })
    expect(after.cacheState).toBe('hit')
    expect(pathsAsked()).toEqual(['/a'])
    await rm(folder, { recursive: true })
  })
})
