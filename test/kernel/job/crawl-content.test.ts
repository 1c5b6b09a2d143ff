import { describe, expect, it } from 'vitest'
import { useCrawlSite, type Pages } from './crawl-site.js'

const on = useCrawlSite()

/** Prose that differs with the seed, long enough for a fingerprint. */
const prose = (seed: number, words = 120): string =>
  Array.from({ length: words }, (_, i) => `w${(seed * 7919 + i * 104_729) % 9973}`).join(' ')

const article = (seed: number, more = ''): string =>
  `<!doctype html><title>Page ${seed}</title>${more}<main><h1>Heading ${seed}</h1><p>${prose(seed, 2000)}</p></main>`

const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')

describe('pages with the content of others', () => {
  const pages: Pages = {
    '/': article(0) + links('/a', '/copy', '/near', '/other'),
    '/a': article(1),
    '/copy': article(1),
    '/near': article(1).replace(/<\/p>/, ' changed</p>'),
    '/other': article(2),
  }

  it('are kept, with the URL of the original', async () => {
    await on.open(pages)
    const { job, status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a', '/copy', '/near', '/other'])
    const duplicates = status.data.map(({ metadata }) => metadata.duplicateOf)
    expect(duplicates).toEqual([undefined, undefined, on.site.url('/a'), on.site.url('/a'), undefined])
    expect(await on.rowOf(job, '/copy')).toMatchObject({ outcome: 'done', duplicateOf: on.site.url('/a') })
  })

  it('are dropped with deduplicateContent, and do not count towards the limit', async () => {
    await on.open(pages, { maxConcurrency: 1 })
    const { job, status, paths } = await on.crawl({ deduplicateContent: true, limit: 3 })
    expect(paths).toEqual(['/', '/a', '/other'])
    expect(status).toMatchObject({ completed: 3, skipped: 2 })
    expect(await on.rowOf(job, '/near')).toMatchObject({
      outcome: 'skipped',
      duplicateOf: on.site.url('/a'),
      refusal: { reason: 'DUPLICATE', message: expect.stringContaining(on.site.url('/a')) },
    })
  })

  it('count as one page when their canonical URLs agree as well, whichever was fetched first', async () => {
    const canonical = '<link rel="canonical" href="/item">'
    await on.open({
      '/': article(0) + links('/item?view=print', '/item', '/item?view=wide'),
      '/item': article(1, canonical),
    })
    const { job, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/item?view=print'])
    expect(await on.rowOf(job, '/item')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('count as one page when their canonical URLs agree, although an earlier copy names another one', async () => {
    const canonical = '<link rel="canonical" href="/item">'
    const site: Pages = {
      '/': article(0) + links('/print', '/item?view=1', '/item?view=2', '/item'),
      '/print': article(1),
      '/item': article(1, canonical),
    }
    await on.open(site, { maxConcurrency: 1 })
    const { job, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/item?view=1', '/print'])
    const { refusal } = (await on.rowOf(job, '/item?view=2')) ?? {}
    expect(refusal).toMatchObject({ reason: 'DUPLICATE', message: expect.stringContaining('/item?view=1') })
  })

  it('are kept when every page has the same canonical URL', async () => {
    const canonical = '<link rel="canonical" href="/">'
    await on.open({
      '/': article(0, canonical) + links('/a', '/b?page=2'),
      '/a': article(1, canonical),
      '/b': article(2, canonical),
    })
    expect((await on.crawl()).paths).toEqual(['/', '/a', '/b?page=2'])
  })

  it('are detected by URL: tracking parameters and session ids make no separate page', async () => {
    await on.open({ '/': article(0) + links('/a?utm_source=x', '/a', '/a?gclid=1', '/a?id=1'), '/a': article(1) })
    const { paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a?id=1', '/a?utm_source=x'])
  })
})

describe('crawler traps', () => {
  const crawlTrap = async (pages: Pages) => {
    await on.open(pages, { maxConcurrency: 4 })
    const { job, status } = await on.crawl({ limit: 2000, sitemap: 'skip' })
    const rows = await Promise.all(on.site.requests.slice(-1).map(({ path }) => on.rowOf(job, path)))
    return { job, status, last: rows[0] }
  }

  it('made of calendars are left long before the limit', async () => {
    const day = (path: string): Date => new Date(`${path.slice('/calendar/'.length)}T00:00:00Z`)
    const linkTo = (date: Date): string => `/calendar/${date.toISOString().slice(0, 10)}`
    const pages = new Proxy<Record<string, Pages[string]>>(
      { '/': article(0) + links('/calendar/2026-01-01', '/about'), '/about': article(1) },
      {
        get: (known, path: string) =>
          known[path] ??
          (/^\/calendar\/\d{4}-\d\d-\d\d$/.test(path)
            ? `<title>Calendar</title><main><h1>Calendar of ${path}</h1><p>There are no events on this day. Come back later, or look at another day of our calendar of events and concerts.</p></main>${links(linkTo(new Date(day(path).getTime() + 864e5)), linkTo(new Date(day(path).getTime() - 864e5)))}`
            : undefined),
      },
    )
    const { status } = await crawlTrap(pages)
    expect(status.completed).toBeLessThan(200)
    expect(status.data.some(({ metadata }) => metadata.url === on.site.url('/about'))).toBe(true)
  })

  it('made of self-nesting links are left long before the limit, with a reason', async () => {
    const pages = new Proxy<Record<string, Pages[string]>>(
      { '/': article(0) + links('deep/') },
      {
        get: (known, path: string) =>
          known[path] ?? (path.startsWith('/deep/') ? article(1) + links('deep/', 'more/') : undefined),
      },
    )
    const { job, status } = await crawlTrap(pages)
    expect(status.completed).toBeLessThan(400)
    expect(await on.rowOf(job, `/${'deep/'.repeat(8)}`)).toSatisfy(
      (row) => row === undefined || (row as { refusal?: { reason: string } }).refusal?.reason === 'TRAP',
    )
    expect(status.skipped).toBeGreaterThan(0)
  })

  it('made of ever new query strings are left long before the limit', async () => {
    let visit = 0
    const pages = new Proxy<Record<string, Pages[string]>>(
      { '/': article(0) + links('/list?sort=a') },
      {
        get: (known, path: string) =>
          path === '/list'
            ? article(1) + links(`/list?sort=a&token=${(visit += 1)}x`, `/list?order=${visit}&filter=${visit}`)
            : known[path],
      },
    )
    const { status } = await crawlTrap(pages)
    expect(status.completed).toBeLessThan(200)
  })

  it('are not detected in a real shop with many similar pages', async () => {
    const count = 400
    const product = (i: number): string =>
      `<title>Product ${i}</title><main><h1>Product ${i}</h1><p>${prose(i).slice(0, 300)}</p><p>Price: ${i} EUR. Delivered in two days, returned within thirty, paid by card or on account.</p></main>`
    const toEntry = (href: string): string =>
      `<p><a href="${href}">${prose(Number(href.slice('/product/'.length))).slice(0, 30)}</a></p>`
    const pages = new Proxy<Record<string, Pages[string]>>(
      {},
      {
        get: (_, path: string) => {
          const listing = /^\/list\?page=(\d+)$/.exec(path)
          const item = /^\/product\/(\d+)$/.exec(path)
          if (path === '/') return article(0) + links('/list?page=1')
          if (item) return product(Number(item[1]))
          if (!listing) return undefined
          const page = Number(listing[1])
          const items = Array.from({ length: 10 }, (_v, i) => `/product/${(page - 1) * 10 + i}`)
          return `<title>List</title><main><h1>Products</h1>${items.map(toEntry).join('')}</main>${page * 10 < count ? links(`/list?page=${page + 1}`) : ''}`
        },
      },
    )
    const { status } = await crawlTrap(pages)
    expect(status.completed).toBe(1 + count / 10 + count)
  })
})
