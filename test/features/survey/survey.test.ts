import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { answer, page, useCrawlSite, type Pages } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()

const sitemap =
  (...paths: string[]): Pages[string] =>
  ({ response }) =>
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<urlset>${paths.map((path) => `<url><loc>${on.site.url(path)}</loc></url>`).join('')}</urlset>`)

const shop: Pages = {
  '/': page('/blog/one', '/blog/two', '/about', 'http://other.test/', '/private/x'),
  '/blog/one': page('/blog/three'),
  '/blog/two': page(),
  '/about': page('/team'),
  '/private/x': page(),
  '/sitemap.xml': sitemap('/item/1', '/item/2', '/item/3', '/blog/one'),
  '/item/1': page('/item/4'),
  '/robots.txt': 'User-agent: *\nDisallow: /private/\nCrawl-delay: 0.001',
}

describe('plan', () => {
  it('judges pages by the URLs that they redirect to, as the crawl does', async () => {
    await on.open({
      '/old': answer({ location: '/en/#top' }, '', 302),
      '/en/': page('/en/a', '/en/moved'),
      '/en/a': page(),
      '/en/moved': answer({ location: '/draft/' }, '', 302),
      '/draft/': page('/en/behind'),
    })
    const request = { url: on.site.url('/old'), sitemap: 'skip', crawlEntireDomain: true } as const
    const patterns = { includePaths: ['^/en/'], excludePaths: ['^/draft/'] }
    const { pages, refused } = await on.engine.plan({ ...request, ...patterns })
    const message = `redirects to ${on.site.url('/draft/')}: \`excludePaths\` has ^/draft/`
    const examples = [{ url: on.site.url('/en/moved'), message }]
    expect({ pages, refused }).toEqual({ pages: 2, refused: [{ reason: 'EXCLUDE_PATTERN', count: 1, examples }] })
    expect(
      (await on.crawl({ ...patterns, path: '/old', sitemap: 'skip', crawlEntireDomain: true })).paths,
    ).toHaveLength(2)
    const withoutStart = await on.engine.plan({ ...request, excludePaths: ['^/en/$', '^/draft/'] })
    expect(withoutStart.refused.map(({ examples: [first] }) => first?.url)).toContain(on.site.url('/old'))
  })

  it('previews a crawl: pages by template, refusals by reason, patterns by their matches', async () => {
    await on.open(shop)
    const forecast = await on.engine.plan({ url: on.site.url('/'), excludePaths: ['^/about', '^/nowhere'] })
    expect(forecast.start).toBe(on.site.url('/'))
    expect(forecast.pages).toBe(8)
    expect(forecast.templates[0]).toEqual({
      template: expect.stringContaining('/item/:'),
      count: 4,
      example: on.site.url('/item/1'),
    })
    expect(forecast.refused).toEqual(
      expect.arrayContaining([
        { reason: 'EXTERNAL_LINK', count: 1, examples: [{ url: 'http://other.test/', message: expect.any(String) }] },
        {
          reason: 'ROBOTS_TXT',
          count: 1,
          examples: [{ url: on.site.url('/private/x'), message: expect.stringContaining('line 2') }],
        },
        { reason: 'EXCLUDE_PATTERN', count: 1, examples: [expect.anything()] },
      ]),
    )
    expect(forecast.patterns).toEqual([
      { field: 'excludePaths', pattern: '^/about', count: 1, examples: [on.site.url('/about')] },
      { field: 'excludePaths', pattern: '^/nowhere', count: 0, examples: [] },
    ])
    expect(forecast.robots).toEqual({ allowed: true, crawlDelayMs: 1 })
    expect(forecast.warnings).toEqual([expect.stringContaining('^/nowhere')])
  })

  it('gives the same suggestions as the status of the crawl does afterwards', async () => {
    await on.open({ '/docs/': page('/a', '/b'), '/a': page(), '/b': page() })
    const above = await on.engine.plan({ url: on.site.url('/docs/') })
    expect(above.warnings).toEqual([expect.stringContaining('crawlEntireDomain')])
    expect((await on.crawl({ path: '/docs/' })).status.warning).toBe(above.warnings[0])
    const included = await on.engine.plan({
      url: on.site.url('/docs/'),
      crawlEntireDomain: true,
      includePaths: ['^/x'],
    })
    expect(included.warnings).toEqual([
      expect.stringContaining('matches no `includePaths`'),
      expect.stringContaining('discoverThrough'),
      expect.stringContaining('^/x'),
    ])
  })

  it('warns when robots.txt refuses the start URL, and when the site does not answer', async () => {
    await on.open({ '/': page('/a'), '/robots.txt': 'User-agent: *\nDisallow: /' })
    const refused = await on.engine.plan({ url: on.site.url('/') })
    expect(refused).toMatchObject({ pages: 0, robots: { allowed: false, message: expect.stringContaining('line 2') } })
    expect(refused.warnings.join()).toContain('ignoreRobotsTxt')
    const silent = await on.engine.plan({ url: 'http://127.0.0.1:9/' })
    expect(silent.warnings.join()).toMatch(/127\.0\.0\.1:9/)
  })

  it('requests no page that robots.txt forbids, and uses no page that redirects to one', async () => {
    await on.open({
      '/': page('/private/x', '/go', '/open'),
      '/private/x': page('/private/y'),
      '/go': answer({ location: '/private/z' }, '', 302),
      '/private/z': page('/only-there'),
      '/open': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const { refused, templates } = await on.engine.plan({ url: on.site.url('/'), sitemap: 'skip' })
    expect(on.site.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('/private/'))
    expect(refused).toEqual([{ reason: 'ROBOTS_TXT', count: 2, examples: [expect.anything(), expect.anything()] }])
    expect(refused[0]?.examples.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^redirects to \S+\/private\/z: \S+ line 2/),
    )
    expect(templates.map(({ example }) => example).join()).not.toContain('only-there')
  })

  it('refuses what a crawl would refuse', async () => {
    await on.open({})
    await expect(on.engine.plan({ url: 'ftp://x.test' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('map', () => {
  it('lists the URLs of the sitemaps and of the start page, without scraping them', async () => {
    await on.open(shop)
    const { links, success } = await on.engine.map({ url: on.site.url('/') })
    expect(success).toBe(true)
    expect(links.map(({ url }) => url).toSorted()).toEqual(
      ['/', '/about', '/blog/one', '/blog/two', '/item/1', '/item/2', '/item/3'].map((path) => on.site.url(path)),
    )
    expect(links.find(({ url }) => url.endsWith('/about'))?.title).toBe('to /about')
    expect(on.site.requests.map(({ path }) => path)).not.toContain('/about')
  })

  it('returns the URLs that match all words of `search`, up to `limit`', async () => {
    await on.open(shop)
    const map = async (request: object) => (await on.engine.map({ url: on.site.url('/'), ...request })).links.length
    expect(await map({ search: 'BLOG o' })).toBe(2)
    expect(await map({ limit: 3 })).toBe(3)
    expect(await map({ sitemap: 'skip' })).toBe(4)
    expect(await map({ includePaths: ['^/item'] })).toBe(3)
  })

  it('lists no link of a start page that redirects to a URL which robots.txt forbids, and says so', async () => {
    await on.open({
      '/': answer({ location: '/private/' }, '', 302),
      '/private/': page('/a'),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const { links, warning } = await on.engine.map({ url: on.site.url('/'), sitemap: 'skip' })
    expect(links).toEqual([])
    expect(warning).toContain('robots.txt refuses the start URL')
  })

  it('lists the links of a start page that redirects to a host whose robots.txt cannot be read, and says so', async () => {
    const pages = { '/': page('/a'), '/robots.txt': answer({}, '', 500) }
    await using other = await startSite({ pages })
    await on.open({ '/': answer({ location: other.url('/') }, '', 302) }, { retry: { maxRetries: 0 } })
    const { links, warning } = await on.engine.map({ url: on.site.url('/'), sitemap: 'skip' })
    expect(links.map(({ url }) => url)).toContain(other.url('/a'))
    expect(warning).toMatch(/robots\.txt could not be read/)
    expect(warning).not.toContain('refuses')
  })

  it('says how many URLs are missing because robots.txt refuses them', async () => {
    await on.open(shop)
    const { warning } = await on.engine.map({ url: on.site.url('/') })
    expect(warning).toBe('robots.txt refuses 1 of the URLs that were found, which are not listed.')
    expect(await on.engine.map({ url: on.site.url('/'), ignoreRobotsTxt: true })).not.toHaveProperty('warning')
  })

  it.each([404, 410, 500, 503])('lists nothing of a site whose start page answers %i, and says so', async (status) => {
    await on.open(
      { '/': answer({ 'content-type': 'text/html' }, '<p>Sorry</p>', status) },
      { retry: { maxRetries: 0 } },
    )
    const { success, links, warning } = await on.engine.map({ url: on.site.url('/') })
    expect([success, links]).toEqual([true, []])
    expect(warning).toContain(`The start page ${on.site.url('/')} answered ${status} `)
  })

  it.each(['http://127.0.0.1:9/', 'http://nowhere.invalid/'])('lists nothing of %s, and says why', async (url) => {
    await on.open({}, { retry: { maxRetries: 0 } })
    const { success, links, warning } = await on.engine.map({ url })
    expect([success, links]).toEqual([true, []])
    expect(warning).toContain(new URL(url).host)
  })

  it('lists a start page that fails, if a sitemap has it, and what the sitemap lists else', async () => {
    await on.open({ '/': answer({}, '', 500), '/sitemap.xml': sitemap('/', '/a') }, { retry: { maxRetries: 0 } })
    const { links, warning } = await on.engine.map({ url: on.site.url('/') })
    expect(links.map(({ url }) => url)).toEqual([on.site.url('/'), on.site.url('/a')])
    expect(warning).toContain('answered 500 ')
  })

  it('lists the links of the start page when the sitemaps hang until the time is up, and says so', async () => {
    const hang: Pages[string] = () => {}
    const robots = 'User-agent: *\nDisallow: /private/'
    await on.open({ '/': page('/a', '/private/x'), '/sitemap.xml': hang, '/robots.txt': robots })
    const { links, warning } = await on.engine.map({ url: on.site.url('/'), timeout: 1500 })
    expect(links.map(({ url }) => url)).toEqual([on.site.url('/'), on.site.url('/a')])
    expect(warning).toContain('The time was up before the sitemaps were read, so that pages may be missing.')
  })

  it('fails when the start page itself hangs until the time is up', async () => {
    await on.open({ '/': () => {} })
    await expect(on.engine.map({ url: on.site.url('/'), timeout: 300 })).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
    })
  })
})
