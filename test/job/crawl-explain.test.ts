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
      '/header': '<meta http-equiv="refresh" content="0; url=/refreshed">',
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
  it('says of a URL that the crawl never saw what it would decide now', async () => {
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
    expect(await verdict('no url')).toEqual([undefined, undefined])
  })
})

describe('respectMetaRobots', () => {
  const pages: Pages = {
    '/': page('/noindex', '/nofollow', '/header'),
    '/noindex': `<meta name="robots" content="noindex">${page('/a')}`,
    '/nofollow': `<meta name="robots" content="nofollow">${page('/b')}<a rel="nofollow" href="/a">a</a>`,
    '/header': ({ response }) => response.writeHead(200, { 'x-robots-tag': 'none' }).end(page('/c')),
    '/a': page(),
    '/b': page(),
    '/c': page(),
  }

  it('keeps to what pages ask for, each with its reason', async () => {
    await on.open(pages)
    const { job, paths } = await on.crawl({ respectMetaRobots: true })
    expect(paths).toEqual(['/', '/a', '/nofollow'])
    expect(await on.rowOf(job, '/noindex')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'NOINDEX' } })
    expect(await on.rowOf(job, '/b')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'NOFOLLOW' } })
    expect((await job.errors()).errors).toEqual([])
  })

  it('is off by default: pages say in their metadata what they ask for', async () => {
    await on.open(pages)
    const { status, paths } = await on.crawl()
    expect(paths).toEqual(['/', '/a', '/b', '/c', '/header', '/nofollow', '/noindex'])
    const facts = status.data.map(({ metadata: { url, noindex, nofollow } }) => [pathOf(url), noindex, nofollow])
    expect(facts).toContainEqual(['/noindex', true, undefined])
    expect(facts).toContainEqual(['/nofollow', undefined, true])
    expect(facts).toContainEqual(['/header', true, true])
  })
})
