import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../site/exchange.js'
import { asked, file, index, run, urlset, useSitemapSites } from './use-sitemap-sites.js'

const openSite = useSitemapSites()

describe('the locations of sitemaps', () => {
  it('are the Sitemap lines, then the prefix of the crawl, then the root', async () => {
    const site = await openSite({
      '/declared.xml': urlset('/a'),
      '/feed': file('<rss><channel><item><link>/b</link></item></channel></rss>'),
      '/docs/v2/sitemap.xml': urlset('/docs/v2/c'),
      '/sitemap.xml': urlset('/d', 'https://other.example/e'),
    })
    const options = { start: '/docs/v2/start.html', robotsSitemaps: ['/declared.xml', '/feed', '/declared.xml#again'] }
    expect(await run(site, options)).toEqual([
      '/a < /declared.xml',
      '/b < /feed',
      '/docs/v2/c < /docs/v2/sitemap.xml',
      '/d < /sitemap.xml',
      'https://other.example/e < /sitemap.xml',
    ])
    expect(asked(site).toSorted()).toEqual(['/declared.xml', '/docs/v2/sitemap.xml', '/feed', '/sitemap.xml'])
  })

  it('treat a prefix without a slash as a folder', async () => {
    const site = await openSite({ '/docs/sitemap.xml': urlset('/docs/a') })
    expect(await run(site, { start: '/docs' })).toEqual(['/docs/a < /docs/sitemap.xml'])
    expect(asked(site)).not.toContain('/docssitemap.xml')
  })

  it.each(['/maps/one.xml', '/maps/one.XML?key=1', '/maps/one.xml.gz'])(
    'are the start URL alone if it is a sitemap: %s',
    async (start) => {
      const site = await openSite({ [start]: urlset('/a'), '/sitemap.xml': urlset('/b') })
      expect(await run(site, { start, robotsSitemaps: ['/sitemap.xml'] })).toEqual([`/a < ${start}`])
      expect(asked(site)).toEqual([start])
    },
  )

  it.each([
    ['/sitemap_index.xml', 2],
    ['/sitemap-index.xml', 3],
    ['/wp-sitemap.xml', 4],
    ['/sitemap.xml.gz', 5],
    ['/sitemap.txt', 6],
  ])('include the usual name %s while none was found', async (name, requests) => {
    const body = name.endsWith('.txt')
      ? 'http://other.example/a'
      : '<urlset><url><loc>http://other.example/a</loc></url></urlset>'
    const site = await openSite({ [name]: file(name.endsWith('.gz') ? gzipSync(body) : body) })
    expect(await run(site)).toEqual([`http://other.example/a < ${name}`])
    expect(asked(site)).toHaveLength(requests)
  })

  it('include no further usual name after a sitemap was found, even an empty one', async () => {
    const site = await openSite({ '/declared.xml': urlset() })
    expect(await run(site, { robotsSitemaps: ['/declared.xml'] })).toEqual([])
    expect(asked(site)).toEqual(['/declared.xml', '/sitemap.xml'])
  })

  it('may all be missing, which is not reported', async () => {
    const site = await openSite({})
    expect(await run(site)).toEqual([])
    expect(asked(site)).toHaveLength(6)
  })
})

