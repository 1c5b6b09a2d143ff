import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Document, Job, LedgerRow } from '../../src/index.js'
import { RedirectTargets } from '../../src/job/crawl/redirect-targets.js'
import type { JobContext } from '../../src/job/job-context.js'
import { startSite } from '../site/site.js'
import { answer, page, pathOf, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

const to = (location: string): Pages[string] => answer({ location }, '', 302)

const requestsOf = (path: string): number => on.site.requests.filter((request) => request.path === path).length

describe('a page of a crawl that redirects to another page of it', () => {
  it('is the document of both, and the other one is not requested again', async () => {
    await on.open(
      { '/': page('/old', '/new'), '/old': to('/new'), '/new': page('/a'), '/a': page() },
      { maxConcurrency: 1 },
    )
    const { job, status, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths).toEqual(['/', '/a', '/new'])
    expect(status).toMatchObject({ completed: 3, total: 3, creditsUsed: 3, skippedByReason: { DUPLICATE: 1 } })
    expect(requestsOf('/new')).toBe(1)
    expect(await on.rowOf(job, '/old')).toMatchObject({ outcome: 'done', finalUrl: on.site.url('/new') })
    expect(await on.rowOf(job, '/new')).toMatchObject({
      outcome: 'skipped',
      attempts: [],
      refusal: { reason: 'DUPLICATE', message: `scraped as ${on.site.url('/old')}, which redirects here` },
    })
  })

  /** Crawls a page that redirects to another one, whose own request hangs until the redirected page is a document. */
  async function crawlPastHanging(html: string, finish: (response: ServerResponse) => void): Promise<Job<Document>> {
    let go: (() => void) | undefined
    const requested = new Promise<void>((resolve) => (go = resolve))
    const redirected: Pages[string] = async ({ response }) => {
      await requested
      response.writeHead(302, { location: '/new' }).end()
    }
    const hanging: Pages[string] = ({ response }) => {
      if (requestsOf('/new') > 1) response.end(html)
      else job.on('document', ({ metadata }) => pathOf(metadata.url) === '/new' && finish(response))
      go?.()
    }
    const pages = { '/': page('/old', '/new'), '/old': redirected, '/new': hanging, '/a': page() }
    await on.open(pages, { maxConcurrency: 2 })
    const job = on.engine.crawl({ url: on.site.url('/'), sitemap: 'skip', limit: 3 })
    await job.finished()
    return job
  }

  it('is the document of both when the other one has been requested, and then fails', async () => {
    const job = await crawlPastHanging(page('/a'), (response) => response.destroy())
    const { data } = await job.status()
    expect(data.map(({ metadata }) => pathOf(metadata.url)).toSorted()).toEqual(['/', '/a', '/new'])
    expect(requestsOf('/new')).toBe(2)
    expect(await on.rowOf(job, '/new')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('is the only document when the other one arrives later', async () => {
    const job = await crawlPastHanging(page(), (response) => response.end('<p>Another text.'))
    const { data } = await job.status()
    expect(data.map(({ metadata }) => pathOf(metadata.sourceURL)).toSorted()).toEqual(['/', '/old'])
    expect(await on.rowOf(job, '/new')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('gives one document when each of two redirects to the other', async () => {
    const once =
      (other: string): Pages[string] =>
      ({ request, response }) => {
        if (request.headers.cookie) response.end(page())
        else response.writeHead(302, { location: other, 'set-cookie': 'seen=1' }).end()
      }
    await on.open({ '/': page('/a', '/b'), '/a': once('/b'), '/b': once('/a') }, { maxConcurrency: 1 })
    const { job, paths } = await on.crawl({ sitemap: 'skip' })
    expect(paths).toEqual(['/', '/b'])
    expect(await on.rowOf(job, '/a')).toMatchObject({ outcome: 'done' })
    expect(await on.rowOf(job, '/b')).toMatchObject({ outcome: 'skipped', refusal: { reason: 'DUPLICATE' } })
  })

  it('makes the other one a duplicate that the crawl does not reach either', async () => {
    await on.open({ '/': page('/old', '/new'), '/old': to('/new'), '/new': page() }, { maxConcurrency: 1 })
    const { job, status } = await on.crawl({ sitemap: 'skip', limit: 2 })
    expect(status).toMatchObject({ completed: 2, skippedByReason: { DUPLICATE: 1 } })
    expect((await on.rowOf(job, '/new'))?.refusal?.reason).toBe('DUPLICATE')
  })

  it('has links as deep as those of the other one, if that was found nearer to the start', async () => {
    const target = { key: 'new', url: 'http://site.test/new' }
    const known = { key: 'new', outcome: 'queued', depth: 1, via: 'link' } as LedgerRow
    const row = { key: 'old', url: 'http://site.test/old', depth: 3, via: 'link' } as LedgerRow
    const context = { claim: async () => ({ outcome: 'taken', row: known }) } as unknown as JobContext
    expect(await new RedirectTargets().claim(row, target, context)).toEqual({ ...row, depth: 1 })
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

describe('robots.txt', () => {
  it('is asked before each redirect is followed, and no URL that it forbids is requested', async () => {
    const other = await startSite({
      pages: { '/open': page(), '/x': page(), '/robots.txt': 'User-agent: *\nDisallow: /x' },
    })
    const broken = await startSite({
      pages: { '/x': page(), '/robots.txt': ({ response }) => response.writeHead(500).end() },
    })
    await on.open({
      '/': page('/ok', '/through', '/refresh', '/away', '/forbidden', '/broken'),
      '/ok': to('/a'),
      '/a': page(),
      '/through': to('/private/hop'),
      '/private/hop': to('/a?again'),
      '/refresh': '<meta http-equiv="refresh" content="0; url=/private/x">',
      '/away': to(other.url('/open', 'localhost')),
      '/forbidden': to(other.url('/x', 'localhost')),
      '/broken': to(broken.url('/x', 'localhost')),
      '/robots.txt': 'User-agent: *\nDisallow: /private/',
    })
    const { job, paths } = await on.crawl({ allowExternalLinks: true, sitemap: 'skip' })
    expect(paths).toEqual(['/', '/a', '/open'])
    expect(on.site.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('/private/'))
    expect(other.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/open'])
    expect(new Set(broken.requests.map(({ path }) => path))).toEqual(new Set(['/robots.txt']))
    const refusals = ['/through', '/refresh', '/forbidden', '/broken'].map(async (path) => on.rowOf(job, path))
    expect((await Promise.all(refusals)).map((row) => row?.refusal)).toEqual([
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/private\/hop: \S+ line 2/) },
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/private\/x: \S+ line 2/) },
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/x: \S+ line 2/) },
      { reason: 'ROBOTS_TXT', message: expect.stringMatching(/^redirects to \S+\/x: robots.txt could not be read/) },
    ])
    await Promise.all([other.close(), broken.close()])
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

  it('is not the reason for a page that redirects out of scope', async () => {
    const other = await startSite({ pages: { '/x': page(), '/robots.txt': 'User-agent: *\nDisallow: /' } })
    await on.open({ '/': page('/away'), '/away': to(other.url('/x', 'localhost')) })
    const { job, status } = await on.crawl({ sitemap: 'skip' })
    expect(status.warning).not.toContain('robots.txt')
    expect((await on.rowOf(job, '/away'))?.refusal).toMatchObject({ reason: 'EXTERNAL_LINK' })
    expect(other.requests.map(({ path }) => path)).toEqual(['/robots.txt'])
    await other.close()
  })
})
