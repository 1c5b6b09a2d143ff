import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

const page = (...links: string[]): string =>
  `<title>T</title><main><p>Some words of the page.</p>${links.map((href) => `<a href="${href}">to it</a>`).join('')}</main>`
const pages = {
  '/docs/': page('/docs/a', '/blog'),
  '/docs/a': page(),
  '/blog': page(),
  '/slow/': async ({ response }: { response: { end(body: string): void } }) => {
    await sleep(2000)
    response.end(page())
  },
}
const TELEMETRY = { origin: 'js-sdk@4', integration: 'x', auditMetadata: { user: 'a' } }

describe('fields that clients of the interface send', () => {
  it('are taken by `map`: those of version 1, and those that crawls call otherwise', async () => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const map = async (more: object) => {
      const { links, warning } = await engine.map({ url: site.url('/docs/'), ...TELEMETRY, ...more })
      return { paths: links.map(({ url }) => url.slice(site.origin.length)), warning }
    }
    const location = { country: 'DE', languages: ['de'] }
    const silent = {
      timeout: 20_000,
      location,
      headers: { 'x-a': 'b' },
      includeSubdomains: true,
      ignoreCache: true,
      useIndex: true,
    }
    expect(await map(silent)).toEqual({ paths: ['/docs/', '/docs/a'], warning: undefined })
    expect(site.requests.find(({ path }) => path === '/docs/')?.headers).toMatchObject({
      'accept-language': expect.stringContaining('de'),
      'x-a': 'b',
    })
    expect((await map({ filterByPath: false })).paths).toEqual(['/docs/', '/docs/a', '/blog'])
    expect((await map({ filterByPath: true, crawlEntireDomain: true })).paths).toContain('/blog')
    const before = site.requests.length
    await map({ ignoreSitemap: true })
    expect(site.requests.slice(before).some(({ path }) => path.includes('sitemap'))).toBe(false)
    expect((await map({ useMock: 'x' })).warning).toBe(
      '`useMock` has no effect: only the hosted service has what it asks for.',
    )
  })

  it('end a map at its `timeout`', async () => {
    await using site = await startSite({ pages })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    await expect(engine.map({ url: site.url('/slow/'), timeout: 50 })).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })
})