describe('a sitemap index', () => {
  it('is followed through nested indexes, breadth first', async () => {
    const site = await openSite({
      '/sitemap.xml': index('/one.xml', '/more.xml', '/two.xml'),
      '/one.xml': urlset('/1'),
      '/more.xml': index('/three.xml'),
      '/two.xml': urlset('/2'),
      '/three.xml': urlset('/3'),
    })
    expect(await run(site)).toEqual(['/1 < /one.xml', '/2 < /two.xml', '/3 < /three.xml'])
  })

  it('is not read again when it contains itself, directly or through another', async () => {
    const site = await openSite({
      '/self.xml': index('/self.xml', '/one.xml', '/self.xml#top'),
      '/one.xml': urlset('/1'),
      '/a.xml': index('/b.xml'),
      '/b.xml': index('/a.xml', '/one.xml'),
    })
    expect(await run(site, { robotsSitemaps: ['/self.xml', '/a.xml'] })).toEqual([
      '/self.xml: names itself, or an index that led to it',
      '/1 < /one.xml',
      '/b.xml: names itself, or an index that led to it',
    ])
    expect(asked(site).toSorted()).toEqual(['/a.xml', '/b.xml', '/one.xml', '/self.xml', '/sitemap.xml'])
  })

  it('is not read again when redirects lead back to it', async () => {
    const back: Handler = ({ response }) => void response.writeHead(302, { location: '/sitemap.xml' }).end()
    const site = await openSite({
      '/sitemap.xml': index('/x.xml', '/y.xml', '/one.xml'),
      '/x.xml': back,
      '/y.xml': back,
      '/one.xml': urlset('/1'),
    })
    expect(await run(site)).toEqual(['/1 < /one.xml'])
  })

  it('ends at the maximum depth when each index contains a new one', async () => {
    const endless: Handler = (exchange) => {
      const n = Number(exchange.url.searchParams.get('n'))
      return index(`/sitemap.xml?n=${n + 1}`)(exchange)
    }
    const site = await openSite({ '/sitemap.xml': endless })
    expect(await run(site)).toEqual(['/sitemap.xml?n=5: names 1 sitemaps more than 5 indexes deep, which are not read'])
    expect(asked(site)).toHaveLength(6)
  })

  it('ends at the maximum of files, and reports the number left out', async () => {
    const many = Array.from({ length: 50 }, (_, n) => `/many/${n}.xml`)
    const pages = Object.fromEntries(many.map((path) => [path, urlset(`${path}.html`)]))
    const site = await openSite({ '/sitemap.xml': index(...many), ...pages })
    const findings = await run(site, { limits: { files: 11 } })
    expect(findings[0]).toBe('/sitemap.xml: names 40 sitemaps that are not read: no more than 11 are')
    expect(findings.slice(1)).toEqual(many.slice(0, 10).map((path) => `${path}.html < ${path}`))
    expect(asked(site)).toHaveLength(11)
  })

  it('has the same limit in robots.txt', async () => {
    const robotsSitemaps = Array.from({ length: 30 }, (_, n) => `/${n}.xml`)
    const site = await openSite(Object.fromEntries(robotsSitemaps.map((path) => [path, urlset(`${path}.html`)])))
    expect(await run(site, { robotsSitemaps, limits: { files: 2 } })).toEqual([
      '/robots.txt: names 28 sitemaps that are not read: no more than 2 are',
      '/0.xml.html < /0.xml',
      '/1.xml.html < /1.xml',
    ])
  })

  it('may be a list of pages, when they are named as sitemaps', async () => {
    const site = await openSite({
      '/sitemap.xml': urlset('/a', '/post-sitemap1.xml', '/sitemap-faq.xml', '/api.xml', '/b'),
      '/post-sitemap1.xml': urlset('/c'),
      '/sitemap-faq.xml': '<h1>How to write a sitemap</h1>',
    })
    expect(await run(site)).toEqual([
      '/a < /sitemap.xml',
      '/api.xml < /sitemap.xml',
      '/b < /sitemap.xml',
      '/c < /post-sitemap1.xml',
      '/sitemap-faq.xml < /sitemap.xml',
    ])
  })

  it('keeps every page that is only named like a sitemap, and reports every sitemap, that redirect to one page', async () => {
    const away: Handler = ({ response }) => void response.writeHead(302, { location: '/login' }).end()
    const site = await openSite({
      '/one.xml': urlset('/faq-sitemap.xml', '/help-sitemap.xml'),
      '/faq-sitemap.xml': away,
      '/help-sitemap.xml': away,
      '/two.xml': index('/three.xml', '/four.xml'),
      '/three.xml': away,
      '/four.xml': away,
      '/login': '<h1>Who are you?</h1>',
    })
    expect(await run(site, { robotsSitemaps: ['/one.xml', '/two.xml'] })).toEqual([
      '/faq-sitemap.xml < /one.xml',
      '/help-sitemap.xml < /one.xml',
      '/three.xml: is no sitemap: its root element is <h1>',
      '/four.xml: is no sitemap: its root element is <h1>',
    ])
  })

  it('keeps a page whose URL is one of those at which sitemaps are looked for', async () => {
    const site = await openSite({
      '/pages.xml': urlset('/docs/sitemap.xml', '/sitemap.xml'),
      '/docs/sitemap.xml': '<h1>A page</h1>',
    })
    const pages = ['/docs/sitemap.xml < /pages.xml', '/sitemap.xml < /pages.xml']
    // The list comes before the guesses.
    expect(await run(site, { start: '/docs/', robotsSitemaps: ['/pages.xml'] })).toEqual(pages)
    const late = await openSite({
      '/sitemap.xml': '<h1>A page</h1>',
      '/sitemap_index.xml': index('/pages.xml'),
      '/pages.xml': urlset('/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml', '/a'),
    })
    // `/sitemap_index.xml` is a sitemap, and no page.
    expect(await run(late)).toEqual([
      '/sitemap.xml? is no sitemap: its root element is <h1>',
      '/sitemap.xml < /pages.xml',
      '/a < /pages.xml',
      '/sitemap-index.xml < /pages.xml',
    ])
  })

  it('reports an entry that is named as a sitemap and could not be read, which may list pages, and keeps it as a page', async () => {
    const site = await openSite({
      '/pages.xml': urlset('/sitemap.xml', '/news-sitemap.xml', '/a'),
      '/sitemap.xml': ({ response }) => void response.writeHead(503).end(),
    })
    expect(await run(site, { robotsSitemaps: ['/pages.xml'] })).toEqual([
      '/a < /pages.xml',
      '/sitemap.xml < /pages.xml',
      '/sitemap.xml: answered 503 Service Unavailable',
      '/news-sitemap.xml < /pages.xml',
    ])
  })

  it('keeps pages that are only named like sitemaps, however many there are', async () => {
    const pages = Array.from({ length: 6 }, (_, n) => `/about-sitemap-${n}.xml`)
    const site = await openSite({ '/sitemap.xml': urlset(...pages) })
    const found = await run(site, { limits: { emptyFiles: 3 } })
    expect(found).toEqual(pages.map((path) => `${path} < /sitemap.xml`))
  })
})
