import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'
import { useCrawlSite, type Pages } from '../kernel/job/crawl-site.js'
import { startSite } from '../site/site.js'

/**
 * Sites that would keep a crawl for ever, or make it pay for what it has no use for. Each has a budget, in pages and
 * requests. What else there is of the kind: calendars, links that nest into themselves and endless queries in
 * `test/kernel/job/crawl-content.test.ts`, and the rest of traps, sitemaps and robots.txt, one by one, in `test/kernel/frontier/`.
 */

const on = useCrawlSite()

/** Prose that differs with the seed. */
const prose = (seed: number, words = 150): string =>
  Array.from({ length: words }, (_, i) => `w${(seed * 7919 + i * 104_729) % 9973}`).join(' ')

const article = (seed: number, ...links: string[]): string =>
  `<!doctype html><title>Page ${seed}</title><main><h1>Heading ${seed}</h1><p>${prose(seed)}</p></main>${links
    .map((path) => `<a href="${path}">${path}</a>`)
    .join(' ')}`

/** A site whose pages are made when they are asked for, by path and query. */
const made = (make: (path: string) => string | undefined): Pages =>
  new Proxy<Record<string, Pages[string]>>({}, { get: (_, path: string) => make(path) })

const answer =
  (type: string, body: () => string | Buffer): Pages[string] =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body())

const xml = (body: () => string): Pages[string] => answer('application/xml', body)

const redirectTo =
  (location: string): Pages[string] =>
  ({ response }) =>
    response.writeHead(302, { location }).end()

const asked = (path: string): number => on.site.requests.filter((request) => request.path === path).length

describe('a trap', () => {
  it('of filters that can be combined in thousands of ways ends by itself', async () => {
    const filters = Array.from({ length: 12 }, (_, nth) => `f${nth}`)
    const goods = Array.from({ length: 30 }, (_, nth) => prose(nth, 8))
    const pages = made((path) => {
      const url = new URL(path, on.site.origin)
      if (url.pathname !== '/' && url.pathname !== '/about') return undefined
      if (url.pathname === '/about') return article(1)
      const chosen = new Set(url.searchParams.keys())
      const shown = goods.filter((_, nth) => [...chosen].every((name) => (nth * 7 + Number(name.slice(1))) % 4 > 0))
      const links = filters.map((name) => {
        const others = filters.filter((other) => (other === name) !== chosen.has(other))
        return `<a href="/?${others.map((other) => `${other}=1`).join('&')}">${name}</a>`
      })
      return `<title>Shop</title><main><h1>Shop</h1><ul>${shown.map((item) => `<li>${item}</li>`).join('')}</ul></main>${links.join(' ')}<a href="/about">about</a>`
    })
    await on.open(pages)
    const { job, status } = await on.crawl({ limit: 5000 })
    expect(status.completed).toBeLessThan(600)
    expect(await on.rowOf(job, '/about')).toMatchObject({ outcome: 'done' })
    expect(status.skipped).toBeGreaterThan(0)
  })

  it('of a session in the path, another one at every visit, ends by itself with every page', async () => {
    let session = 0
    const pages = made((path) => {
      const [, page] = /^(?:\/s\/[0-9a-f]{16}\/page\/(\d+))?\/?$/.exec(path) ?? [undefined, undefined]
      if (page === undefined && path !== '/') return undefined
      session += 1
      const name = (session * 2_654_435_761).toString(16).padStart(16, '0').slice(-16)
      return article(Number(page ?? 99), ...Array.from({ length: 20 }, (_, nth) => `/s/${name}/page/${nth}`))
    })
    await on.open(pages)
    const { status, paths } = await on.crawl({ limit: 5000 })
    expect(status.completed).toBeLessThan(1000)
    expect(new Set(paths.map((path) => path.replace(/.*page/, '')))).toHaveLength(21)
  })

  it('of pages that redirect in circles, in long chains and to copies of each other ends by itself', async () => {
    const visits = { hop: 0 }
    const pages: Pages = new Proxy<Record<string, Pages[string]>>(
      {
        '/': article(0, '/circle/a', '/self', '/chain/0', '/go/1', '/good'),
        '/good': article(1),
        '/circle/a': redirectTo('/circle/b'),
        '/circle/b': redirectTo('/circle/a'),
        '/self': redirectTo('/self'),
      },
      {
        get: (known, path: string) => {
          const [, kind, number] = /^\/(chain|go|land)\/(\d+)$/.exec(path) ?? []
          const next = Number(number) + 1
          if (kind === 'chain') return redirectTo(`/chain/${next}`)
          if (kind === 'go') return redirectTo(`/land/${number}`)
          if (kind === 'land') return article(2, `/go/${next}`, `/go/${next}0`, (visits.hop += 1) > 0 ? '/good' : '/')
          return known[path]
        },
      },
    )
    await on.open(pages)
    const { job, status } = await on.crawl({ limit: 5000, sitemap: 'skip', ignoreRobotsTxt: true })
    for (const path of ['/circle/a', '/self', '/chain/0'])
      expect(await on.rowOf(job, path), path).toMatchObject({ outcome: 'failed', attempts: [{}] })
    expect(await on.rowOf(job, '/good')).toMatchObject({ outcome: 'done' })
    expect(status.completed).toBeLessThan(700)
    expect(on.site.requests.filter(({ path }) => /chain|circle|self/.test(path)).length).toBeLessThan(100)
  })
})

