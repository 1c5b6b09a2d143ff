import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, describe, it } from 'vitest'
import { createEngine, type CrawlRequest, sqlite } from '../../../src/index.js'
import { type Site, startSite } from '../../site/site.js'
import { answer, page, pathOf, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()
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
const fail = ({ response }: { response: { destroy(): void } }): void => response.destroy()
const urls = (...paths: string[]): string[] => paths.map((path) => on.site.url(path))

describe('a crawl with several start URLs', () => {
  it('scrapes what is below any of them, each page once', async () => {
    await on.open(site)
    const { job, status, paths } = await on.crawl({ path: '/docs/', urls: urls('/blog/', '/docs/', '/blog/') })
    expect(paths).toEqual(['/blog/', '/blog/b', '/docs/', '/docs/a'])
    expect(
      status.data.filter(({ metadata }) => metadata.depth === 0).map(({ metadata }) => pathOf(metadata.sourceURL)),
    ).toEqual(['/docs/', '/blog/'])
    expect(on.site.requests.filter(({ path }) => path === '/blog/b')).toHaveLength(1)
    expect(await on.rowOf(job, '/about')).toMatchObject({ refusal: { reason: 'BACKWARD_CRAWLING' } })
    expect(await job.explain(on.site.url('/blog/never'))).toMatchObject({ outcome: 'unseen' })
    expect(await job.explain(on.site.url('/blog/never'))).not.toHaveProperty('refusal')
    expect(await job.explain(on.site.url('/other/never'))).toMatchObject({ refusal: { reason: 'BACKWARD_CRAWLING' } })
  })

  it('counts all of them towards one limit', async () => {
    await on.open(site)
    const { status } = await on.crawl({ path: '/docs/', urls: urls('/blog/', '/shop/'), limit: 4 })
    expect(status).toMatchObject({ completed: 4, total: 4 })
  })

  it('applies patterns and depth to each', async () => {
    await on.open(site)
    expect((await on.crawl({ path: '/docs/', urls: urls('/blog/'), excludePaths: ['b$'] })).paths).toEqual([
      '/blog/',
      '/docs/',
      '/docs/a',
    ])
    expect(
      (await on.crawl({ path: '/docs/', urls: urls('/blog/'), maxDiscoveryDepth: 0, sitemap: 'skip' })).paths,
    ).toEqual(['/blog/', '/docs/'])
  })

  it('goes on when one of them is gone or refused, and fails when none answers', async () => {
    await on.open({ ...site, '/broken/': fail, '/broken/x': fail })
    const { status, paths } = await on.crawl({ path: '/broken/', urls: urls('/shop/') })
    expect([status.status, status.failed, paths]).toEqual(['completed', 1, ['/shop/', '/shop/c']])
    expect((await on.crawl({ path: '/broken/', urls: urls('/broken/x') })).status.status).toBe('failed')
  })

  it('moves the scope of the one that leads elsewhere, and of no other', async () => {
    await on.open({ ...site, '/old/': answer({ location: '/shop/' }, '', 301) })
    const { paths } = await on.crawl({ path: '/docs/', urls: urls('/old/') })
    expect(paths).toEqual(['/docs/', '/docs/a', '/shop/', '/shop/c'])
  })

  it('crawls other hosts, whose links and sitemaps belong to it', async () => {
    await on.open(site)
    let other: Site | undefined
    const origin = () => other?.origin ?? ''
    await using second = await startSite({
      pages: {
        '/guide/': page('/guide/x', '/else'),
        '/guide/x': page(),
        '/guide/y': page(),
        '/else': page(),
        '/sitemap.xml': ({ response }) => response.end(`<urlset><url><loc>${origin()}/guide/y</loc></url></urlset>`),
      },
    })
    other = second
    const job = on.engine.crawl({ url: on.site.url('/shop/'), urls: [second.url('/guide/')] })
    const { data } = await job.finished()
    const found = data.map(({ metadata }) => metadata.url).toSorted()
    expect(found).toEqual(
      [...urls('/shop/', '/shop/c'), ...['/guide/', '/guide/x', '/guide/y'].map((path) => second.url(path))].toSorted(),
    )
    expect(await job.explain(second.url('/else'))).toMatchObject({ refusal: { reason: 'BACKWARD_CRAWLING' } })
    expect(await job.explain('https://third.test/')).toMatchObject({ refusal: { reason: 'EXTERNAL_LINK' } })
  })

  it('sends request headers to the host of each', async () => {
    await on.open(site)
    await using second = await startSite({ pages: { '/': page() } })
    const scrapeOptions: CrawlRequest['scrapeOptions'] = { headers: { 'x-key': 'secret' }, maxAge: 0 }
    await on.engine.crawl({ url: on.site.url('/shop/'), urls: [second.url('/')], scrapeOptions }).finished()
    expect(second.requests.find(({ path }) => path === '/')?.headers).toMatchObject({ 'x-key': 'secret' })
  })

  it.each([['no url'], [['https://a.test/', 'ftp://b.test/']], [5]])('refuses %j', async (wrong) => {
    await using engine = createEngine()
    expect(() => engine.crawl({ url: 'https://a.test/', urls: wrong as never })).toThrow(/urls/)
  })

  it('is resumed by another engine with all of its scopes', async () => {
    await on.open(site)
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    try {
      const settings = {
        ledger: sqlite(join(folder, 'jobs.db')),
        allowPrivateNetworks: true,
        fetcher: 'http',
        maxConcurrency: 1,
        threads: 0,
      } as const
      const first = createEngine(settings)
      const job = first.crawl({ url: on.site.url('/docs/'), urls: urls('/blog/', '/shop/') })
      await job.prepared()
      await first.close()
      await using second = createEngine({ ...settings, ledger: sqlite(join(folder, 'jobs.db')) })
      const status = await (await second.job(job.id))?.finished()
      expect(status?.data.map(({ metadata }) => pathOf(metadata.url)).toSorted()).toEqual([
        '/blog/',
        '/blog/b',
        '/docs/',
        '/docs/a',
        '/shop/',
        '/shop/c',
        '/shop/d',
      ])
      expect(await (await second.job(job.id))?.explain(on.site.url('/shop/never'))).not.toHaveProperty('refusal')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
