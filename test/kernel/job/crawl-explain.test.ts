import { describe, expect, it } from 'vitest'

import { page, pathOf, useCrawlSite, type Pages } from './crawl-site.js'

const on = useCrawlSite()

describe('links', () => {
  it('are found in Link headers, refreshes, frames and link elements, and in Markdown', async () => {
    await on.open({
      '/': ({ response }) =>
        response
          .writeHead(200, { 'content-type': 'text/html', link: '</header>; rel="next"' })
          .end('<link rel="next" href="/next"><iframe src="/framed"></iframe><a href="/llms.txt">list</a>'),
      '/header': '<meta http-equiv="refresh" content="5; url=/refreshed">',
      '/next': page(),
      '/framed': page(),
      '/refreshed': page(),
      '/llms.txt': ({ response }) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end('# Site\n\n- [One](/one): the first'),
      '/one': page(),
    })
    expect((await on.crawl()).paths).toEqual(['/', '/framed', '/header', '/llms.txt', '/next', '/one', '/refreshed'])
  })

  it('to client-side routes are pages of their own', async () => {
    await on.open({ '/': page('#/a', '#/b', '#section', '#!/c'), '/x': page() })
    const { status } = await on.crawl()
    expect(status.data.map(({ metadata }) => pathOf(metadata.sourceURL))).toEqual(['/', '/#/a', '/#/b', '/#!/c'])
  })
})

describe('explain', () => {
  it('returns the decision that the crawl would make now about a URL that it never saw', async () => {
    await on.open({ '/docs/': page(), '/robots.txt': 'User-agent: *\nDisallow: /docs/private' })
    const { job } = await on.crawl({ path: '/docs/', excludePaths: ['x$'] })
    const verdict = async (url: string) => {
      const found = await job.explain(url)
      return [found?.outcome, found?.refusal?.reason]
    }
    expect(await verdict(on.site.url('/docs/a'))).toEqual(['unseen', undefined])
    expect(await verdict(on.site.url('/blog'))).toEqual(['unseen', 'BACKWARD_CRAWLING'])
    expect(await verdict(on.site.url('/docs/x'))).toEqual(['unseen', 'EXCLUDE_PATTERN'])
    expect(await verdict(on.site.url('/docs/private'))).toEqual(['unseen', 'ROBOTS_TXT'])
    expect(await verdict('http://other.test/')).toEqual(['unseen', 'EXTERNAL_LINK'])
    expect(await verdict(on.site.url('/docs/').slice('http://'.length))).toEqual(['done', undefined])
    expect(await verdict('/docs/')).toEqual(['done', undefined])
    expect(await verdict('/docs/private')).toEqual(['unseen', 'ROBOTS_TXT'])
    expect(await verdict('no url')).toEqual([undefined, undefined])
  })
})

describe('an overlong link', () => {
  it('is refused before any other check, with its length as the reason', async () => {
    // The check was quadratic in the groups of the path, and took minutes.
    const long = (n: number): string => `/(S(${'a'.repeat(24)})${`S(${'a'.repeat(24)})`.repeat(15_000)}/${n}`
    await on.open({ '/': page('/a', long(1), long(2), long(1)), '/a': page() }, { threads: 1 })
    const { job, status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a'])
    expect(status.skippedByReason).toEqual({ TRAP: 2 })
    const row = await on.rowOf(job, long(2))
    expect(row).toMatchObject({ outcome: 'skipped', refusal: { reason: 'TRAP' }, foundOn: on.site.url('/') })
    expect(row?.refusal?.message).toMatch(/^405\d\d\d characters are more than 8000$/)
    expect(row?.url.length).toBeLessThan(300)
  }, 30_000)

  it('on a site with a new session in each link lets the crawl end, with a warning', async () => {
    let drawn = 0
    const words =
      'Each of these pages says the same words as all of the others do, whatever session leads to it. '.repeat(3)
    const links = (): string[] =>
      Array.from({ length: 20 }, () => `/s/${(++drawn * 7919).toString(16).padStart(32, 'c0ffee5')}/page`)
    const answer: Pages[string] = ({ response }) =>
      response.end(
        `<!doctype html><title>t</title><main><h1>Page</h1><p>${words}</p>${links()
          .map((href) => `<a href="${href}">on</a>`)
          .join('')}</main>`,
      )
    const isPage = (path: string | symbol): boolean => path === '/' || String(path).startsWith('/s/')
    await on.open(new Proxy<Pages>({}, { get: (_, path) => (isPage(path) ? answer : undefined) }))
    const { status } = await on.crawl({ limit: 5000, sitemap: 'skip' })
    expect(status.completed).toBeLessThan(200)
    expect(status.skippedByReason.TRAP).toBeGreaterThan(100)
    expect(status.status).toBe('completed')
  }, 60_000)
})

describe('respectMetaRobots', () => {
  const tagged = (name: string): string => `<meta name="${name}" content="NoIndex;nofollow">${page()}`
  const pages: Pages = {
    '/': page('/noindex', '/nofollow', '/header'),
    '/noindex': `<meta name="robots" content="noindex">${page('/a')}`,
    '/nofollow': `<meta name="robots" content="nofollow">${page('/b')}<a rel="nofollow" href="/a">a</a>`,
    '/header': ({ response }) => response.writeHead(200, { 'x-robots-tag': 'none' }).end(page('/c')),
    '/a': page(),
    '/b': page(),
    '/c': page(),
  }

  it('obeys the robots meta tags of pages, with a reason for each refusal', async () => {
    await on.open(pages)
    const { job, paths } = await on.crawl({ respectMetaRobots: true })
    expect(paths).toEqual(['/', '/a', '/nofollow'])
    expect(await on.rowOf(job, '/noindex')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'NOINDEX' } })
    expect(await on.rowOf(job, '/b')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'NOFOLLOW' } })
    expect((await job.errors()).errors).toEqual([])
  })

  it('obeys meta tags with the name of the crawler', async () => {
    await on.open({ '/': page('/ours', '/named'), '/ours': tagged('trawl'), '/named': tagged('MyBot') })
    expect((await on.crawl({ respectMetaRobots: true })).paths).toEqual(['/', '/named'])
    expect((await on.crawl({ respectMetaRobots: true, robotsUserAgent: 'MyBot' })).paths).toEqual(['/', '/ours'])
  })

  it('is off by default, and the metadata tell what the meta tags say', async () => {
    await on.open(pages)
    const { status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a', '/b', '/c', '/header', '/nofollow', '/noindex'])
    const facts = status.data.map(({ metadata: { url, noindex, nofollow } }) => [pathOf(url), noindex, nofollow])
    expect(facts).toContainEqual(['/noindex', true, undefined])
    expect(facts).toContainEqual(['/nofollow', undefined, true])
    expect(facts).toContainEqual(['/header', true, true])
  })
})
