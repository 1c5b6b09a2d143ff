import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type LedgerRow, sqlite } from '../../../src/index.js'
import { pathOf, type Pages, useCrawlSite } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))
const goal = 'What is the refund policy for annual plans?'
const QUERY = 'refund policy annual plans'
/** Enough words for a page that no browser needs to render. */
const TEXT = 'Some words that are the content of this page of the help centre, as a reader sees it. '.repeat(5)
const FORM = '<form role="search" action="/search"><input type="hidden" name="lang" value="en"><input name="q"></form>'

/** A page with a search box and a menu. */
const article = (title: string, body: string, head = ''): string =>
  `<!doctype html><title>${title}</title>${head}<header>${FORM}<nav><a href="/shop">Shop</a></nav></header><main><h1>${title}</h1>${body}<p>${TEXT}</p></main>`

const linksTo = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ')

/** A list of results. */
const results = (...entries: (readonly [href: string, title: string, text?: string])[]): string =>
  article(
    'Search results',
    `<ul>${entries.map(([href, title, text = TEXT]) => `<li><h3><a href="${href}">${title}</a></h3><p>${text}</p></li>`).join('')}</ul>`,
  )

const html =
  (text: string, headers: Record<string, string> = {}, status = 200): Pages[string] =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end(text)
  }

const found = results(
  ['/deep/money', 'Money back', `${TEXT} Refund policy for annual plans.`],
  ['/deep/other', 'Other'],
  ['/deep/answer', 'Annual plans: refund policy'],
  ['/shop', 'Shop'],
  ['/search?q=more', 'More'],
)

/** A help centre whose answer is four links away from the start page. */
const help: Pages = {
  '/': article('Help', linksTo('/a', '/b', '/c')),
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}`, article(name, linksTo(`/${name}/1`))])),
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}/1`, article(`${name} 1`, linksTo('/deep/other'))])),
  '/deep/other': article('Other', linksTo('/deep/money')),
  '/deep/money': article('Money back', linksTo('/deep/answer')),
  '/deep/answer': article('Annual plans: refund policy', ''),
  '/shop': article('Shop', ''),
  '/search': html(found),
}

const searches = (): string[] => on.site.requests.map(({ path }) => path).filter((path) => path.startsWith('/search?'))

async function orderOf(rows: AsyncIterable<LedgerRow>): Promise<string[]> {
  const all: LedgerRow[] = []
  for await (const row of rows) if (row.order !== undefined) all.push(row)
  return all.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ url }) => pathOf(url))
}

const options = { goal, sitemap: 'skip' } as const

