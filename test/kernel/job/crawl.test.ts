import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { answer, createConcurrencyCounter, page, pathOf, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

describe('a crawl', () => {
  it('scrapes the start page and every page below it that can be reached', async () => {
    await on.open({
      '/docs/': page('/docs/a', 'b', '/blog', 'mailto:x@y.z'),
      '/docs/a': page('/docs/a/deep#part'),
      '/docs/b': page('/docs/'),
      '/docs/a/deep': page(),
      '/blog': page(),
    })
    const { job, status, paths } = await on.crawl({ path: '/docs/' })
    expect(paths).toEqual(['/docs/', '/docs/a', '/docs/a/deep', '/docs/b'])
    expect(status).toMatchObject({ success: true, status: 'completed', completed: 4, total: 4, failed: 0, skipped: 1 })
    expect(await on.rowOf(job, '/blog')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'BACKWARD_CRAWLING' } })
    expect(status.data[0]).toMatchObject({ markdown: expect.stringContaining('# Page') })
  })

  it('follows any link of the host with crawlEntireDomain', async () => {
    await on.open({ '/docs/': page('/blog'), '/blog': page('http://elsewhere.test/') })
    const { job, paths } = await on.crawl({ path: '/docs/', crawlEntireDomain: true })
    expect(paths).toEqual(['/blog', '/docs/'])
    expect(await job.explain('http://elsewhere.test/')).toMatchObject({ refusal: { reason: 'EXTERNAL_LINK' } })
  })

  it('adds the depth and the linking page to each document', async () => {
    await on.open({ '/': page('/a'), '/a': page('/a/b'), '/a/b': page() })
    const { status } = await on.crawl()
    expect(status.data.map(({ metadata }) => [metadata.depth, metadata.discoveredFrom])).toEqual([
      [0, undefined],
      [1, on.site.url('/')],
      [2, on.site.url('/a')],
    ])
  })

  it('fetches a page once that is linked with several fragments', async () => {
    await on.open({ '/': page('/a#one', '/a#two', '#top'), '/a': page() })
    const { paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a'])
    expect(on.site.requests.filter(({ path }) => path === '/a')).toHaveLength(1)
  })

  it('resolves links against the base of the page', async () => {
    await on.open({ '/': `<base href="/deep/er/">${page('x')}`, '/deep/er/x': page() })
    expect((await on.crawl()).paths).toEqual(['/', '/deep/er/x'])
  })

  it('returns exactly `limit` documents, and skips the other pages with the reason LIMIT', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `/p${i}`)
    await on.open({ '/': page(...many), ...Object.fromEntries(many.map((path) => [path, page()])) })
    const { job, status } = await on.crawl({ limit: 7 })
    expect(status).toMatchObject({ completed: 7, total: 7, skipped: 24 })
    expect(on.site.requests.filter(({ path }) => /^\/(p\d+)?$/.test(path))).toHaveLength(7)
    expect(await on.rowOf(job, '/p29')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'LIMIT' } })
  })

  it('does not count a page that failed, or was a duplicate, towards the limit', async () => {
    await on.open(
      {
        '/': page('/broken', '/again', '/a', '/b'),
        '/broken': ({ response }) => response.destroy(),
        '/again': ({ response }) => response.writeHead(302, { location: '/' }).end(),
        '/a': page(),
        '/b': page(),
      },
      { retry: { maxRetries: 0 }, maxConcurrency: 1 },
    )
    const { job, status, paths } = await on.crawl({ limit: 3 })
    expect(paths).toEqual(['/', '/a', '/b'])
    expect(status).toMatchObject({ completed: 3, failed: 1, skipped: 1, total: 3 })
    expect((await job.errors()).errors).toMatchObject([{ url: on.site.url('/broken'), code: 'SCRAPE_SITE_ERROR' }])
    expect(await on.rowOf(job, '/again')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('measures maxDiscoveryDepth by the shortest path of links, even if its pages are slow', async () => {
    await on.open({
      '/': page('/slow', '/fast'),
      '/slow': ({ response }) => void setTimeout(() => response.end(page('/target')), 150),
      '/fast': page('/fast/2'),
      '/fast/2': page('/target'),
      '/target': page('/too-deep'),
      '/too-deep': page(),
    })
    const { job, paths } = await on.crawl({ maxDiscoveryDepth: 2 })
    expect(paths).toEqual(['/', '/fast', '/fast/2', '/slow', '/target'])
    expect(await on.rowOf(job, '/target')).toMatchObject({ depth: 2 })
    expect(await on.rowOf(job, '/too-deep')).toMatchObject({ refusal: { reason: 'DISCOVERY_DEPTH' } })
  })

  it('scrapes only the start page with `maxDiscoveryDepth: 0`', async () => {
    await on.open({ '/': page('/a'), '/a': page() })
    expect((await on.crawl({ maxDiscoveryDepth: 0 })).paths).toEqual(['/'])
  })

  it('drops a start page that matches no `includePaths`, and follows its links', async () => {
    await on.open({ '/': page('/keep/1', '/drop'), '/keep/1': page('/keep/2'), '/keep/2': page(), '/drop': page() })
    const { job, status, paths } = await on.crawl({ includePaths: ['^/keep/'] })
    expect(paths).toEqual(['/keep/1', '/keep/2'])
    expect(status).toMatchObject({ completed: 2, total: 2, skipped: 2 })
    expect(await on.rowOf(job, '/drop')).toMatchObject({ refusal: { reason: 'INCLUDE_PATTERN' } })
    expect((await job.errors()).errors).toMatchObject([{ url: on.site.url('/'), code: 'CRAWL_DENIAL' }])
  })

  it('applies `excludePaths` before `includePaths`, to the full URL with `regexOnFullURL`', async () => {
    await on.open({ '/': page('/a?x=1', '/a/b', '/c'), '/a': page(), '/a/b': page(), '/c': page() })
    const excluded = await on.crawl({ excludePaths: ['/a$'], includePaths: ['/a', '^/$'] })
    expect(excluded.paths).toEqual(['/', '/a/b'])
    const onFullUrl = await on.crawl({ excludePaths: ['x=1'], regexOnFullURL: true })
    expect(onFullUrl.paths).toEqual(['/', '/a/b', '/c'])
  })

  it('scrapes a page once for all queries with `ignoreQueryParameters`', async () => {
    await on.open({ '/': page('/a?x=1', '/a?x=2', '/a'), '/a': page() })
    expect((await on.crawl()).paths).toEqual(['/', '/a', '/a?x=1', '/a?x=2'])
    expect((await on.crawl({ ignoreQueryParameters: true })).paths).toEqual(['/', '/a?x=1'])
  })

  it('refuses a page that redirects out of scope, with the target in the message', async () => {
    await on.open({
      '/': page('/moved', '/away'),
      '/moved': ({ response }) => response.writeHead(301, { location: '/private/page' }).end(),
      '/away': ({ response }) => response.writeHead(301, { location: on.site.url('/', 'localhost') }).end(),
      '/private/page': page(),
    })
    const { job, paths } = await on.crawl({ excludePaths: ['^/private/'] })
    expect(paths).toEqual(['/'])
    expect((await job.errors()).errors).toMatchObject([
      { url: on.site.url('/moved'), code: 'CRAWL_DENIAL', error: expect.stringContaining('/private/') },
      { url: on.site.url('/away'), code: 'CRAWL_DENIAL', error: expect.stringContaining('localhost') },
    ])
  })

  it('scrapes the target of a redirect once, however often it is linked later', async () => {
    await on.open({
      '/': answer({ location: '/home' }, '', 302),
      '/home': page('/a'),
      '/a': page('/home', '/b'),
      '/b': page('/home'),
    })
    const { job, status, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths).toEqual(['/a', '/b', '/home'])
    expect(status).toMatchObject({ completed: 3, creditsUsed: 3, skippedByReason: { DUPLICATE: 1 } })
    expect(on.site.requests.filter(({ path }) => path === '/home')).toHaveLength(1)
    expect(await on.rowOf(job, '/home')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('follows the start page to the host that it redirects to', async () => {
    await on.open({ '/': page('/a'), '/a': page() })
    const moved = await startSite({
      pages: { '/': ({ response: r }) => r.writeHead(302, { location: on.site.url('/') }).end() },
    })
    const job = on.engine.crawl({ url: moved.url('/', 'localhost') })
    const status = await job.finished()
    expect(status.data.map(({ metadata }) => metadata.url)).toEqual([on.site.url('/'), on.site.url('/a')])
    await moved.close()
  })

  it('retries temporary failures, and records each attempt', async () => {
    let tries = 0
    await on.open({
      '/': page('/flaky', '/busy'),
      '/flaky': ({ response: r }) => (++tries < 3 ? r.destroy() : r.end(page())),
      '/busy': ({ response: r }) => r.writeHead(503, { 'retry-after': '0' }).end(page()),
    })
    const { job, status } = await on.crawl()
    expect(status).toMatchObject({ completed: 3, failed: 0 })
    const attempts = (await on.rowOf(job, '/flaky'))?.attempts ?? []
    expect(attempts[0]).toMatchObject({ code: 'SCRAPE_SITE_ERROR', retryAtMs: expect.any(Number) })
    expect(attempts.at(-1)).toMatchObject({ statusCode: 200, fetcher: 'http' })
    // A permanent error page is a document.
    expect(await on.rowOf(job, '/busy')).toMatchObject({ outcome: 'done', attempts: [{}, {}, { statusCode: 503 }] })
  })

  it('gives every URL exactly one outcome, and its counters agree', async () => {
    await on.open(
      {
        '/docs/': page('a', 'b', 'gone', 'broken', 'pic.png', '/up', 'http://other.test/', 'a?x=1', 'loop1'),
        '/docs/a': page('b', 'c'),
        '/docs/b': page(),
        '/docs/c': page(),
        '/docs/broken': ({ response: r }) => r.destroy(),
        '/docs/loop1': ({ response: r }) => r.writeHead(302, { location: '/docs/loop1' }).end(),
      },
      { retry: { maxRetries: 0 } },
    )
    const seen = new Map<string, number>()
    const job = on.engine.crawl({ url: on.site.url('/docs/') })
    const count = ({ url }: { url: string }) => seen.set(url, (seen.get(url) ?? 0) + 1)
    job
      .on('failed', count)
      .on('skipped', count)
      .on('document', ({ metadata }) => count({ url: metadata.sourceURL }))
    const status = await job.finished()
    expect(status).toMatchObject({ completed: 6, failed: 2, skipped: 3 })
    expect(status.skippedByReason).toEqual({ FILE_TYPE: 1, BACKWARD_CRAWLING: 1, EXTERNAL_LINK: 1 })
    expect([...seen.values()]).toEqual(Array(11).fill(1))
  })

  it('suggests `crawlEntireDomain` when little was found below the start path', async () => {
    await on.open({ '/docs/': page('/blog'), '/blog': page() })
    expect((await on.crawl({ path: '/docs/' })).status.warning).toContain('crawlEntireDomain')
    expect((await on.crawl({ path: '/docs/', crawlEntireDomain: true })).status.warning).toBeUndefined()
    expect((await on.crawl({ path: '/blog' })).status.warning).toMatch(
      /^Nothing else was found from \/blog: .*crawlEntireDomain/,
    )
    expect((await on.crawl({ path: '/blog', crawlEntireDomain: true })).status.warning).toBeUndefined()
  })

  it('counts the pages that a rule refused, without the start page', async () => {
    await on.open({ '/': page('/docs/a', '/x'), '/docs/a': page('/'), '/x': page() })
    expect((await on.crawl({ includePaths: ['^/docs/'] })).status.warning).toBe(
      'The start URL matches no `includePaths`: it gives no document. ' +
        '1 page that was found matches no `includePaths`: `discoverThrough` fetches such pages for their links.',
    )
  })

  it('counts the pages that `excludePaths` left out, if there is no other', async () => {
    await on.open({ '/': page('/docs/a', '/docs/b'), '/docs/a': page(), '/docs/b': page() })
    expect((await on.crawl({ excludePaths: ['^/docs/'] })).status.warning).toBe(
      '2 pages that were found match `excludePaths`.',
    )
  })

  it('tells where its start URL leads, if that has no further page', async () => {
    await using other = await startSite({ pages: { '/': page() } })
    const location = other.url('/').replace('127.0.0.1', 'localhost')
    await on.open({ '/away': answer({ location }, '', 302) })
    expect((await on.crawl({ path: '/away' })).status.warning).toMatch(
      /^The start URL leads to localhost:\d+, whose pages are crawled\./,
    )
  })

  it('counts the pages that `includePaths` names above its folder', async () => {
    await on.open({ '/docs/': page('/docs/a', '/api/a', '/api/b', '/blog/a'), '/docs/a': page('/api/c') })
    const includePaths = ['^/docs/', '^/api/']
    const { status } = await on.crawl({ path: '/docs/', includePaths })
    expect(status.skippedByReason).toEqual({ BACKWARD_CRAWLING: 4 })
    expect(status.warning).toBe(
      '3 pages that were found are named by `includePaths`, but not below /docs/: `crawlEntireDomain` crawls them as well.',
    )
    const excluded = await on.crawl({ path: '/docs/', includePaths, excludePaths: ['^/api/'] })
    expect(excluded.status.warning).toBeUndefined()
    const below = await on.crawl({ path: '/docs/', includePaths: ['^/docs/'] })
    expect(below.status.warning).toBeUndefined()
  })

  it('sends one request at a time with a `delay`, for sitemaps and the first page too', async () => {
    const { slow, most } = createConcurrencyCounter()
    const sitemaps = ['/one.xml', '/two.xml', '/three.xml']
    await on.open({
      '/': slow,
      '/robots.txt': sitemaps.map((path) => `Sitemap: ${path}`).join('\n'),
      ...Object.fromEntries(sitemaps.map((path) => [path, slow])),
    })
    expect((await on.crawl({ delay: 0.01 })).status.completed).toBe(1)
    expect(on.site.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', ...sitemaps]))
    expect(most()).toBe(1)
  })

  it('fetches one page at a time with a `delay`, and pauses in between', async () => {
    const { slow, most } = createConcurrencyCounter()
    await on.open({ '/': page('/a', '/b', '/c'), '/a': slow, '/b': slow, '/c': slow })
    const { job, status } = await on.crawl({ delay: 0.05, maxConcurrency: 5 })
    expect(status.completed).toBe(4)
    expect(most()).toBe(1)
    const rows = await Promise.all(['/', '/a', '/b', '/c'].map((path) => on.rowOf(job, path)))
    const times = rows.map((row) => row?.attempts[0]).toSorted((a, b) => (a?.startedAtMs ?? 0) - (b?.startedAtMs ?? 0))
    for (const [index, time] of times.slice(1).entries()) {
      expect((time?.startedAtMs ?? 0) - (times[index]?.endedAtMs ?? 0)).toBeGreaterThanOrEqual(49)
    }
  })
})

describe('version 1', () => {
  it('counts maxDepth in path segments from the root', async () => {
    await on.open({ '/': page('/a/b', '/a/b/c'), '/a/b': page(), '/a/b/c': page() })
    const job = on.engine.v1.crawl({ url: on.site.url('/'), maxDepth: 2 })
    const status = await job.finished()
    expect(status.data.map(({ metadata }) => pathOf(metadata.url))).toEqual(['/', '/a/b'])
    expect(await on.rowOf(job, '/a/b/c')).toMatchObject({ refusal: { reason: 'DEPTH_LIMIT' } })
  })

  it('takes allowBackwardLinks as crawlEntireDomain', async () => {
    await on.open({ '/a/': page('/b'), '/b': page() })
    const status = await on.engine.v1.crawl({ url: on.site.url('/a/'), allowBackwardLinks: true }).finished()
    expect(status.completed).toBe(2)
  })
})
