import { afterEach, describe, expect, it } from 'vitest'
import { createEngine, memoryCache, type Engine, type EngineConfig, type PageCache } from '../../../src/index.js'
import { startSite, type Site, type SiteOptions } from '../../site/site.js'

const page = '<!doctype html><title>The title</title><main><h1>Page</h1><p>Some words that are the content.</p></main>'

let site: Site
let engine: Engine

async function open(pages: NonNullable<SiteOptions['pages']>, config: EngineConfig = {}): Promise<void> {
  site = await startSite({ pages })
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { maxRetries: 0 }, ...config })
}

afterEach(async () => {
  await engine.close()
  await site.close()
})

describe('a document', () => {
  it('ignores meta tags with the names of fields that only the scrape sets', async () => {
    const names = ['error', 'cacheState', 'cachedAt', 'depth', 'discoveredFrom', 'noindex', 'statusCode', 'keywords']
    await open({ '/a': names.map((name) => `<meta name="${name}" content="forged">`).join('') }, { cache: false })
    const { metadata } = await engine.scrape(site.url('/a'))
    expect(Object.keys(metadata).filter((name) => metadata[name] === 'forged')).toEqual(['keywords'])
  })
})

describe('a cache that hangs', () => {
  it('costs a page of little time a share of it', async () => {
    const hanging: PageCache = { ...memoryCache(), get: () => new Promise(() => undefined) }
    await open({ '/a': page }, { cache: hanging })
    const document = await engine.scrape(site.url('/a'), { timeout: 5000 })
    expect(document.markdown).toContain('# Page')
    expect(document.warning).toContain('The cache could not be read: it took longer than 500 ms.')
  })

  it('fails no page that has time left', async () => {
    const hanging: PageCache = { ...memoryCache(), get: () => new Promise(() => undefined) }
    await open({ '/a': page }, { cache: hanging })
    const document = await engine.scrape(site.url('/a'))
    expect(document.markdown).toContain('# Page')
    const silent = 'it took longer than 3000 ms'
    expect(document.warning).toBe(
      `The cache could not be read: ${silent}. The page could not be cached: ${silent} for an earlier call, and is not asked for a moment.`,
    )
  })

  it('does not fail a page that it cannot store in time, and adds a warning', async () => {
    const hanging: PageCache = { ...memoryCache(), set: () => new Promise(() => undefined) }
    await open({ '/a': page }, { cache: hanging })
    const document = await engine.scrape(site.url('/a'), { timeout: 1000 })
    expect(document.markdown).toContain('# Page')
    expect(document.warning).toMatch(/^The page could not be cached: it took longer than \d+ ms\.$/)
  })
})