describe("the site's search page, in a crawl with a `goal`", () => {
  it('is asked once, and its best pages come first', async () => {
    await on.open(help)
    const { job, status } = await on.crawl(options)
    const order = await orderOf(job.urls())
    expect(order.slice(0, 3)).toEqual(['/', '/deep/answer', '/deep/money'])
    expect(searches()).toEqual([`/search?lang=en&q=${encodeURIComponent(QUERY)}`])
    expect(order).toHaveLength(11)
    expect(status).toMatchObject({ completed: 11, failed: 0 })
    expect(status.warning).toBeUndefined()
    const without = await on.crawl({ ...options, siteSearch: false })
    expect((await orderOf(without.job.urls())).indexOf('/deep/answer')).toBeGreaterThan(6)
    expect(searches()).toHaveLength(1)
  })

  it('is where `explain` shows that a page was found, and no page of the crawl itself', async () => {
    await on.open(help)
    const { job } = await on.crawl(options)
    const answer = await on.rowOf(job, '/deep/answer')
    const foundOn = on.site.url(`/search?lang=en&q=${encodeURIComponent(QUERY)}`)
    expect(answer).toMatchObject({ via: 'search', depth: 1, foundOn, anchor: 'Annual plans: refund policy' })
    const [first, synonym] = [answer?.score?.index, (await on.rowOf(job, '/deep/other'))?.score?.index]
    expect(first).toBeGreaterThan(0.8)
    // Without any word of the goal: its position alone.
    expect(synonym).toBeGreaterThan(0.1)
    expect(synonym).toBeLessThan(0.3)
    expect((await on.rowOf(job, '/a'))?.score).not.toHaveProperty('index')
    expect((await on.rowOf(job, '/shop'))?.score).not.toHaveProperty('index')
    expect((await orderOf(job.urls())).some((path) => path.startsWith('/search'))).toBe(false)
  })

  it('is asked for fewer words where it finds nothing', async () => {
    const suggestions = results(['/a', 'Popular article'], ['/b', 'Another one'])
    const search: Pages[string] = ({ request, response }) => {
      const isAll = request.url?.includes('annual') === true
      response.writeHead(200, { 'content-type': 'text/html' }).end(isAll ? suggestions : found)
    }
    await on.open({ ...help, '/search': search })
    const { job } = await on.crawl(options)
    expect(searches()).toEqual(
      [QUERY, 'refund policy'].map((query) => `/search?lang=en&q=${encodeURIComponent(query)}`),
    )
    expect((await orderOf(job.urls()))[1]).toBe('/deep/answer')
    expect((await on.rowOf(job, '/a'))?.via).toBe('link')
  })

  it.each([
    ['finds nothing', html(results()), 2],
    [
      'is filled by scripts',
      html('<!doctype html><title>Search</title><div id="root"></div><script src="/x.js"></script>'),
      2,
    ],
    ['is missing', html('no', {}, 404), 1],
    ['fails', html('no', {}, 500), 1],
    ['is no web page', html('{"results":[]}', { 'content-type': 'application/json' }), 1],
    ['leads to another host', html('', { location: 'http://other.example/' }, 302), 1],
    ['leads to a log-in', html('', { location: '/login' }, 302), 2],
  ])('changes nothing if it %s', { timeout: 30_000 }, async (_what, search, count) => {
    await on.open({ ...help, '/search': search, '/login': article('Log in', linksTo('/deep/answer')) })
    const { job, status } = await on.crawl(options)
    expect(status).toMatchObject({ status: 'completed', completed: 11, failed: 0 })
    expect(searches()).toHaveLength(count)
    for await (const row of job.urls()) expect(row.via).not.toBe('search')
  })

  it.each([
    ['is endless', html(`<main>${'<p>refund '.repeat(1_000_000)}</main>`), 0, 'more than 4194304 bytes'],
    [
      'has tens of thousands of links',
      html(`<main>${Array.from({ length: 20_000 }, (_link, at) => `<a href="/r/${at}">Refund</a> `).join('')}</main>`),
      30,
      undefined,
    ],
    ['is nested without end', html(`${'<div>'.repeat(300_000)}<a href="/x">y</a>`), 0, undefined],
  ])('ends no crawl if it %s', { timeout: 60_000 }, async (_what, search, count, warning) => {
    await on.open({ ...help, '/search': search })
    const engine = createEngine({ allowPrivateNetworks: true, threads: 1 })
    const job = engine.crawl({ url: on.site.url('/'), ...options, limit: 11 })
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'completed', failed: 0 })
    let rows = 0
    for await (const { via } of job.urls()) if (via === 'search') rows += 1
    expect(rows).toBe(count)
    if (warning === undefined) expect(status.warning).toBeUndefined()
    else expect(status.warning).toContain(warning)
    await engine.close()
  })

  it('is not asked where robots.txt forbids it, but another one is that a page declares', async () => {
    const robots = html('User-agent: *\nDisallow: /search\nDisallow: /*?lang=', { 'content-type': 'text/plain' })
    await on.open({ ...help, '/robots.txt': robots })
    const { status } = await on.crawl(options)
    expect(searches()).toEqual([])
    expect(status.warning).toBeUndefined()
    const form = '<form role="search" action="/find"><input name="q"></form>'
    await on.open({ ...help, '/robots.txt': robots, '/a': article('a', form), '/find': html(found) })
    const { job } = await on.crawl(options)
    expect(on.site.requests.filter(({ path }) => path.startsWith('/find?'))).toHaveLength(1)
    expect(await on.rowOf(job, '/deep/answer')).toMatchObject({ via: 'search', depth: 2 })
  })

  it('is found by its OpenSearch description, before its form', async () => {
    const link = '<link rel="search" type="application/opensearchdescription+xml" href="/osd.xml">'
    const osd = `<OpenSearchDescription><Url type="text/html" template="/find?q={searchTerms}&amp;p={startPage?}"/></OpenSearchDescription>`
    const xml = html(osd, { 'content-type': 'application/opensearchdescription+xml' })
    await on.open({
      ...help,
      '/': article('Help', linksTo('/a', '/b', '/c'), link),
      '/osd.xml': xml,
      '/find': html(found),
    })
    const { job } = await on.crawl(options)
    expect(searches().filter((path) => path.includes('lang='))).toEqual([])
    expect((await orderOf(job.urls()))[1]).toBe('/deep/answer')
    await on.open({ ...help, '/': article('Help', linksTo('/a', '/b', '/c'), link), '/osd.xml': html('no', {}, 404) })
    await on.crawl(options)
    expect(searches()).toHaveLength(1)
  })

  it.each([
    ['on another host', 'http://other.example/?q={q}'],
    ['on another name of this one', 'http://localhost:PORT/find?q={q}'],
    ['at a private address', 'http://169.254.169.254/?q={q}'],
    ['by another protocol', 'file:///etc/{q}'],
  ])('is not asked %s', async (_what, written) => {
    const targetAt = ({ headers }: { headers: { host?: string | undefined } }): string =>
      written.replace('PORT', headers.host?.split(':')[1] ?? '')
    const page = (target: string): string => {
      const linked = { '@type': 'WebSite', potentialAction: { '@type': 'SearchAction', target } }
      return `<title>t</title><script type="application/ld+json">${JSON.stringify(linked)}</script>
        <link rel="search" type="application/opensearchdescription+xml" href="/osd.xml"><main><p>${TEXT}</main>`
    }
    const describeAt = (target: string): string =>
      `<OpenSearchDescription><Url type="text/html" template="${target.replace('{q}', '{searchTerms}')}"/></OpenSearchDescription>`
    await on.open({
      '/': ({ request, response }) => response.setHeader('content-type', 'text/html').end(page(targetAt(request))),
      '/osd.xml': ({ request, response }) =>
        response.setHeader('content-type', 'text/xml').end(describeAt(targetAt(request))),
      '/find': html(found),
    })
    const { status } = await on.crawl(options)
    expect(status).toMatchObject({ completed: 1, total: 1 })
    expect(status.warning).toBeUndefined()
    const paths = on.site.requests.map(({ path }) => path)
    expect(paths).toContain('/osd.xml')
    expect(paths.filter((path) => path.startsWith('/find'))).toEqual([])
  })

  it('is refused by the rules of the scope, and by `nofollow` where it is obeyed', async () => {
    await on.open(help)
    const { job } = await on.crawl({ ...options, excludePaths: ['/deep/answer'] })
    expect(await on.rowOf(job, '/deep/answer')).toMatchObject({ refusal: { reason: 'EXCLUDE_PATTERN' } })
    await on.open({ ...help, '/search': html(found, { 'x-robots-tag': 'noindex, nofollow' }) })
    expect(await on.rowOf((await on.crawl(options)).job, '/deep/answer')).toMatchObject({ via: 'search' })
    const polite = await on.crawl({ ...options, respectMetaRobots: true })
    expect(await on.rowOf(polite.job, '/deep/answer')).toMatchObject({ via: 'link' })
    await on.open({ ...help, '/': html(article('Help', linksTo('/a')), { 'x-robots-tag': 'nofollow' }) })
    await on.crawl({ ...options, respectMetaRobots: true })
    await on.crawl({ ...options, sitemap: 'only' })
    await on.crawl({ sitemap: 'skip' })
    expect(searches()).toEqual([])
  })

  it('leaves no word of the goal in the rows of a job that keeps no data', async () => {
    await on.open(help)
    const { job } = await on.crawl({ ...options, zeroDataRetention: true })
    const answer = await on.rowOf(job, '/deep/answer')
    expect(answer).toMatchObject({ via: 'search', foundOn: on.site.url('/') })
    for await (const row of job.urls()) expect(JSON.stringify(row)).not.toMatch(/annual/i)
  })

  it('is not asked again in another process, which continues in the same order', { timeout: 30_000 }, async () => {
    const many = Array.from({ length: 30 }, (_page, nth) => `/p/${nth}`)
    const pages = Object.fromEntries(
      many.map((path, nth) => [
        path,
        article(`Page ${nth}`, linksTo(...[1, 2, 3].map((step) => `/p/${(nth * 3 + step) % 30}`))),
      ]),
    )
    const list = results(...[7, 11, 19, 23, 28].map((nth) => [`/p/${nth}`, `Page ${nth} about a refund`] as const))
    await on.open({ ...pages, '/': article('Help', linksTo('/p/1', '/p/2', '/p/3')), '/search': html(list) })
    const start = (): Engine =>
      createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(join(folder, 'jobs.db')) })
    const request = { url: on.site.url('/'), ...options, maxConcurrency: 3 } as const
    const first = start()
    const whole = first.crawl(request)
    await whole.finished()
    const order = await orderOf(whole.urls())
    const job = first.crawl(request)
    let documents = 0
    for await (const _ of job) if (++documents === 4) break
    await first.close({ drain: false })
    const second = start()
    const [resumed] = await second.resume()
    await resumed?.finished()
    expect(resumed && (await orderOf(resumed.urls()))).toEqual(order)
    expect(searches()).toHaveLength(2)
    await second.close()
  })
  it('is asked again in another process if there was no answer', { timeout: 60_000 }, async () => {
    let isSilent = true
    const search: Pages[string] = (exchange) => {
      const answer = html(found)
      if (!isSilent && typeof answer === 'function') void answer(exchange)
    }
    await on.open({ ...help, '/search': search })
    const start = (): Engine =>
      createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(join(folder, 'late.db')) })
    const first = start()
    const job = first.crawl({ url: on.site.url('/'), ...options })
    let documents = 0
    for await (const _ of job) if (++documents === 3) break
    await first.close({ drain: false })
    isSilent = false
    const second = start()
    const [resumed] = await second.resume()
    await resumed?.finished()
    expect(searches()).toHaveLength(2)
    const answer = await resumed?.explain(on.site.url('/deep/answer'))
    expect(answer).toMatchObject({ via: 'search', outcome: 'done' })
    await second.close()
  })
})
