import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, memoryCache, type Engine, type EngineConfig } from '../../../src/index.js'
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
  const retry = { maxRetries: 0 }
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http', retry, now: () => nowMs, ...config })
}

afterEach(async () => {
  await engine.close()
  await site.close()
})

const pathsAsked = (): string[] => site.requests.map(({ path }) => path)

describe('lockdown', () => {
  const link = '<a href="/docs/b">b</a><a href="/docs/never">never</a>'
  const pages = {
    '/docs/': `${page('Start')}${link}`,
    '/docs/b': page('B'),
    '/robots.txt': 'User-agent: *\nDisallow: /',
  }

  it('reads only the cache, and requests no page, robots.txt, sitemap or host name', async () => {
    const cache = memoryCache()
    await open(pages, { cache })
    await engine.scrape(site.url('/docs/'))
    await engine.scrape(site.url('/docs/b'))
    const [asked, accepted] = [site.requests.length, site.connections.accepted]
    const job = engine.crawl({ url: site.url('/docs/'), scrapeOptions: { lockdown: true } })
    const { data } = await job.finished()
    expect(data.map(({ metadata }) => metadata.title)).toEqual(['Start', 'B'])
    expect(data.map(({ metadata }) => [metadata.cacheState, metadata.creditsUsed])).toEqual([
      ['hit', 5],
      ['hit', 5],
    ])
    expect(await job.explain(site.url('/docs/never'))).toMatchObject({
      outcome: 'failed',
      attempts: [{ code: 'SCRAPE_LOCKDOWN_CACHE_MISS' }],
    })
    expect(await job.explain(site.url('/docs/unseen'))).toBeDefined()
    await expect(engine.scrape('http://no-such-name.invalid/', { lockdown: true })).rejects.toMatchObject({
      code: 'SCRAPE_LOCKDOWN_CACHE_MISS',
      status: 404,
    })
    expect(site.requests).toHaveLength(asked)
    expect(site.connections.accepted).toBe(accepted)
  })

  it('returns pages and failures of up to two years, and none that were requested for one caller', async () => {
    await open({ '/a': page(), '/b': ({ response }) => void response.writeHead(500).end('no') })
    await engine.scrape(site.url('/a'))
    await engine.scrape(site.url('/b'))
    nowMs += 700 * 24 * 60 * 60 * 1000
    expect((await engine.scrape(site.url('/a'), { lockdown: true })).metadata.statusCode).toBe(200)
    expect((await engine.scrape(site.url('/b'), { lockdown: true })).metadata.statusCode).toBe(500)
    const miss = { code: 'SCRAPE_LOCKDOWN_CACHE_MISS' }
    await expect(engine.scrape(site.url('/a'), { lockdown: true, maxAge: 1000 })).rejects.toMatchObject(miss)
    await expect(engine.scrape(site.url('/a'), { lockdown: true, headers: { a: 'b' } })).rejects.toMatchObject(miss)
    await expect(engine.scrape(site.url('/a'), { lockdown: true, waitFor: 100 })).rejects.toMatchObject(miss)
    nowMs += 40 * 24 * 60 * 60 * 1000
    await expect(engine.scrape(site.url('/a'), { lockdown: true })).rejects.toMatchObject(miss)
    expect(pathsAsked()).toEqual(['/a', '/b'])
  })

  it('is refused with a sitemap that would have to be read', async () => {
    await open({})
    expect(() => engine.crawl({ url: site.url('/'), sitemap: 'only', scrapeOptions: { lockdown: true } })).toThrow(
      /sitemap/,
    )
  })
})
