import { once, EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startProxy } from '../../site/proxy-server.js'
import { startSite } from '../../site/site.js'
import { page, pathOf, useCrawlSite, type Pages } from './crawl-site.js'

const on = useCrawlSite()

describe('sitemaps', () => {
  const list = (...paths: string[]): string =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
      .map((path) => `<url><loc>${on.site.url(path)}</loc><lastmod>2026-01-02</lastmod></url>`)
      .join('')}</urlset>`
  const xml: (body: () => string) => Pages[string] =
    (body) =>
    ({ response }) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end(body())

  it('add pages that no page links to, at depth 0, with their date and alternates', async () => {
    await on.open({
      '/': page('/a'),
      '/a': page(),
      '/lonely': page('/from-lonely'),
      '/from-lonely': page(),
      '/sitemap.xml': xml(() => list('/lonely', '/a', '/pic.png')),
    })
    const { job, status, paths } = await on.crawl({ maxDiscoveryDepth: 0 })
    expect(paths).toEqual(['/', '/a', '/lonely'])
    expect(await on.rowOf(job, '/lonely')).toMatchObject({
      via: 'sitemap',
      depth: 0,
      foundOn: on.site.url('/sitemap.xml'),
      lastmod: expect.stringMatching(/^2026-01-02/),
    })
    expect(await on.rowOf(job, '/from-lonely')).toMatchObject({ depth: 1, refusal: { reason: 'DISCOVERY_DEPTH' } })
    expect(await on.rowOf(job, '/pic.png')).toMatchObject({ refusal: { reason: 'FILE_TYPE' } })
    // In the order of the sitemap, not of the answers.
    expect(status.data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/', '/lonely', '/a'])
  })

  it('are not read with `sitemap: skip`, and are the only source with `sitemap: only`', async () => {
    await on.open({
      '/': page('/a'),
      '/a': page(),
      '/b': page('/c'),
      '/c': page(),
      '/sitemap.xml': xml(() => list('/b')),
    })
    expect((await on.crawl({ sitemap: 'skip' })).paths).toEqual(['/', '/a'])
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/sitemap.xml')
    expect((await on.crawl({ sitemap: 'only' })).paths).toEqual(['/', '/b'])
    expect((await on.crawl()).paths).toEqual(['/', '/a', '/b', '/c'])
  })

  it('have a warning where a crawl needs them and finds none, or the site fails to give one', async () => {
    const down: Pages[string] = ({ response }) => void response.writeHead(503).end()
    const warnings = async (pages: Pages, sitemap: 'include' | 'only') => {
      await on.open({ '/': page('/a'), '/a': page(), ...pages })
      return (await on.crawl({ sitemap })).status.warning?.replaceAll(on.site.origin, '')
    }
    const only = 'No sitemap with pages was found on , and with `sitemap: "only"` no links are followed'
    expect(await warnings({}, 'include')).toBeUndefined()
    expect(await warnings({}, 'only')).toBe(`${only}.`)
    expect(await warnings({ '/sitemap.xml': xml(() => list()) }, 'only')).toBe(`${only}.`)
    // A page in place of an error is usual.
    expect(await warnings({ '/sitemap.xml': page() }, 'include')).toBeUndefined()
    // A site that asks to come back later is asked for no further names, which would be guesses.
    const unread = ', so that pages may be missing: /sitemap.xml answered 503 Service Unavailable.'
    const broken = { '/sitemap.xml': down, '/sitemap.txt': xml(() => list('/b')) }
    expect(await warnings(broken, 'include')).toBe(`No sitemap with pages was found on ${unread}`)
    expect(await warnings(broken, 'only')).toBe(only + unread)
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/sitemap.txt')
  })

  it('are named together in a warning where they fail alike', async () => {
    const failing: Pages[string] = ({ response }) => void response.writeHead(500).end()
    await on.open({
      '/': page(),
      ...Object.fromEntries(['/sitemap.xml', '/sitemap_index.xml'].map((path) => [path, failing])),
    })
    const { warning = '' } = (await on.crawl({ sitemap: 'include' })).status
    expect(warning.replaceAll(on.site.origin, '')).toContain(
      ': /sitemap.xml, /sitemap_index.xml answered 500 Internal Server Error',
    )
  })

  it('have a warning where the crawl has no other pages, and the site fails to answer for one', async () => {
    const warningFor = async (statusCode: number, sitemap: 'include' | 'only') => {
      await on.open({
        '/docs/': page(),
        '/docs/a': page(),
        '/docs/sitemap.xml': ({ response }) => void response.writeHead(statusCode).end(page()),
        '/sitemap.xml': xml(() => list('/docs/a')),
      })
      const { status, paths } = await on.crawl({ path: '/docs/', sitemap })
      expect(paths).toEqual(['/docs/', '/docs/a'])
      return status.warning?.replaceAll(on.site.origin, '')
    }
    expect(await warningFor(500, 'only')).toBe(
      'Pages of  may be missing: /docs/sitemap.xml answered 500 Internal Server Error.',
    )
    expect(await warningFor(500, 'include')).toBeUndefined()
    for (const statusCode of [404, 410, 403, 200]) expect(await warningFor(statusCode, 'only')).toBeUndefined()
  })

  it('are read completely before links are followed, with a depth limit', async () => {
    const pictures = Array.from({ length: 250 }, (_, index) => `/${index}.png`)
    const foundFirst = ['/a', '/b', '/c', '/d']
    const start = new EventEmitter()
    const asked = once(start, 'asked')
    await on.open({
      '/': ({ response }) => {
        response.end(page(...foundFirst))
        start.emit('asked')
      },
      ...Object.fromEntries(foundFirst.map((path) => [path, page()])),
      '/z': page(),
      '/sitemap.xml': async ({ response }) => {
        await asked
        // The links of the start page are known by then, and are more than the limit can take.
        await sleep(200)
        response.writeHead(200, { 'content-type': 'application/xml' }).end(list(...pictures, '/z'))
      },
    })
    expect((await on.crawl({ limit: 2, maxDiscoveryDepth: 1 })).paths).toEqual(['/', '/z'])
  })

  it('listed in robots.txt are read, and an unreadable one gives a warning', async () => {
    await on.open({
      '/': page(),
      '/a': page(),
      '/robots.txt': ({ response }) => response.end(`Sitemap: ${on.site.url('/mine.xml')}\nSitemap: /broken.xml`),
      '/mine.xml': xml(() => list('/a')),
      '/broken.xml': ({ response }) => response.writeHead(500).end(),
    })
    const { status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a'])
    expect(status.warning).toContain('/broken.xml answered 500')
  })

  it('of the host that the start page redirects to are read as well', async () => {
    await on.open({ '/': page(), '/a': page(), '/sitemap.xml': xml(() => list('/a')) })
    const moved = await startSite({
      pages: { '/': ({ response }) => response.writeHead(302, { location: on.site.url('/') }).end() },
    })
    const status = await on.engine.crawl({ url: moved.url('/', 'localhost') }).finished()
    expect(status.data.map(({ metadata }) => metadata.url)).toEqual([on.site.url('/'), on.site.url('/a')])
    await moved.close()
  })

  it('of the domain are read as well with `allowSubdomains`', async () => {
    const urls = ['http://example.com/a', 'http://docs.example.com/b']
    const sitemap: Pages[string] = ({ request, response }) => {
      if (request.headers.host !== 'example.com') return response.writeHead(404).end()
      return response.end(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)
    }
    const domain = await startSite({ pages: { '/': page(), '/a': page(), '/b': page(), '/sitemap.xml': sitemap } })
    const { hostname, port } = new URL(domain.origin)
    await using proxy = await startProxy({ to: { hostname, port: Number(port) } })
    await on.open({}, { proxies: { basic: [proxy.url] } })
    const crawl = async (allowSubdomains: boolean) => {
      const { data } = await on.engine.crawl({ url: 'http://docs.example.com/', allowSubdomains }).finished()
      return data.map(({ metadata }) => metadata.url)
    }
    expect(await crawl(true)).toEqual(['http://docs.example.com/', ...urls])
    expect(await crawl(false)).toEqual(['http://docs.example.com/'])
    await domain.close()
  })

  it('that never end are read no further than the limit needs', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/p${i}`)
    let files = 0
    const index: Pages[string] = ({ response }) => {
      files += 1
      const entries = paths.map((path) => `<url><loc>${on.site.url(`${path}?${files}`)}</loc></url>`).join('')
      response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${entries}</urlset>`)
    }
    await on.open({
      '/': page(),
      ...Object.fromEntries(paths.map((path) => [path, page()])),
      '/robots.txt': ({ response }) =>
        response.end(Array.from({ length: 200 }, (_, i) => `Sitemap: ${on.site.url(`/s${i}.xml`)}`).join('\n')),
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`/s${i}.xml`, index])),
    })
    expect((await on.crawl({ limit: 20 })).status.completed).toBe(20)
    expect(files).toBeLessThan(30)
  })
})

describe('discoverThrough', () => {
  it('fetches pages outside `includePaths` for their links only, so that a pattern deep in the site works', async () => {
    await on.open({
      '/': page('/list'),
      '/list': page('/list/2', '/item/1'),
      '/list/2': page('/item/2'),
      '/item/1': page(),
      '/item/2': page(),
    })
    expect((await on.crawl({ includePaths: ['^/item/'] })).paths).toEqual([])
    const { job, status, paths } = await on.crawl({ includePaths: ['^/item/'], discoverThrough: 5, limit: 2 })
    expect(paths).toEqual(['/item/1', '/item/2'])
    expect(status.completed).toBe(2)
    expect(await on.rowOf(job, '/list')).toMatchObject({
      linksOnly: true,
      outcome: 'skipped',
      refusal: { reason: 'INCLUDE_PATTERN', message: expect.stringContaining('discoverThrough') },
    })
    expect((await job.errors()).errors.map(({ url }) => url)).toEqual([on.site.url('/')])
  })

  it('is bounded', async () => {
    await on.open({ '/': page('/a', '/b', '/c'), '/a': page(), '/b': page(), '/c': page() })
    await on.crawl({ includePaths: ['^/item/'], discoverThrough: 2, sitemap: 'skip', ignoreRobotsTxt: true })
    expect(on.site.requests.map(({ path }) => path).toSorted()).toEqual(['/', '/a', '/b'])
  })
})
