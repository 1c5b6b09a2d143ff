import { describe, expect, it, vi } from 'vitest'
import { HostRules } from '../../../src/features/host-lists/host-rules.js'
import { createEngine } from '../../../src/index.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'

const page = (...links: string[]): string =>
  `<title>T</title><main><p>Some words of the page.</p>${links.map((href) => `<a href="${href}">to it</a>`).join('')}</main>`

describe('the rules for hosts', () => {
  const rules = (lists: { allow?: string[]; deny?: string[]; domains?: string[] }) => {
    const made = new HostRules({ allow: [], deny: [], domains: [], ...lists })
    return (host: string) => made.refuse(`https://${host}/a`) !== undefined
  }

  it.each([
    ['example.com', 'example.com', true],
    ['example.com', 'EXAMPLE.com.', true],
    ['example.com', 'www.example.com', false],
    ['example.com', 'badexample.com', false],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['ads*.example.com', 'ads7.example.com', true],
    ['ads*.example.com', 'bads7.example.com', false],
    ['a*a', 'a', false],
    ['*ab*ba*', 'x.aba.test', false],
    ['*', 'anything.test', true],
    ['*.müller.de', 'www.xn--mller-kva.de', true],
    ['127.0.0.1', '2130706433', true],
    ['0x7f.1', '127.0.0.1', true],
    ['::1', '[0:0:0:0:0:0:0:1]', true],
  ])('deny by %s: %s, %s', (entry, host, isDenied) => {
    expect(rules({ deny: [entry] })(host)).toBe(isDenied)
  })

  it.each([
    ['zip', 'files.zip', true],
    ['.ZIP', 'files.zip', true],
    ['zip', 'zip.example.com', false],
    ['zip', 'unzip', false],
    ['co.uk', 'a.b.co.uk', true],
    ['co.uk', 'co.uk', true],
    ['рф', 'пример.рф', true],
  ])('deny by the domain %s: %s, %s', (domain, host, isDenied) => {
    expect(rules({ domains: [domain] })(host)).toBe(isDenied)
  })

  it('let `allow` win over the others', () => {
    const isDenied = rules({ allow: ['good.zip', '*.fine.test'], deny: ['*'], domains: ['zip'] })
    expect(['good.zip', 'a.fine.test', 'fine.test', 'bad.zip'].map(isDenied)).toEqual([false, false, true, true])
  })

  it('judge a host by 100,000 names and a long pattern in no time that grows with both', () => {
    const isDenied = rules({
      deny: [...Array.from({ length: 100_000 }, (_, at) => `h${at}.test`), `${'*a'.repeat(100)}*`],
    })
    expect(['h99999.test', `${'a'.repeat(60)}.${'a'.repeat(60)}.test`].map(isDenied)).toEqual([true, true])
  })
})

