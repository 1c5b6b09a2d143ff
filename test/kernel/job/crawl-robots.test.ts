import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { answer, createConcurrencyCounter, page, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

describe('robots.txt', () => {
  it('refuses URLs of a crawl, each listed with the line of the file', async () => {
    await on.open({
      '/': page('/a', '/private/a', '/private/open'),
      '/a': page(),
      '/private/a': page(),
      '/private/open': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /private/\nAllow: /private/open',
    })
    const { job, status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a', '/private/open'])
    expect(await job.errors()).toEqual({ errors: [], robotsBlocked: [on.site.url('/private/a')] })
    expect(await on.rowOf(job, '/private/a')).toMatchObject({
      outcome: 'skipped',
      attempts: [],
      refusal: { reason: 'ROBOTS_TXT', message: `${on.site.url('/robots.txt')} line 2: Disallow: /private/` },
    })
    expect(status.warning).toContain('robots.txt')
    expect((await on.crawl({ ignoreRobotsTxt: true })).paths).toEqual(['/', '/a', '/private/a', '/private/open'])
    expect(on.site.requests.filter(({ path }) => path === '/robots.txt')).toHaveLength(1)
  })

  it('lists every refused link, also those that the crawl did not reach', async () => {
    const refused = Array.from({ length: 20 }, (_, index) => `/private/${index}`)
    const other = await startSite({ pages: { '/x': page(), '/robots.txt': 'User-agent: *\nDisallow: /' } })
    await on.open({
      '/': page('/a', other.url('/x', 'localhost')),
      '/a': page('/b', '/c', '/d', ...refused, other.url('/y', 'localhost')),
      '/b': page(),
      '/c': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const job = on.engine.crawl({ url: on.site.url('/'), limit: 3, allowExternalLinks: true })
    const skipped: string[] = []
    job.on('skipped', ({ url, reason }) => skipped.push(`${reason} ${url}`))
    expect((await job.finished()).completed).toBe(3)
    const blocked = [...refused.map((path) => on.site.url(path)), other.url('/x', 'localhost')]
    const { robotsBlocked } = await job.errors()
    // The robots.txt of a site that the crawl did not reach is unknown, and is not requested for the list.
    expect(robotsBlocked.filter((url) => !url.endsWith('/y')).toSorted()).toEqual(blocked.toSorted())
    expect(skipped).toEqual(expect.arrayContaining(blocked.map((url) => `ROBOTS_TXT ${url}`)))
    expect((await on.rowOf(job, '/d'))?.refusal?.reason).toBe('LIMIT')
    await other.close()
  })

  it('refuses pages that redirect to URLs which it forbids', async () => {
    const other = await startSite({ pages: { '/x': page(), '/robots.txt': 'User-agent: *\nDisallow: /' } })
    const to = (location: string): Pages[string] => answer({ location }, '', 302)
    await on.open({
      '/': page('/go', '/away', '/private/linked', '/again'),
      '/go': to('/private/x'),
      '/again': to('/private/linked'),
      '/away': to(other.url('/x', 'localhost')),
      '/private/x': page(),
      '/private/linked': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const { job, status, paths } = await on.crawl({ allowExternalLinks: true })
    expect(paths).toEqual(['/'])
    expect((await job.errors()).robotsBlocked.toSorted()).toEqual(
      ['/again', '/away', '/go', '/private/linked'].map((path) => on.site.url(path)),
    )
    expect(status).toMatchObject({ skipped: 4, warning: expect.stringContaining('robotsBlocked') })
    expect((await on.rowOf(job, '/go'))?.refusal?.message).toMatch(/^redirects to \S+\/private\/x: \S+ line 2/)
    expect((await on.crawl({ ignoreRobotsTxt: true })).paths).toContain('/private/x')
    await other.close()
  })

  it('refuses a start page that redirects to a URL which it forbids', async () => {
    const other = await startSite({ pages: { '/': page(), '/robots.txt': 'User-agent: *\nDisallow: /' } })
    await on.open({ '/': answer({ location: other.url('/', 'localhost') }, '', 302) })
    const { job, status } = await on.crawl({ sitemap: 'skip' })
    expect(status).toMatchObject({ completed: 0, warning: expect.stringContaining('robots.txt refuses the start URL') })
    expect((await job.errors()).robotsBlocked).toEqual([on.site.url('/')])
    await other.close()
  })

  it('is matched by the user agent of the caller', async () => {
    await on.open({ '/': page('/a'), '/a': page(), '/robots.txt': 'User-agent: Other\nDisallow: /a' })
    expect((await on.crawl()).paths).toEqual(['/', '/a'])
    expect((await on.crawl({ robotsUserAgent: 'other/2.0' })).paths).toEqual(['/'])
  })

  it('that refuses the start URL ends the crawl with a warning', async () => {
    await on.open({ '/': page('/a'), '/a': page(), '/robots.txt': 'User-agent: *\nDisallow: /' })
    const { job, status } = await on.crawl()
    expect(status).toMatchObject({
      status: 'completed',
      completed: 0,
      warning: expect.stringContaining('ignoreRobotsTxt'),
    })
    expect((await job.errors()).robotsBlocked).toEqual([on.site.url('/')])
  })

  it('that refuses the start URL gives a warning also when the sitemap lists other pages', async () => {
    await on.open({
      '/': page('/a'),
      '/a': page(),
      '/b': page(),
      '/robots.txt': 'User-agent: *\nDisallow: /$',
      '/sitemap.xml': ({ response }) => {
        const urls = ['/a', '/b'].map((path) => `<url><loc>${on.site.url(path)}</loc></url>`)
        response.setHeader('content-type', 'application/xml')
        response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`)
      },
    })
    const { job, status } = await on.crawl()
    expect(status).toMatchObject({ completed: 2, warning: expect.stringMatching(/^robots\.txt refuses the start URL/) })
    expect((await job.errors()).robotsBlocked).toEqual([on.site.url('/')])
  })

  it('that cannot be read fails every page of its site, after as many attempts as a page has', async () => {
    await on.open({ '/': page('/a'), '/a': page(), '/robots.txt': ({ response }) => response.writeHead(503).end() })
    const { job, status } = await on.crawl({ sitemap: 'skip' })
    const error = `robots.txt could not be read: 503 Service Unavailable (${on.site.url('/robots.txt')})`
    expect(status).toMatchObject({
      success: false,
      status: 'failed',
      error,
      code: 'SCRAPE_SITE_ERROR',
      failed: 1,
      skipped: 0,
    })
    expect(status).not.toHaveProperty('warning')
    expect(await job.errors()).toMatchObject({ errors: [{ url: on.site.url('/'), error }], robotsBlocked: [] })
    expect(on.site.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/robots.txt', '/robots.txt'])
    expect(await job.explain(on.site.url('/a'))).toMatchObject({ outcome: 'unseen', failure: { error } })
  })

  it('that cannot be read fails the pages that redirect to its site, and says so', async () => {
    const unreadable = answer({}, '', 500)
    await using other = await startSite({ pages: { '/x': page('/y'), '/robots.txt': unreadable } })
    await on.open(
      { '/': page('/away'), '/away': answer({ location: other.url('/x') }, '', 302) },
      { retry: { maxRetries: 0 } },
    )
    const { job, status } = await on.crawl({ sitemap: 'skip', allowExternalLinks: true })
    const cause = `redirects to ${other.url('/x')}: robots.txt could not be read: 500 Internal Server Error (${other.url('/robots.txt')})`
    const failure = { url: on.site.url('/away'), code: 'SCRAPE_SITE_ERROR', error: cause }
    expect(status).toMatchObject({ status: 'completed', completed: 1, failed: 1, skipped: 0 })
    expect(await job.errors()).toMatchObject({ errors: [failure], robotsBlocked: [] })
    const start = await on.crawl({ path: '/away', sitemap: 'skip' })
    expect(start.status).toMatchObject({ status: 'failed', error: cause, code: 'SCRAPE_SITE_ERROR' })
  })

  it('that is not in the coding which it claims is named in the error', async () => {
    await on.open({ '/': page(), '/robots.txt': answer({ 'content-encoding': 'gzip' }, 'no gzip') })
    const { status } = await on.crawl({ sitemap: 'skip' })
    const cause = 'The body is not in the coding `gzip` that it claims'
    const error = `robots.txt could not be read: ${cause} (${on.site.url('/robots.txt')})`
    expect(status).toMatchObject({ status: 'failed', code: 'SCRAPE_ENCODING_ERROR', error })
  })

  it('that cannot be read at first is read at the next attempt, and is obeyed', async () => {
    let answers = 0
    await on.open({
      '/': page('/a', '/b'),
      '/a': page(),
      '/b': page(),
      '/hidden': page(),
      '/map.xml': ({ response }) => {
        response.setHeader('content-type', 'application/xml')
        response.end(`<urlset><url><loc>${on.site.url('/hidden')}</loc></url></urlset>`)
      },
      '/robots.txt': ({ response }) => {
        if (answers++ === 0) response.writeHead(503).end()
        else response.end(`User-agent: *\nDisallow: /b\nSitemap: ${on.site.url('/map.xml')}`)
      },
    })
    const { job, status, paths } = await on.crawl()
    expect(status.status).toBe('completed')
    expect(paths).toEqual(['/', '/a', '/hidden'])
    expect((await job.errors()).robotsBlocked).toEqual([on.site.url('/b')])
  })

  it('that never answers fails a page at its timeout', async () => {
    await on.open({ '/': page(), '/robots.txt': () => undefined }, { retry: { maxRetries: 0 } })
    const { status } = await on.crawl({ sitemap: 'skip', scrapeOptions: { timeout: 1000 } })
    expect(status).toMatchObject({ status: 'failed', code: 'SCRAPE_TIMEOUT', failed: 1 })
    expect(status.error).toMatch(
      /^robots\.txt could not be read: .* gave no answer within the page's `timeout` of 1000 ms$/,
    )
  })

  it('delays the pages of all jobs of the engine by its Crawl-delay', async () => {
    const { slow, most } = createConcurrencyCounter()
    const paths = ['/a', '/b', '/c']
    await on.open({
      '/': page(...paths),
      ...Object.fromEntries(paths.map((path) => [path, slow])),
      '/robots.txt': 'User-agent: *\nCrawl-delay: 0.05',
    })
    const jobs = [
      on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip' }),
      on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip' }),
    ]
    const statuses = await Promise.all(jobs.map((job) => job.finished()))
    expect(statuses.map(({ completed }) => completed)).toEqual([4, 4])
    expect(most()).toBe(1)
    expect(statuses[0]?.warning).toContain('0.05 s')
  })
})

describe('a host that cannot be reached', () => {
  const unreachable = [
    ['http://127.0.0.1:1/', {}, 'SCRAPE_SITE_ERROR', 'ECONNREFUSED'],
    ['http://nowhere.invalid/', {}, 'SCRAPE_DNS_RESOLUTION_ERROR', 'does not resolve'],
    ['http://localhost:1/', { allowPrivateNetworks: false }, 'SCRAPE_ADDRESS_REFUSED', '`allowPrivateNetworks: true`'],
  ] as const

  it.each(unreachable)(
    'fails a crawl of %s %o with %s, and does not blame robots.txt',
    async (url, config, code, error) => {
      await on.open({}, config)
      const told: unknown[] = []
      const job = on.engine.crawl({ url })
      job.on('failed', (failure) => told.push(failure))
      job.on('skipped', (skip) => told.push(skip))
      const status = await job.finished()
      const expected = { code, error: expect.stringContaining(error) }
      expect(status).toMatchObject({
        success: false,
        status: 'failed',
        completed: 0,
        failed: 1,
        skipped: 0,
        ...expected,
      })
      expect(status.warning ?? '').not.toContain('robots')
      expect(await job.errors()).toMatchObject({ errors: [{ url, ...expected }], robotsBlocked: [] })
      expect(told).toEqual([{ url, attempts: 1, ...expected }])
      expect(await job.explain(url)).toMatchObject({ outcome: 'failed', failure: expected, attempts: [expected] })
    },
  )

  it('fails its own pages, and the crawl completes with the others', async () => {
    await on.open({ '/': page('http://127.0.0.1:1/x', '/a'), '/a': page() })
    const { job, status, paths } = await on.crawl({ allowExternalLinks: true })
    expect(status).toMatchObject({ success: true, status: 'completed', completed: 2, failed: 1 })
    expect(paths).toEqual(['/', '/a'])
    expect(await job.errors()).toMatchObject({
      errors: [{ url: 'http://127.0.0.1:1/x', code: 'SCRAPE_SITE_ERROR' }],
      robotsBlocked: [],
    })
  })

  it('fails a crawl that ignores robots.txt with the same error', async () => {
    await on.open({}, { retry: { maxRetries: 0 } })
    const status = await on.engine.crawl({ url: 'http://127.0.0.1:1/', ignoreRobotsTxt: true }).finished()
    expect(status).toMatchObject({ status: 'failed', code: 'SCRAPE_SITE_ERROR', failed: 1 })
  })
})

describe('other hosts', () => {
  it('are scraped with `allowExternalLinks`, but their links are not followed', async () => {
    const other = await startSite({ pages: { '/x': page('/y'), '/y': page(), '/': page() } })
    await on.open({ '/': page(other.url('/x', 'localhost'), other.url('/', 'localhost')) })
    const job = on.engine.crawl({ url: on.site.url('/'), allowExternalLinks: true })
    const status = await job.finished()
    expect(status.data.map(({ metadata }) => metadata.url).sort()).toEqual(
      [on.site.url('/'), other.url('/x', 'localhost'), other.url('/', 'localhost')].sort(),
    )
    expect(await job.explain(other.url('/y', 'localhost'))).toMatchObject({ outcome: 'unseen' })
    await other.close()
  })

  it('are checked against their own robots.txt', async () => {
    const other = await startSite({ pages: { '/x': page(), '/robots.txt': 'User-agent: *\nDisallow: /x' } })
    await on.open({ '/': page(other.url('/x', 'localhost')) })
    const job = on.engine.crawl({ url: on.site.url('/'), allowExternalLinks: true })
    expect((await job.finished()).completed).toBe(1)
    expect((await job.errors()).robotsBlocked).toEqual([other.url('/x', 'localhost')])
    await other.close()
  })
})
