import { describe, expect, it } from 'vitest'
import { createEngine, memoryCache } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

const page = (...links: string[]): string =>
  `<title>T</title><main><p>Some words of the page.</p>${links.map((href) => `<a href="${href}">to it</a>`).join('')}</main>`
const pages = {
  '/docs/': page('/docs/a', '/blog'),
  '/docs/a': page(),
  '/blog': page(),
}
const TELEMETRY = {
  origin: 'js-sdk@4',
  integration: 'x',
  auditMetadata: { user: 'a' },
  __experimental_omce: true,
  __experimental_omceDomain: 'example.org',
  __experimental_engpicker: false,
  __experimental_cache: true,
  __forceFirePDF: false,
  __searchPreviewToken: 'a',
}

describe('fields that clients of the interface send', () => {
  it('are taken by `scrape`, with a warning about those that would have changed the page', async () => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: false })
    const plain = await engine.scrape(site.url('/docs/a'), { ...TELEMETRY, domainTools: false, toolDetail: 'full' })
    expect(plain.warning).toBeUndefined()
    const asked = {
      ...TELEMETRY,
      useMock: 'a',
      threatProtection: { mode: 'strict' },
      domainTools: true,
      safeMode: true,
      knowledgeGraph: true,
    }
    const warning =
      '`useMock`, `domainTools`, `safeMode`, `knowledgeGraph`, `threatProtection.mode` have no effect: only the hosted service has what they ask for.'
    expect((await engine.scrape(site.url('/docs/a'), asked)).warning).toBe(warning)
    const status = await engine.crawl({ url: site.url('/docs/'), origin: 'x', scrapeOptions: asked }).finished()
    expect(status.warnings).toEqual([{ message: warning, pages: 2, url: site.url('/docs/') }])
  })

  it('are refused by `scrape` where they are misspelt', async () => {
    await using engine = createEngine()
    await expect(engine.scrape('https://a.test/', { orgin: 'x' } as object)).rejects.toThrow(/orgin.*origin/)
  })

  it('keep a page out of the cache with `zeroDataRetention`', async () => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: memoryCache() })
    for (let at = 0; at < 2; at++) await engine.scrape(site.url('/docs/a'), { zeroDataRetention: true })
    expect(site.requests.filter(({ path }) => path === '/docs/a')).toHaveLength(2)
    const stored = { zeroDataRetention: true, storeInCache: true }
    await expect(engine.scrape(site.url('/docs/a'), stored)).rejects.toThrow(/storeInCache/)
  })
})
