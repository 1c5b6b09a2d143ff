import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type LedgerRow, sqlite } from '../../../src/index.js'
import { pathOf, type Pages, useCrawlSite } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))
const goal = 'refund policy for annual plans'
/** Enough words for a page that no browser needs to render. */
const TEXT = 'Some words that are the content of this page of the manual, as a reader sees it. '.repeat(5)

/** A page of documentation by Sphinx, with links. */
const article = (title: string, ...links: string[]): string =>
  `<!doctype html><title>${title}</title><script src="/_static/doctools.js"></script><main><h1>${title}</h1><p>${TEXT}</p>${links
    .map((href) => `<a href="${href}">${href}</a>`)
    .join(' ')}</main>`

const file =
  (text: string, status = 200): Pages[string] =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/javascript' })
    response.end(text)
  }

const names = ['index', 'a', 'b', 'c', 'deep/answer', 'deep/other', 'lost']
const searchIndex = `Search.setIndex(${JSON.stringify({
  docnames: names,
  titles: ['Manual', 'A', 'B', 'C', 'Annual plans', 'Other', 'Policy of the lost page'],
  terms: { refund: 4, polici: [4, 5], annual: 4, plan: [4, 5] },
  titleterms: { annual: 4, plan: 4 },
})})`

/** A manual whose answer is three links away from the start page. */
const manual: Pages = {
  '/': article('Manual', 'a.html', 'b.html', 'c.html'),
  '/a.html': article('A', 'deep/other.html'),
  '/b.html': article('B'),
  '/c.html': article('C'),
  '/deep/other.html': article('Other', 'answer.html'),
  '/deep/answer.html': article('Annual plans'),
  '/lost.html': article('Policy of the lost page'),
  '/searchindex.js': file(searchIndex),
}

const requestsFor = (path: string): number => on.site.requests.filter((one) => one.path === path).length

async function orderOf(rows: AsyncIterable<LedgerRow>): Promise<string[]> {
  const found: LedgerRow[] = []
  for await (const row of rows) if (row.order !== undefined) found.push(row)
  return found.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ url }) => pathOf(url))
}