describe('a sitemap', () => {
  const index = (...paths: string[]): string =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${on.site.url(path)}</loc></sitemap>`).join('')}</sitemapindex>`
  const list = (...paths: string[]): string =>
    `<urlset>${paths.map((path) => `<url><loc>${on.site.url(path)}</loc></url>`).join('')}</urlset>`

  it('that names itself, and two that name each other, are read once each', async () => {
    await on.open({
      '/': article(0),
      '/a': article(1),
      '/sitemap.xml': xml(() => index('/sitemap.xml', '/one.xml', '/sitemap.xml#again', '/pages.xml')),
      '/one.xml': xml(() => index('/two.xml')),
      '/two.xml': xml(() => index('/one.xml', '/sitemap.xml')),
      '/pages.xml': xml(() => list('/a')),
    })
    const { status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a'])
    expect(status.warning).toContain('names itself')
    expect(['/sitemap.xml', '/one.xml', '/two.xml', '/pages.xml'].map(asked)).toEqual([1, 1, 1, 1])
  })

  it('of fifty thousand pages costs a small crawl no page more than it wants', async () => {
    const paths = Array.from({ length: 50_000 }, (_, nth) => `/p/${nth}`)
    await on.open(
      new Proxy<Record<string, Pages[string]>>(
        { '/': article(0), '/sitemap.xml': xml(() => list(...paths)) },
        {
          get: (known, path: string) =>
            known[path] ?? (path.startsWith('/p/') ? article(Number(path.slice(3))) : undefined),
        },
      ),
    )
    const { status } = await on.crawl({ limit: 50 })
    expect(status.completed).toBe(50)
    expect(on.site.requests.filter(({ path }) => path.startsWith('/p/')).length).toBeLessThan(70)
    // What the limit has no use for is not even noted.
    expect(status.skipped).toBeLessThan(2000)
  })

  it('that declares entities is refused, with a warning, and the others are read', async () => {
    const entities = Array.from({ length: 12 }, (_, nth) => `<!ENTITY e${nth + 1} "${`&e${nth};`.repeat(10)}">`)
    const bomb = (): string =>
      `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "x"><!ENTITY file SYSTEM "file:///etc/hostname">${entities.join('')}]>` +
      `<urlset><url><loc>${on.site.url('/')}&e12;</loc></url><url><loc>${on.site.url('/')}&file;</loc></url></urlset>`
    await on.open({
      '/': article(0),
      '/a': article(1),
      '/robots.txt': answer('text/plain', () => 'Sitemap: /bomb.xml\nSitemap: /good.xml'),
      '/bomb.xml': xml(bomb),
      '/good.xml': xml(() => list('/a')),
    })
    const { status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a'])
    expect(status.warning).toContain('declares entities')
    expect(on.site.requests.length).toBeLessThan(12)
  })
})

describe('a robots.txt', () => {
  it('of a megabyte of patterns that backtrack holds nothing up', async () => {
    const hostile = Array.from({ length: 12_000 }, (_, nth) => `Disallow: /${'*a'.repeat(30)}${nth}$`)
    const paths = Array.from({ length: 20 }, (_, nth) => `/${'a'.repeat(300)}${nth}b`)
    await on.open({
      '/': article(0, ...paths, '/no/x'),
      ...Object.fromEntries(paths.map((path, nth) => [path, article(nth + 1)])),
      '/no/x': article(50),
      '/robots.txt': answer('text/plain', () => ['User-agent: *', 'Disallow: /no/', ...hostile].join('\n')),
    })
    const { status, paths: scraped } = await on.crawl()
    expect(status.completed).toBe(21)
    expect(scraped).not.toContain('/no/x')
    expect(asked('/robots.txt')).toBe(1)
  })
})

describe('a start page', () => {
  it('of fifty thousand links costs a small crawl no page more than it wants', async () => {
    const links = Array.from({ length: 50_000 }, (_, nth) => `/p/${nth}`)
    await on.open(
      made((path) =>
        path === '/' ? article(0, ...links) : path.startsWith('/p/') ? article(Number(path.slice(3))) : undefined,
      ),
    )
    const { status } = await on.crawl({ limit: 20 })
    expect(status.completed).toBe(20)
    expect(on.site.requests.filter(({ path }) => path.startsWith('/p/')).length).toBeLessThan(40)
    // Every one of them has its outcome.
    expect(status.skipped).toBe(50_000 - 19)
  })
})

/** An answer that never comes. */
const hang: Pages[string] = () => undefined

describe.concurrent('a file of the site that never comes', { timeout: 120_000 }, () => {
  const crawlHanging = async (pages: Pages) => {
    const site = await startSite({ pages: { '/': article(0, '/a'), '/a': article(1), ...pages } })
    await using engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
    const job = engine.crawl({ url: site.url('/') })
    const status = await job.finished()
    const paths = site.requests.map(({ path }) => path)
    await site.close()
    return { status, paths }
  }

  it('lets no page be asked for, and the crawl fails with it, when it is robots.txt', async () => {
    const { status, paths } = await crawlHanging({ '/robots.txt': hang })
    expect(status).toMatchObject({ status: 'failed', code: 'SCRAPE_TIMEOUT', completed: 0, failed: 1 })
    expect(status.error).toMatch(/^robots\.txt could not be read: /)
    expect(new Set(paths)).not.toContain('/')
    expect(paths).not.toContain('/a')
  })

  it('costs no page, and ends, when it is the sitemap', async () => {
    const { status, paths } = await crawlHanging({ '/sitemap.xml': hang })
    expect(status).toMatchObject({ status: 'completed', completed: 2 })
    expect(paths.filter((path) => path === '/sitemap.xml')).toHaveLength(1)
  })
})
