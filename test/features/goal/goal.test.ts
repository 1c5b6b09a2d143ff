import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type Job, type LedgerRow, sqlite } from '../../../src/index.js'
import { pathOf, useCrawlSite, type Pages } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()
const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** A page with a title, some text, and links with their texts. */
const article = (title: string, text: string, links: Readonly<Record<string, string>> = {}): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p><ul>${Object.entries(links)
    .map(([href, name]) => `<li><a href="${href}">${name}</a></li>`)
    .join('\n')}</ul></main>`

const dull = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`/news/${nth}`, `News of day ${nth}`]))

/** A shop whose refund policy is two links away from the start page, behind a page whose name does not say so. */
const shop: Pages = {
  '/': article('Shop', 'Welcome to our shop.', { ...dull(20), '/help': 'Help and policies', '/about': 'About us' }),
  '/help': article('Help', 'Answers to common questions.', { '/help/shipping': 'Shipping', '/help/7': 'Annual plans' }),
  '/help/7': article('Annual plans', 'The refund policy: annual plans are refunded in 30 days.'),
  '/help/shipping': article('Shipping', 'We ship with a truck.'),
  '/about': article('About us', 'We are a shop.'),
  ...Object.fromEntries(
    Object.entries(dull(20)).map(([path, name]) => [path, article(name, 'Something happened today.', { '/': 'Home' })]),
  ),
}

/** News pages without links. */
const shopOfDull = (count: number): Pages =>
  Object.fromEntries(Object.entries(dull(count)).map(([path, name]) => [path, article(name, 'It rained.')]))

const goal = 'What is the refund policy for annual plans?'

/** The started rows of a job in the order in which they were leased, by their paths. */
async function orderOf(job: Job<unknown>): Promise<string[]> {
  const rows: LedgerRow[] = []
  for await (const row of job.urls()) if (row.order !== undefined) rows.push(row)
  return rows.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ url }) => pathOf(url))
}

/** A site of some 60 pages, each of which links to eight others, with words of the goal here and there. */
function tangle(sendPageLater: (html: string) => Pages[string]): Pages {
  const words = ['refund', 'policy', 'annual', 'plans', 'news', 'team', 'jobs', 'press']
  const nameOf = (nth: number): string => `${words[nth % 8]} ${words[(nth * 5 + 3) % 8]} ${nth}`
  const pathTo = (nth: number): string => (nth === 0 ? '/' : `/p/${nth}`)
  return Object.fromEntries(
    Array.from({ length: 60 }, (_page, nth) => {
      const links = Array.from({ length: 8 }, (_link, at) => (nth * 7 + at * 11 + 1) % 60)
      const html = article(
        nameOf(nth),
        nameOf(nth * 3),
        Object.fromEntries(links.map((to) => [pathTo(to), nameOf(to)])),
      )
      return [pathTo(nth), sendPageLater(html)]
    }),
  )
}

describe('a crawl with a `goal`', () => {
  it('fetches the pages whose links promise the goal first', async () => {
    await on.open(shop)
    const { job } = await on.crawl({ goal, sitemap: 'skip', maxConcurrency: 1 })
    expect((await orderOf(job)).slice(0, 3)).toEqual(['/', '/help', '/help/7'])
  })

  it('fetches every page in scope in the end, each URL with one outcome', async () => {
    await on.open(shop)
    const { job, status, paths } = await on.crawl({ goal, sitemap: 'skip' })
    expect(paths).toEqual(Object.keys(shop).toSorted())
    expect(status).toMatchObject({ completed: 25, total: 25, failed: 0 })
    expect(new Set(await orderOf(job)).size).toBe(25)
  })

  it('chooses the same pages in the same order, whatever the latencies are', { timeout: 60_000 }, async () => {
    const later =
      (html: string): Pages[string] =>
      ({ response }) =>
        void setTimeout(() => response.end(html), Math.random() * 25)
    await on.open(tangle(later))
    const orders: string[][] = []
    for (let run = 0; run < 10; run += 1) {
      const { job } = await on.crawl({ goal, sitemap: 'skip', maxConcurrency: 5, limit: 40 })
      orders.push(await orderOf(job))
    }
    expect(orders[0]?.length).toBe(40)
    expect(new Set(orders.map((order) => order.join(' '))).size).toBe(1)
  })

  it('explains the score of a URL by its parts', async () => {
    await on.open(shop)
    const { job } = await on.crawl({ goal, sitemap: 'skip' })
    const promising = await on.rowOf(job, '/help/7')
    const plain = await on.rowOf(job, '/news/3')
    expect(promising?.score).toMatchObject({ anchor: expect.any(Number), distance: 0.5 })
    expect(promising?.score?.anchor).toBeGreaterThan(0.3)
    expect(plain?.score).toMatchObject({ anchor: 0, path: 0, near: 0 })
    expect(promising?.score?.score).toBeGreaterThan(plain?.score?.score ?? 1)
    expect((await on.rowOf(job, '/'))?.score).toBeUndefined()
  })

  it('orders the pages of a sitemap by the words of their URLs', async () => {
    const urls = ['/a', '/b', '/refund-policy'].map((path) => `<url><loc>${path}</loc></url>`)
    await on.open({
      '/': article('Shop', 'Welcome.'),
      '/sitemap.xml': ({ response, request }) => {
        response.setHeader('content-type', 'text/xml')
        response.end(`<urlset>${urls.join('').replaceAll('<loc>', `<loc>http://${request.headers.host}`)}</urlset>`)
      },
      '/a': article('A', 'a'),
      '/b': article('B', 'b'),
      '/refund-policy': article('Refund policy', 'Annual plans.'),
    })
    const { job } = await on.crawl({ goal, maxConcurrency: 1 })
    expect(await orderOf(job)).toEqual(['/', '/refund-policy', '/a', '/b'])
  })

  it('ends with failed and hanging pages among those that wait for their turns', async () => {
    const broken = article('Annual plans', 'Refund.', {
      '/reset': 'Refund policy',
      '/a': 'Refund plans',
      '/b': 'Plans',
    })
    await on.open({
      '/': broken,
      '/a': article('A', 'a'),
      '/b': article('B', 'b', { '/c': 'C' }),
      '/c': article('C', 'c'),
    })
    const { status, paths } = await on.crawl({ goal, sitemap: 'skip', maxConcurrency: 3 })
    expect(paths).toEqual(['/', '/a', '/b', '/c'])
    expect(status).toMatchObject({ status: 'completed', failed: 1 })
  })

  it('stops at a budget while pages wait for their turns, and continues after it', async () => {
    await on.open(shop)
    const job = on.engine.crawl({ url: on.site.url('/'), goal, sitemap: 'skip', budget: { requests: 10 } })
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests' })
    await job.resume({ budget: { requests: 100 } })
    expect(await job.finished()).toMatchObject({ completed: 25 })
  })

  it('continues in the same order in another process', { timeout: 30_000 }, async () => {
    await on.open(tangle((html) => html))
    const file = join(folder, 'jobs.db')
    const start = (): Engine => createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(file) })
    const options = { goal, sitemap: 'skip', maxConcurrency: 3, limit: 40 } as const
    const request = { url: on.site.url('/'), ...options }
    const first = start()
    const whole = first.crawl(request)
    await whole.finished()
    const order = await orderOf(whole)
    const job = first.crawl(request)
    let documents = 0
    for await (const _ of job) if (++documents === 12) break
    await first.close({ drain: false })
    const second = start()
    const [resumed] = await second.resume()
    expect(await resumed?.finished()).toMatchObject({ completed: 40 })
    expect(resumed && (await orderOf(resumed))).toEqual(order)
    await second.close()
  })

  it('ends when enough is known, with every URL in one outcome', async () => {
    await on.open(shop)
    const { job, status } = await on.crawl({
      goal,
      sitemap: 'skip',
      until: { answers: 1, pages: 2 },
      maxConcurrency: 1,
    })
    expect(status).toMatchObject({ status: 'completed', stoppedBy: 'known', completed: 3, total: 3, failed: 0 })
    expect(status.skippedByReason).toEqual({ KNOWN: 22 })
    expect(await orderOf(job)).toEqual(['/', '/help', '/help/7'])
    expect((await on.rowOf(job, '/news/1'))?.refusal).toMatchObject({ reason: 'KNOWN' })
    expect(status.coverage).toMatchObject({ answers: 1, missing: [] })
    expect(status.coverage?.covered.map(({ text }) => text)).toEqual(['refund policy', 'annual plans'])
    expect(status.coverage?.covered[0]).toMatchObject({ pages: 1, best: [on.site.url('/help/7')] })
  })

  it('has its coverage after it has ended, also in another process', { timeout: 30_000 }, async () => {
    await on.open(shop)
    const file = join(folder, 'coverage.db')
    const start = (): Engine => createEngine({ allowPrivateNetworks: true, threads: 0, ledger: sqlite(file) })
    const first = start()
    const job = first.crawl({
      url: on.site.url('/'),
      goal: `${goal} "gift cards"`,
      sitemap: 'skip',
    })
    const { coverage } = await job.finished()
    expect(coverage?.covered[0]).toEqual({ text: 'refund policy', pages: 1, best: [on.site.url('/help/7')] })
    expect(coverage?.missing).toEqual(['gift cards', 'gift', 'cards'])
    await first.close()
    const second = start()
    const found = await second.job(job.id)
    expect((await found?.status())?.coverage).toEqual(coverage)
    expect((await found?.status())?.coverage).toEqual(coverage)
    await second.close()
  })

  it('ends where nothing is found, after many dull pages, and says what is missing', async () => {
    await on.open({ '/': article('Start', 'Text.', dull(600)), ...shopOfDull(600) })
    const { status } = await on.crawl({ goal, sitemap: 'skip', until: {} })
    expect(status).toMatchObject({ status: 'completed', stoppedBy: 'known' })
    expect(status.completed).toBeGreaterThan(550)
    expect(status.completed).toBeLessThan(580)
    expect(status.coverage).toMatchObject({
      covered: [],
      missing: ['refund policy', 'refund', 'policy', 'annual plans', 'annual', 'plans'],
      answers: 0,
    })
  })

  it('is not `stoppedBy` anything when the whole site was fetched', async () => {
    await on.open({ '/': article('Refund policy', 'Annual plans.') })
    const { status } = await on.crawl({ goal, sitemap: 'skip', until: { answers: 1, pages: 1 } })
    expect(status).toMatchObject({ status: 'completed', completed: 1, coverage: { answers: 1 } })
    expect(status.stoppedBy).toBeUndefined()
  })

  it('refuses `until` without a goal', async () => {
    await on.open(shop)
    expect(() => on.engine.crawl({ url: on.site.url('/'), until: {} })).toThrow(/until: .*`goal`/)
  })

  it('refuses a goal without a word', async () => {
    await on.open(shop)
    expect(() => on.engine.crawl({ url: on.site.url('/'), goal: '?!' })).toThrow(/goal: .* at least one word/)
  })
})