describe("the site's own search index, in a crawl with a `goal`", () => {
  it('is requested once, and its best pages come first', async () => {
    await on.open(manual)
    const { job, status } = await on.crawl({ goal, sitemap: 'skip' })
    const order = await orderOf(job.urls())
    expect(order.slice(0, 2)).toEqual(['/', '/deep/answer.html'])
    expect(order).toHaveLength(7)
    expect(requestsFor('/searchindex.js')).toBe(1)
    expect(status).toMatchObject({ completed: 7, total: 7, failed: 0 })
    expect(status.warning).toBeUndefined()
  })

  it('is read in a worker thread where it is large', { timeout: 30_000 }, async () => {
    const more = Array.from({ length: 2000 }, (_page, nth) => `more/page-${nth}`)
    const index = { docnames: [...more, 'deep/answer'], terms: { refund: [2000], polici: 2000, annual: [2000] } }
    const script = `Search.setIndex(${JSON.stringify(index)})`
    await on.open({ ...manual, '/searchindex.js': file(script) })
    const { job, status } = await on.crawl({ goal, sitemap: 'skip' })
    expect((await orderOf(job.urls())).slice(0, 2)).toEqual(['/', '/deep/answer.html'])
    expect(status).toMatchObject({ completed: 6, failed: 0 })
  })

  it('is where `explain` shows that a page was found, with its part of the score', async () => {
    await on.open(manual)
    const { job } = await on.crawl({ goal, sitemap: 'skip' })
    const answer = await on.rowOf(job, '/deep/answer.html')
    const foundOn = on.site.url('/searchindex.js')
    expect(answer).toMatchObject({ via: 'search', depth: 1, foundOn, anchor: 'Annual plans', outcome: 'done' })
    expect(answer?.score?.index).toBeGreaterThan(0.5)
    const dull = await on.rowOf(job, '/b.html')
    expect(dull).toMatchObject({ via: 'link', score: { index: 0 } })
  })

  it('is not asked with `siteSearch: false`, nor without a `goal`', async () => {
    await on.open(manual)
    const { job, paths } = await on.crawl({ goal, siteSearch: false, sitemap: 'skip' })
    expect((await orderOf(job.urls())).indexOf('/deep/answer.html')).toBeGreaterThan(3)
    expect(paths).not.toContain('/lost.html')
    expect((await on.rowOf(job, '/b.html'))?.score).not.toHaveProperty('index')
    await on.crawl({ sitemap: 'skip' })
    expect(requestsFor('/searchindex.js')).toBe(0)
  })

  it('is refused by the rules of the scope like any page', async () => {
    await on.open(manual)
    const { job } = await on.crawl({ goal, sitemap: 'skip', excludePaths: ['/deep/'], maxDiscoveryDepth: 1 })
    expect(await on.rowOf(job, '/deep/answer.html')).toMatchObject({ refusal: { reason: 'EXCLUDE_PATTERN' } })
    const { job: other } = await on.crawl({ goal, sitemap: 'skip', maxDiscoveryDepth: 0 })
    expect(await on.rowOf(other, '/deep/answer.html')).toMatchObject({ refusal: { reason: 'DISCOVERY_DEPTH' } })
  })

  it('says nothing about pages outside of its folders', async () => {
    const column = { t: [3, 3], n: ['Refund', 'Other'], q: ['plans', ''], d: [], i: [0, 0], p: [] }
    const paths = ['plans/struct.Other.html', 'plans/struct.Refund.html', 'plansbook/a.html', 'book/b.html']
    const settings = '<div id="rustdoc-vars" data-root-path="./" data-resource-suffix="1"></div>'
    await on.open({
      '/': article('Documentation', ...paths) + settings,
      ...Object.fromEntries(paths.map((name) => [`/${name}`, article(name)])),
      '/search-index1.js': file(`var searchIndex = JSON.parse('${JSON.stringify({ plans: column })}');`),
    })
    const { job } = await on.crawl({ goal: 'refund', sitemap: 'skip' })
    const scoreOf = async (path: string) => (await on.rowOf(job, `/${path}`))?.score
    expect((await scoreOf('plans/struct.Refund.html'))?.index).toBeGreaterThan(0.5)
    expect(await scoreOf('plans/struct.Other.html')).toMatchObject({ index: 0 })
    for (const path of paths.slice(2)) expect(await scoreOf(path)).not.toHaveProperty('index')
  })

  it('is not requested where robots.txt forbids it', async () => {
    await on.open({ ...manual, '/robots.txt': file('User-agent: *\nDisallow: /searchindex.js') })
    const { status } = await on.crawl({ goal, sitemap: 'skip' })
    expect(requestsFor('/searchindex.js')).toBe(0)
    expect(status).toMatchObject({ completed: 6, failed: 0 })
  })

  it('is not requested from another host', async () => {
    await on.open({ '/': article('Manual').replace('/_static', 'http://other.example/_static') })
    const { status } = await on.crawl({ goal, sitemap: 'skip' })
    expect(status).toMatchObject({ completed: 1, total: 1 })
    expect(status.warning).toBeUndefined()
  })

  it.each([
    ['is broken', file('Search.setIndex(oops'), true],
    ['has an endless list', file(`x(${'['.repeat(100_000)}`), true],
    ['is missing', file('no', 404), false],
    ['is too large', file(`Search.setIndex({"docnames":[${'"a",'.repeat(9_000_000)}"a"]})`), true],
  ])('ends no crawl if it %s', { timeout: 60_000 }, async (_what, index, isNamed) => {
    await on.open({ ...manual, '/searchindex.js': index })
    const { status } = await on.crawl({ goal, sitemap: 'skip' })
    expect(status).toMatchObject({ status: 'completed', completed: 6, failed: 0 })
    if (isNamed) expect(status.warning).toContain('/searchindex.js was not used: ')
    else expect(status.warning).toBeUndefined()
  })

  it(
    'does not change the order from one crawl to the next, whatever the latencies are',
    { timeout: 60_000 },
    async () => {
      const later =
        (html: Pages[string]): Pages[string] =>
        (exchange) => {
          setTimeout(() => {
            if (typeof html === 'string') exchange.response.writeHead(200, { 'content-type': 'text/html' }).end(html)
            else void html?.(exchange)
          }, Math.random() * 30)
        }
      await on.open(Object.fromEntries(Object.entries(manual).map(([path, html]) => [path, later(html)])))
      const orders: string[] = []
      for (let nth = 0; nth < 10; nth += 1) {
        const { job } = await on.crawl({ goal, sitemap: 'skip' })
        orders.push((await orderOf(job.urls())).join(' '))
      }
      expect(new Set(orders).size).toBe(1)
    },
  )

  it('is read again in another process, which continues in the same order', { timeout: 30_000 }, async () => {
    const docs = Object.fromEntries(
      Array.from({ length: 30 }, (_page, nth): [string, string] => [
        nth === 0 ? 'index' : `p${nth}`,
        ['refund', 'policy', 'annual', 'plans', 'other', 'page']
          .filter((_word, at) => (nth * 7) % (at + 2) === 0)
          .join(' '),
      ]),
    )
    const paths = Object.keys(docs)
    const linksOf = (nth: number): string[] => [1, 2, 3].map((step) => `${paths[(nth * 3 + step) % paths.length]}.html`)
    const pages = Object.fromEntries(
      paths.map((path, nth) => [`/${path}.html`, article(`Page ${nth}`, ...linksOf(nth))]),
    )
    const index = { docnames: paths, titles: Object.values(docs), terms: { refund: [1, 7, 9], polici: [2, 7, 20] } }
    const script = `Search.setIndex(${JSON.stringify(index)})`
    await on.open({ ...pages, '/': article('Manual', ...linksOf(0)), '/searchindex.js': file(script) })
    const start = (): Engine =>
      createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(join(folder, 'jobs.db')) })
    const request = {
      url: on.site.url('/'),
      goal,
      sitemap: 'skip',
      maxConcurrency: 3,
    } as const
    const first = start()
    const whole = first.crawl(request)
    await whole.finished()
    const order = await orderOf(whole.urls())
    const job = first.crawl(request)
    let documents = 0
    for await (const _ of job) if (++documents === 8) break
    await first.close({ drain: false })
    const second = start()
    const [resumed] = await second.resume()
    await resumed?.finished()
    expect(resumed && (await orderOf(resumed.urls()))).toEqual(order)
    expect(requestsFor('/searchindex.js')).toBe(3)
    await second.close()
  })

  it('is an option of crawls with a `goal` only', async () => {
    await on.open(manual)
    expect(() => on.engine.crawl({ url: 'https://example.com/', siteSearch: true })).toThrow('needs a `goal`')
  })
})
