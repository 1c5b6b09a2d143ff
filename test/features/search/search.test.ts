import { describe, expect, it } from 'vitest'
import { createEngine, type Engine, type SearchHit, type SearchOptions } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { startSite } from '../../site/site.js'

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const PAGES = {
  '/': html(
    'Shop',
    '<p>Welcome to the shop.</p><p><a href="/refunds">Refunds</a> <a href="/shipping">Shipping</a> <a href="/none">None</a></p>',
  ),
  '/refunds': html(
    'Refunds',
    '<h2>Annual plans</h2><p>Annual plans are refunded within fourteen days of the purchase.</p><h2>Monthly plans</h2><p>Monthly plans end with the month.</p>',
  ),
  '/shipping': html('Shipping', '<p>Parcels leave the warehouse on Mondays.</p>'),
}

const open = (settings: Parameters<typeof createEngine>[0] = {}): Engine =>
  createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0, ...settings })

const titles = (hits: readonly SearchHit[]): (string | undefined)[] => hits.map(({ title }) => title)

describe('the search index of an engine', () => {
  it('finds chunks of the pages of a job, with heading path and a link to the passage', async () => {
    await using site = await startSite({ pages: PAGES })
    await using engine = open({ index: true })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', ignoreRobotsTxt: true })
    await job.finished()
    const [first] = await job.search('How long can I get a refund for an annual plan?')
    expect(first).toMatchObject({
      url: site.url('/refunds'),
      title: 'Refunds',
      path: ['Refunds', 'Annual plans'],
      link: `${site.url('/refunds')}#:~:text=Annual%20plans%20are%20refunded%20within%20fourteen%20days%20of`,
      language: 'en',
      jobId: job.id,
    })
    expect(first?.text).toContain('Annual plans are refunded within fourteen days of the purchase.')
    expect(titles(await engine.search('warehouse'))).toEqual(['Shipping'])
    expect(await engine.search('warehouse', { filter: { url: site.url('/refunds') } })).toEqual([])
    // The page that answered 404 is a document, and not in the index.
    expect(await engine.search('', { filter: { url: site.url('/none') } })).toEqual([])
    expect(await engine.search('none', { filter: { url: site.url('/none') } })).toEqual([])
  })

  it('searches a job that has no page yet, and one that gets none', async () => {
    await using site = await startSite({ pages: PAGES })
    await using engine = open({ index: true })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', ignoreRobotsTxt: true })
    expect(await job.search('warehouse')).toBeInstanceOf(Array)
    await job.finished()
    expect(titles(await job.search('warehouse'))).toEqual(['Shipping'])
    const refused = engine.batchScrape({ urls: ['http://127.0.0.1:1/'] })
    expect(await refused.finished()).toMatchObject({ failed: 1 })
    expect(await refused.search('warehouse')).toEqual([])
  })

  it('is missed by a search of all jobs before any job is indexed', async () => {
    await using engine = open()
    await expect(engine.search('parcels')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('`createEngine({ index: true })`'),
    })
    await using indexing = open({ index: true })
    expect(await indexing.search('parcels')).toEqual([])
  })

  it('indexes a job that asks for it, and leaves no Markdown in documents of other formats', async () => {
    await using site = await startSite({ pages: PAGES })
    await using engine = open()
    const job = engine.batchScrape({ urls: [site.url('/refunds')], formats: ['links'], index: true })
    const { data } = await job.finished()
    expect(data[0]).not.toHaveProperty('markdown')
    expect(titles(await job.search('fourteen days'))).toEqual(['Refunds'])
    const other = engine.batchScrape({ urls: [site.url('/shipping')] })
    await other.finished()
    await expect(other.search('parcels')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('`index: true`'),
    })
    expect(await engine.search('parcels')).toEqual([])
  })

  it('does not index a job that declines it, nor one with `zeroDataRetention`', async () => {
    await using site = await startSite({ pages: PAGES })
    await using engine = open({ index: true })
    const urls = [site.url('/refunds')]
    await engine.batchScrape({ urls, index: false }).finished()
    await engine.batchScrape({ urls, zeroDataRetention: true }).finished()
    expect(await engine.search('fourteen days')).toEqual([])
    expect(() => engine.batchScrape({ urls, zeroDataRetention: true, index: true })).toThrow(
      'index: true stores the text of the pages: with `zeroDataRetention` nothing is stored',
    )
  })

  it('forgets a job when the engine does', async () => {
    await using site = await startSite({ pages: PAGES })
    let nowMs = Date.now()
    await using engine = open({ index: true, retentionMs: 60_000, now: () => nowMs })
    const job = engine.batchScrape({ urls: [site.url('/refunds')] })
    await job.finished()
    expect(await engine.search('fourteen')).toHaveLength(1)
    nowMs += 60_001
    expect(await engine.search('fourteen')).toEqual([])
    expect(await engine.job(job.id)).toBeUndefined()
    await expect(job.search('fourteen')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('refuses a query that is no text, and options out of range', async () => {
    await using engine = open({ index: true })
    for (const [query, options] of [
      [7, {}],
      ['x'.repeat(10_001), {}],
      ['x', { limit: 101 }],
      ['x', { limit: -1 }],
      ['x', { filter: { after: 'yesterday' } }],
      ['x', { filter: { page: 'x' } }],
      ['x', { depth: 1 }],
      ['x', 5],
      ['x', 'y'],
      ['x', ['y']],
      ['x', { filter: { after: '03/04/2024' } }],
      ['x', { filter: { before: '5' } }],
    ] as const)
      await expect(engine.search(query as string, options as SearchOptions)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    expect(await engine.search('x')).toEqual([])
    for (const after of ['2024', '2024-03', '2024-03-04', '2024-03-04T05:06:07Z'])
      expect(await engine.search('x', { filter: { after } })).toEqual([])
    const noOptions: unknown = 5
    await expect(engine.search('x', noOptions as SearchOptions)).rejects.toThrow(
      'options: 5 is not an object: allowed are limit, filter',
    )
  })

  it('opens no thread when it is closed unused, and takes no calls afterwards', async () => {
    const engine = open({ index: true })
    await engine.close()
    await expect(engine.search('x')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })
})

describe('an indexed crawl with `since`', () => {
  const on = useChangingSite()

  it('replaces changed pages, keeps unchanged ones and drops those that are no longer there', async () => {
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
    pages.set('/a', { links: [], text: 'apples' })
    pages.set('/b', { links: [], text: 'pears' })
    pages.set('/c', { links: [], text: 'plums' })
    const crawl = { url: start, index: true, since: 'last' } as const
    const first = engine.crawl(crawl)
    await first.finished()
    expect(await engine.search('apples')).toHaveLength(1)
    pages.set('/', { links: ['/a', '/b'] })
    pages.set('/b', { links: [], text: 'cherries' })
    const second = engine.crawl(crawl)
    await second.finished()
    expect(await engine.search('apples')).toMatchObject([{ jobId: second.id }])
    expect(await engine.search('pears')).toEqual([])
    expect(await engine.search('cherries')).toHaveLength(1)
    expect(await engine.search('plums')).toEqual([])
    expect(await first.search('plums')).toHaveLength(1)
    expect(await second.search('plums')).toEqual([])
  })

  it('reads pages again that have not changed, if the earlier crawl was not indexed', async () => {
    const { engine, pages, start } = await openChangingSite(on, { '/': ['/a'] })
    pages.set('/a', { links: [], text: 'apples' })
    await engine.crawl({ url: start, since: 'last' }).finished()
    const second = engine.crawl({ url: start, since: 'last', index: true })
    await second.finished()
    expect(await second.search('apples')).toHaveLength(1)
  })
})
