import { describe, expect, it } from 'vitest'
import { createEngine, memoryCache } from '../../../src/index.js'
import { answer, page, type Pages, useCrawlSite } from '../../kernel/job/crawl-site.js'
import { startProxy } from '../../site/proxy-server.js'
import { startSite } from '../../site/site.js'

const on = useCrawlSite()

const to = (location: string): Pages[string] => answer({ location }, '', 302)
const stub = (target: string, links: string): string =>
  `<!doctype html><head><meta http-equiv="refresh" content="0; url=${target}"></head>${links}`
const pathsOf = (links: readonly { readonly url: string }[]): string[] =>
  links.map(({ url }) => url.slice(on.site.origin.length))

describe('a page that leads on to another one', () => {
  it('gives a map its links, also where the other one fails', async () => {
    const broken: Pages = { '/broken': ({ response }) => response.destroy() }
    await on.open({ '/': stub('/broken', '<a href="/a">a</a>'), ...broken }, { retry: { maxRetries: 0 } })
    const { links } = await on.engine.map({ url: on.site.url('/'), sitemap: 'skip' })
    expect(pathsOf(links)).toContain('/a')
  })

  it('gives a map its links from the cache as well', async () => {
    await on.open({ '/': stub('/to', '<a href="/a">a</a>'), '/to': page('/c'), '/a': page(), '/c': page() })
    await on.crawl({ sitemap: 'skip' })
    const { links } = await on.engine.map({ url: on.site.url('/'), sitemap: 'skip' })
    expect(pathsOf(links).toSorted()).toEqual(['/', '/a', '/c'])
  })

  it('has a map warn of links that were left out', async () => {
    const links = Array.from({ length: 20_000 }, (_, at) => `<a href="/a${at}">a</a>`).join('')
    await on.open({ '/': stub('/to', links), '/to': page() })
    const { warning } = await on.engine.map({ url: on.site.url('/'), sitemap: 'skip' })
    expect(warning).toContain('Pages that refresh to another one have links that were left out')
  })

  it('leads a map and a plan to its folder, if it is the start page', async () => {
    await on.open({
      '/docs/': to('/manual/'),
      '/manual/': page('/manual/a', '/docs/b', '/blog/'),
      '/manual/a': page(),
      '/docs/b': page(),
      '/sitemap.xml': ({ request, response }) =>
        response.end(
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://${request.headers.host}/manual/s</loc></url></urlset>`,
        ),
      '/manual/s': page(),
      '/blog/': page(),
    })
    const { links } = await on.engine.map({ url: on.site.url('/docs/') })
    expect(pathsOf(links).toSorted()).toEqual(['/docs/', '/docs/b', '/manual/a', '/manual/s'])
    const { refused } = await on.engine.plan({ url: on.site.url('/docs/') })
    expect(refused.map(({ reason, count }) => [reason, count])).toEqual([['BACKWARD_CRAWLING', 1]])
  })
})

describe('a robots.txt that cannot be read', () => {
  it('is told by a plan', async () => {
    await on.open({ '/': page('/a'), '/a': page(), '/robots.txt': ({ response }) => response.writeHead(503).end() })
    const error = `robots.txt could not be read: 503 Service Unavailable (${on.site.url('/robots.txt')})`
    const { pages, robots, warnings } = await on.engine.plan({ url: on.site.url('/'), sitemap: 'skip' })
    expect({ pages, robots }).toEqual({ pages: 0, robots: { allowed: false, message: error } })
    expect(warnings).toEqual([error])
  })

  it('leaves out the pages that redirect to its site', async () => {
    await using other = await startSite({ pages: { '/x': page('/y'), '/robots.txt': answer({}, '', 500) } })
    await on.open({ '/away': to(other.url('/x')) }, { retry: { maxRetries: 0 } })
    expect((await on.engine.plan({ url: on.site.url('/away'), sitemap: 'skip' })).pages).toBe(0)
  })
})

