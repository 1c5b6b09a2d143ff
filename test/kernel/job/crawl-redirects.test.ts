import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { answer, page, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

const to = (location: string): Pages[string] => answer({ location }, '', 302)

describe('a page of a crawl that redirects to another page of it', () => {
  it('gives one document when each of two redirects to the other', async () => {
    const once =
      (other: string): Pages[string] =>
      ({ request, response }) => {
        if (request.headers.cookie) response.end(page())
        else response.writeHead(302, { location: other, 'set-cookie': 'seen=1' }).end()
      }
    await on.open({ '/': page('/a', '/b'), '/a': once('/b'), '/b': once('/a') }, { maxConcurrency: 1 })
    const { job, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths).toEqual(['/', '/a'])
    expect(await on.rowOf(job, '/a')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
    expect(await on.rowOf(job, '/b')).toMatchObject({ outcome: 'done', finalUrl: on.site.url('/a') })
  })

  it('is judged by its URL without the fragment, as a link is', async () => {
    await on.open({ '/': page('/go', '/b.html#part'), '/go': to('/a.html#part'), '/a.html': page(), '/b.html': page() })
    const excluded = await on.crawl({ excludePaths: ['\\.html$'], regexOnFullURL: true, sitemap: 'skip' })
    expect(excluded.paths).toEqual(['/'])
    const message = `redirects to ${on.site.url('/a.html')}: \`excludePaths\` has \\.html$`
    expect(await on.rowOf(excluded.job, '/go')).toMatchObject({ refusal: { reason: 'EXCLUDE_PATTERN', message } })
    const start = await on.crawl({ path: '/go', includePaths: ['/a\\.html$'], regexOnFullURL: true, sitemap: 'skip' })
    expect(start.paths).toEqual(['/a.html#part'])
    const rows: string[] = []
    for await (const row of start.job.urls()) rows.push(row.url)
    expect(rows).toEqual(['/go', '/a.html'].map((path) => on.site.url(path)))
  })

  it('is told from a page whose URL has a user name, which its document has not', async () => {
    const pages = { '/a': page(), '/b': page() }
    await on.open({ ...pages, '/': ({ response }) => response.end(page('/b', named('/a'), named('/b'))) })
    const named = (path: string): string => on.site.url(path).replace('//', '//user:pw@')
    const { job, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths.toSorted()).toEqual(['/', '/a', '/b'])
    const messages = ['/a', '/b'].map(async (path, at) => {
      const row = await job.explain(at === 0 ? on.site.url(path) : named(path))
      return row && 'refusal' in row ? row.refusal?.message : undefined
    })
    expect(await Promise.all(messages)).toEqual([
      `scraped as ${named('/a')}, which adds a user name`,
      `adds a user name to ${on.site.url('/b')}, which this crawl has already found`,
    ])
  })

  it('leaves the other one to its own request when it is fetched only for its links', async () => {
    const pages = { '/go': to('/item/1'), '/item/1': page() }
    for (const links of [['/go'], ['/go', '/item/1']]) {
      await on.open({ '/': page(...links), ...pages }, { maxConcurrency: 1 })
      const { job, paths } = await on.crawl({ includePaths: ['^/item/'], discoverThrough: 5, sitemap: 'skip' })
      expect(paths).toEqual(['/item/1'])
      expect(await on.rowOf(job, '/go')).toMatchObject({ outcome: 'skipped' })
    }
  })
})

describe('a page of a crawl that leads on by a refresh', () => {
  const stub = (target: string, links: string, head = ''): string =>
    `<!doctype html><head>${head}<meta http-equiv="refresh" content="0; url=${target}"></head>${links}`

  it('has its own links followed beside those of the page that it leads to', async () => {
    const links =
      '<a href="/a">a</a><map><area href="b?x=1&amp;y=2"></map><iframe src="/frame"></iframe><!-- <a href="/hidden"> --><a href="mailto:x@y.test">mail</a>'
    await on.open({
      '/': page('/go'),
      '/go': stub('/to', links),
      '/to': page('/c'),
      ...Object.fromEntries(['/a', '/b?x=1&y=2', '/c', '/frame', '/hidden'].map((path) => [path, page()])),
    })
    const { job, paths } = await on.crawl({ sitemap: 'skip', maxDiscoveryDepth: 2 })
    expect(paths).toEqual(['/', '/a', '/b?x=1&y=2', '/c', '/frame', '/to'])
    expect(await on.rowOf(job, '/a')).toMatchObject({ foundOn: on.site.url('/go'), depth: 2 })
  })

  it.each([
    ['a `Refresh` header', answer({ refresh: '0; url=/to' }, page('/a')), ['/', '/a', '/to']],
    ['a page with `<base>`', stub('/to', '<a href="a">', '<base href="/docs/">'), ['/', '/docs/a', '/to']],
    ['a page that the crawl has', stub('/', '<a href="/a">'), ['/', '/a']],
    ['a page of another site', stub('http://localhost:1/', '<a href="/a">'), ['/', '/a']],
    ['a page that is excluded', stub('/private/x', '<a href="/a">'), ['/', '/a']],
    ['`rel="nofollow"`', stub('/to', '<a rel="ugc nofollow" href="/a">'), ['/', '/to']],
    ['`nofollow` in `meta`', stub('/to', '<a href="/a">', '<meta name="robots" content="nofollow">'), ['/', '/to']],
    ['`nofollow` by name', answer({ refresh: '0; url=/to', 'x-robots-tag': 'trawl: none' }, page('/a')), ['/', '/to']],
    ['`nofollow` of its target', stub('/no', '<a href="/a">'), ['/', '/a', '/no']],
  ])('gives its links by the rules of any page: %s', async (_, go, expected) => {
    await on.open({
      '/': page('/go'),
      '/go': go,
      '/to': page(),
      '/no': answer({ 'x-robots-tag': 'nofollow' }, page('/c')),
      '/a': page(),
      '/c': page(),
      '/docs/a': page(),
      '/private/x': page(),
    })
    const { paths } = await on.crawl({ sitemap: 'skip', excludePaths: ['^/private/'], respectMetaRobots: true })
    expect(paths).toEqual(expected)
  })

  it.each([
    ['robots.txt forbids', '/private/x'],
    ['is out of scope', '/other/x'],
    ['is of another site', 'http://localhost:1/x'],
    ['breaks its connection', '/broken'],
    ['is not answered in time', '/silent'],
    ['redirects for ever', '/loop'],
    ['is not found', '/gone'],
    ['is no page', '/file'],
    ['is blocked', '/blocked'],
    ['has a robots.txt that fails', 'ROBOTS'],
  ])('gives its links where the page that it leads to %s', async (_, target) => {
    const other = await startSite({
      pages: { '/x': page(), '/robots.txt': ({ response }) => response.writeHead(503).end() },
    })
    await on.open(
      {
        '/': page('/go'),
        '/go': stub(target === 'ROBOTS' ? other.url('/x', 'localhost') : target, '<a href="/a">a</a>'),
        '/a': page(),
        '/other/x': page('/c'),
        '/c': page(),
        '/broken': ({ response }) => response.destroy(),
        '/silent': () => undefined,
        '/loop': to('/loop'),
        '/file': answer({ 'content-type': 'application/x-unknown' }, '\u0000\u0001\u0002'),
        '/blocked': ({ response }) =>
          response
            .writeHead(403, { 'cf-mitigated': 'challenge', server: 'cloudflare', 'content-type': 'text/html' })
            .end('<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x.js"></script>'),
        '/robots.txt': 'User-agent: *\nDisallow: /private/',
      },
      { retry: { maxRetries: 0 }, fetcher: 'http' },
    )
    const request = {
      sitemap: 'skip',
      excludePaths: ['^/other/'],
      ...(target === '/silent' && { scrapeOptions: { timeout: 3000 } }),
    } as const
    const { job } = await on.crawl({ ...request, ...(target === 'ROBOTS' && { allowExternalLinks: true }) })
    expect(await on.rowOf(job, '/a')).toMatchObject({ outcome: 'done', foundOn: on.site.url('/go'), depth: 2 })
    await other.close()
  })

  it.each([
    ['1,000 links', Array.from({ length: 1001 }, (_, at) => `<a href="/a?${at}">`).join(''), 1001],
    ['256 KiB', `<a href="/a"><style>${'.a{}'.repeat(70_000)}</style><a href="/far">`, 2],
  ])('warns of those beyond the first %s', async (_, links, found) => {
    await on.open({ '/': stub('/to', links), '/to': page('/c'), '/a': page(), '/c': page() })
    const { job, status } = await on.crawl({ sitemap: 'skip', limit: 2 })
    expect(status.warning).toContain('Pages that refresh to another one have links that were left out')
    expect(await on.rowOf(job, '/c')).toBeDefined()
    expect((await on.rowOf(job, '/far'))?.outcome).toBe(undefined)
    let rows = 0
    for await (const { url } of job.urls()) rows += Number(url.includes('/a'))
    expect(rows).toBe(found - 1)
  })

  it('warns of nothing where it has no more links than are read', async () => {
    await on.open({
      '/': stub('/to', `<a href="/a"><style>${'.a{}'.repeat(70_000)}</style>`),
      '/to': page(),
      '/a': page(),
    })
    const { status, paths } = await on.crawl({ sitemap: 'skip' })
    expect([status.warning, paths]).toEqual([undefined, ['/a', '/to']])
  })

  it('gives its links also from the cache', async () => {
    await on.open({ '/': stub('/to', '<a href="/a">a</a>'), '/to': page('/c'), '/a': page(), '/c': page() })
    for (const request of [{}, { scrapeOptions: { maxAge: 100_000 } }])
      expect((await on.crawl({ sitemap: 'skip', ...request })).paths).toEqual(['/a', '/c', '/to'])
  })
})

describe('the start page of a crawl', () => {
  const moved = (how: Pages[string]): Pages => ({
    '/docs/': how,
    '/manual/': page('/manual/a', '/docs/b', '/blog/'),
    '/manual/a': page(),
    '/docs/b': page(),
    '/sitemap.xml': ({ request, response }) =>
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://${request.headers.host}/manual/s</loc></url></urlset>`,
      ),
    '/manual/s': page(),
    '/blog/': page(),
  })

  it.each([
    ['a redirect', to('/manual/')],
    ['a refresh', '<meta http-equiv="refresh" content="0; url=/manual/">'],
  ])('that leads to another folder by %s gives the pages of both, also those of sitemaps', async (_, how) => {
    await on.open(moved(how), { maxConcurrency: 1 })
    const { job, paths } = await on.crawl({ path: '/docs/' })
    expect(paths).toEqual(['/docs/b', '/manual/', '/manual/a', '/manual/s'])
    const message = 'not below /docs/ or /manual/; `crawlEntireDomain` follows every link of the host'
    expect(await on.rowOf(job, '/blog/')).toMatchObject({ refusal: { reason: 'BACKWARD_CRAWLING', message } })
    expect(await job.explain(on.site.url('/unseen'))).toMatchObject({ outcome: 'unseen', refusal: { message } })
  })

  it.each(['/', '/login', '/members/?next=/docs/'])('that leads to %s does not widen the crawl', async (target) => {
    await on.open({
      '/docs/': to(target),
      [target.split('?')[0] ?? '']: page('/blog/', '/members/a'),
      '/blog/': page(),
    })
    const { paths } = await on.crawl({ path: '/docs/', sitemap: 'skip' })
    expect(paths).toEqual([target])
  })
})

describe('robots.txt', () => {
  it('is asked before a redirect is followed, if it is known', async () => {
    const slow = await startSite({ pages: { '/x': page(), '/robots.txt': () => undefined } })
    await on.open({
      '/': page('/ok', '/through', '/refresh', '/away'),
      '/ok': to('/a'),
      '/a': page(),
      '/through': to('/private/hop'),
      '/private/hop': to('/a?again'),
      '/refresh': '<meta http-equiv="refresh" content="0; url=/private/x">',
      '/away': to(slow.url('/x', 'localhost')),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const { job, status, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths).toEqual(['/', '/a'])
    expect(on.site.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('/private/'))
    const refusals = ['/through', '/refresh', '/away'].map(async (path) => (await on.rowOf(job, path))?.refusal)
    expect(await Promise.all(refusals)).toEqual([
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/private\/hop: \S+ line 2/) },
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/private\/x: \S+ line 2/) },
      { reason: 'EXTERNAL_LINK', message: expect.stringMatching(/^redirects to \S+\/x: /) },
    ])
    expect(status.warning).toContain('`robotsBlocked`')
    expect(slow.requests.map(({ path }) => path)).toEqual(['/x'])
    await slow.close()
  })

  it('does not hold for another job that fetches the same page at the same time and ignores it', async () => {
    let arrive: (() => void) | undefined
    const bothArrived = new Promise<void>((resolve) => (arrive = resolve))
    await on.open({
      '/': async ({ response }) => {
        if (on.site.requests.filter(({ path }) => path === '/').length === 2) arrive?.()
        await bothArrived
        response.writeHead(302, { location: '/private/' }).end()
      },
      '/private/': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const crawls = [on.crawl({ sitemap: 'skip' }), on.crawl({ sitemap: 'skip', ignoreRobotsTxt: true })]
    expect((await Promise.all(crawls)).map(({ paths }) => paths)).toEqual([[], ['/private/']])
  })
})