describe('host lists', () => {
  it('keep all that a crawl requests by itself from going to a denied host: robots.txt, sitemaps, redirects', async () => {
    await using other = await startSite({ pages: { '/sitemap.xml': '<urlset></urlset>' } })
    const denied = (path: string, host = 'localhost'): string => other.url(path).replace('127.0.0.1', host)
    const move = (path: string) => (exchange: Exchange) =>
      exchange.response.writeHead(302, { location: denied(path) }).end()
    const links = [denied('/b'), denied('/c', 'LOCALHOST.'), denied('/d', 'me:secret@localhost'), '/moved']
    await using site = await startSite({
      pages: {
        '/robots.txt': ({ response, request }) =>
          response.end(`Sitemap: ${denied('/sitemap.xml')}\nSitemap: http://${request.headers.host}/own.xml`),
        '/own.xml': move('/moved.xml'),
        '/': page(...links),
        '/moved': move('/e'),
      },
    })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', denyHosts: ['local*'] })
    const job = engine.crawl({ url: site.url('/'), allowExternalLinks: true })
    const { skippedByReason, completed, warning } = await job.finished()
    expect([skippedByReason, completed]).toEqual([{ HOST_DENIED: links.length }, 1])
    expect(warning).toContain('the host localhost is denied')
    expect(other.requests).toEqual([])
  })

  it('of an engine are read once, however many crawls it starts', async () => {
    const refuse = vi.spyOn(HostRules.prototype, 'refuse')
    await using engine = createEngine({ denyHosts: ['denied.test'] })
    const start = () => engine.crawl({ url: 'https://denied.test/' })
    for (let call = 0; call < 3; call += 1) expect(start).toThrow('denied by `denied.test`')
    expect([refuse.mock.calls.length, new Set(refuse.mock.contexts).size]).toEqual([3, 1])
  })

  it('keep the pages of denied hosts from being requested, with the reason in the outcome of each', async () => {
    await using other = await startSite({ pages: { '/b': page() } })
    const denied = other.url('/b').replace('127.0.0.1', 'localhost')
    const move = ({ response }: Exchange) => response.writeHead(302, { location: denied }).end()
    await using site = await startSite({ pages: { '/': page(denied, '/a', '/moved'), '/a': page(), '/moved': move } })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', denyHosts: ['local*'] })
    const job = engine.crawl({ url: site.url('/'), allowExternalLinks: true })
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'completed', completed: 2 })
    const refused = []
    for await (const { url, refusal } of job.urls()) if (refusal) refused.push([url, refusal])
    const HOST = 'the host localhost is denied by `local*`'
    expect(refused).toEqual([
      [denied, { reason: 'HOST_DENIED', message: expect.stringContaining(HOST) }],
      [site.url('/moved'), { reason: 'HOST_DENIED', message: expect.stringContaining(HOST) }],
    ])
    expect(other.requests.filter(({ path }) => path === '/b')).toEqual([])
  })

  it('refuse a single page with `SCRAPE_HOST_DENIED`, and a request cannot allow what its engine denies', async () => {
    await using site = await startSite({ pages: { '/': page() } })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', denyHosts: ['127.0.0.1'] })
    const asking = engine.scrape(site.url('/'), { allowHosts: ['127.0.0.1'] })
    await expect(asking).rejects.toMatchObject({ code: 'SCRAPE_HOST_DENIED', status: 403 })
    expect(site.requests).toEqual([])
  })

  it('hold for a page that the cache has', async () => {
    await using site = await startSite({ pages: { '/': page() } })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    await engine.scrape(site.url('/'), { maxAge: 60_000 })
    const denied = engine.scrape(site.url('/'), { maxAge: 60_000, denyHosts: ['127.*'] })
    await expect(denied).rejects.toMatchObject({ code: 'SCRAPE_HOST_DENIED' })
  })

  it('are read of `threatProtection`, as clients of the interface send it', async () => {
    await using site = await startSite({ pages: { '/': page('/a'), '/a': page() } })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const threatProtection = { mode: 'normal', blacklist: ['127.0.0.1'], riskScoreThreshold: 50 }
    await expect(engine.scrape(site.url('/'), { threatProtection })).rejects.toMatchObject({
      code: 'SCRAPE_HOST_DENIED',
    })
    const off = await engine.scrape(site.url('/'), { threatProtection: { ...threatProtection, mode: 'off' } })
    expect(off.warning).toBeUndefined()
    const exempt = { ...threatProtection, whitelist: ['127.*'] }
    const page1 = await engine.scrape(site.url('/'), { threatProtection: exempt })
    expect(page1.warning).toContain('`threatProtection.mode` has no effect')
    const requests = site.requests.length
    expect(() => engine.crawl({ url: site.url('/'), scrapeOptions: { threatProtection } })).toThrow(
      expect.objectContaining({ code: 'SCRAPE_HOST_DENIED' }),
    )
    expect(site.requests).toHaveLength(requests)
  })

  it.each([
    ['manual-only', undefined],
    ['off', undefined],
    ['normal', '`threatProtection.mode` has no effect: only the hosted service has what it asks for.'],
    ['zscaler', '`threatProtection.mode` has no effect: only the hosted service has what it asks for.'],
  ])('of `threatProtection` with mode %s give the warning %j', async (mode, warning) => {
    await using site = await startSite({ pages: { '/': page() } })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http' })
    const threatProtection = { mode, blacklist: ['denied.test'], blockedTlds: ['zip'], failurePolicy: 'closed' }
    const document = await engine.scrape(site.url('/'), { threatProtection })
    expect(document.warning).toBe(warning)
    for (const url of mode === 'off' ? [] : ['https://denied.test/', 'https://files.zip/'])
      await expect(engine.scrape(url, { threatProtection })).rejects.toMatchObject({ code: 'SCRAPE_HOST_DENIED' })
  })

  it.each(['https://example.com', 'example.com/a', 'example.com:8080', 'a b', '', '*.exa mple.com'])(
    'refuse %j as a host, with the option in the error',
    async (host) => {
      await using engine = createEngine()
      await expect(engine.scrape('https://a.test/', { denyHosts: [host] })).rejects.toThrow(/denyHosts.*no host/s)
      expect(() => createEngine({ denyHosts: [host] })).toThrow(/denyHosts.*no host/s)
    },
  )
})