describe('a crawl with several start URLs', () => {
  const site = {
    '/docs/': page('/docs/a', '/blog/b', '/shop/c', '/about'),
    '/docs/a': page('/docs/'),
    '/blog/': page('/blog/b', '/docs/a', '/about'),
    '/blog/b': page('/shop/d'),
    '/shop/': page('/shop/c'),
    '/shop/c': page(),
    '/shop/d': page(),
    '/about': page(),
  }
  const urls = (...paths: string[]): string[] => paths.map((path) => on.site.url(path))

  it('is previewed with all of them, each with its robots.txt, its scope and its redirects', async () => {
    await on.open({ ...site, '/old/': answer({ location: '/shop/' }, '', 301) })
    await using second = await startSite({
      pages: {
        '/guide/': page('/guide/x', '/else'),
        '/guide/x': page(),
        '/closed/': page(),
        '/robots.txt': 'User-agent: *\nDisallow: /closed/\nCrawl-delay: 0.001',
      },
    })
    const others = [...urls('/old/', '/blog/', '/docs/'), second.url('/guide/'), second.url('/closed/')]
    const forecast = await on.engine.plan({ url: on.site.url('/docs/'), urls: others })
    const { data } = await on.engine.crawl({ url: on.site.url('/docs/'), urls: others }).finished()
    expect(forecast).toMatchObject({ start: on.site.url('/docs/'), robots: { allowed: true }, pages: data.length })
    expect(forecast.otherStarts?.map(({ url, robots }) => [url, robots.allowed, robots.crawlDelayMs])).toEqual([
      [on.site.url('/old/'), true, undefined],
      [on.site.url('/blog/'), true, undefined],
      [on.site.url('/docs/'), true, undefined],
      [second.url('/guide/'), true, 1],
      [second.url('/closed/'), false, 1],
    ])
    expect(on.site.requests.filter(({ path }) => path === '/docs/').length).toBeLessThanOrEqual(2)
    const reasons = forecast.refused.map(({ reason, examples }) => [reason, examples.map(({ url }) => url)])
    expect(reasons).toContainEqual(['ROBOTS_TXT', [second.url('/closed/')]])
    expect(reasons).toContainEqual(['BACKWARD_CRAWLING', [on.site.url('/about'), second.url('/else')]])
    expect(forecast.warnings.join(' ')).not.toContain('start URLs')
  })

  it('is previewed with the first ones if there are many, and says so', async () => {
    await on.open({ '/docs/': page() })
    const many = Array.from({ length: 30 }, (_, at) => on.site.url(`/folder${at}/`))
    const { otherStarts, warnings } = await on.engine.plan({ url: on.site.url('/docs/'), urls: many })
    expect(otherStarts).toHaveLength(20)
    expect(warnings).toContain('The first 21 of the 31 start URLs were looked at, and no further ones.')
  })
})

describe('a map of all subdomains', () => {
  it('reads the sitemaps of the domain as well', async () => {
    const urls = ['http://example.com/a', 'http://docs.example.com/b']
    const sitemap: Pages[string] = ({ request, response }) => {
      if (request.headers.host !== 'example.com') return response.writeHead(404).end()
      return response.end(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)
    }
    await using domain = await startSite({ pages: { '/': page(), '/sitemap.xml': sitemap } })
    const { hostname, port } = new URL(domain.origin)
    await using proxy = await startProxy({ to: { hostname, port: Number(port) } })
    await on.open({}, { proxies: { basic: [proxy.url] } })
    const { links } = await on.engine.map({ url: 'http://docs.example.com/', allowSubdomains: true })
    expect(links.map(({ url }) => url)).toEqual(['http://docs.example.com/', ...urls])
  })
})

describe('a plan', () => {
  it('requests nothing with `lockdown`', async () => {
    const cache = memoryCache()
    await using site = await startSite({
      pages: { '/docs/': page('/docs/b'), '/robots.txt': 'User-agent: *\nDisallow: /' },
    })
    await using engine = createEngine({ allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache })
    await engine.scrape(site.url('/docs/'))
    const asked = site.requests.length
    const forecast = await engine.plan({ url: site.url('/docs/'), scrapeOptions: { lockdown: true } })
    expect(forecast).toMatchObject({ robots: { allowed: true } })
    expect(site.requests).toHaveLength(asked)
  })

  it('sends its headers to no other host', async () => {
    const headers = { Authorization: 'Bearer secret', Cookie: 'session=secret', 'X-Api-Key': 'secret' }
    await using away = await startSite({ address: '127.0.0.2', pages: { '/there': page() } })
    await on.open({
      '/': page('/in', away.url('/there')),
      '/in': page(),
      '/robots.txt': `Sitemap: ${away.url('/map.xml')}\n`,
    })
    await on.engine.plan({ url: on.site.url('/'), allowExternalLinks: true, scrapeOptions: { headers } })
    const told = (site: typeof away) =>
      site.requests.map(({ path, headers: sent }) => [
        path,
        'authorization' in sent,
        'cookie' in sent,
        'x-api-key' in sent,
      ])
    expect(told(on.site)).toContainEqual(['/', true, true, true])
    expect(away.requests.length).toBeGreaterThan(0)
    expect(
      told(away)
        .flat()
        .filter((sent) => sent === true),
    ).toEqual([])
  })
})
