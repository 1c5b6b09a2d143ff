import { describe, expect, it } from 'vitest'
import { page, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

const busyFor =
  (seconds: number): Pages[string] =>
  ({ response }) => {
    response.writeHead(429, { 'retry-after': String(seconds) }).end(page())
  }

describe('a page that is answered 429', () => {
  it('is returned at once when `Retry-After` is longer than its `timeout`', async () => {
    await on.open({ '/1': busyFor(3600), '/2': busyFor(3600) })
    const urls = [on.site.url('/1'), on.site.url('/2')]
    const status = await on.engine.batchScrape({ urls, timeout: 3000 }).finished()
    expect(status).toMatchObject({ status: 'completed', completed: 2, failed: 0 })
    for (const { metadata, warning } of status.data) {
      expect(metadata).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
      expect(warning).toContain(
        "The site asks to be left alone for 3600 s, longer than the page's `timeout` of 3000 ms",
      )
    }
    expect(on.site.requests).toHaveLength(2)
  })

  it('is returned at once by `engine.scrape()` as well', async () => {
    await on.open({ '/1': busyFor(3600) })
    const { metadata, warning } = await on.engine.scrape(on.site.url('/1'), { timeout: 3000 })
    expect(metadata.statusCode).toBe(429)
    expect(warning).toContain('3600 s')
    expect(on.site.requests).toHaveLength(1)
  })

  it('is the last request after the site has asked twice for a long pause: the other pages fail at once', async () => {
    await on.open(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`/${index}`, busyFor(3600)])))
    const urls = Array.from({ length: 200 }, (_, index) => on.site.url(`/${index}`))
    const job = on.engine.batchScrape({ urls })
    const status = await job.finished()
    const asked = on.site.requests.length
    expect(asked).toBeLessThanOrEqual(10)
    expect(status).toMatchObject({ status: 'completed', completed: asked, failed: 200 - asked })
    const { errors } = await job.errors()
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['SCRAPE_RATE_LIMITED']))
    expect(errors[0]?.error).toMatch(/has answered 429 repeatedly, and no page is requested from it before 20/)
  })

  it('does not prevent pages from being read from the cache', async () => {
    const busy = busyFor(3600)
    let isBusy = false
    const turn: Pages[string] = (exchange) =>
      isBusy && typeof busy === 'function' ? busy(exchange) : exchange.response.end(page())
    await on.open({ '/kept': turn, '/1': turn, '/2': turn, '/3': turn })
    await on.engine.scrape(on.site.url('/kept'))
    isBusy = true
    const urls = ['/1', '/2'].map((path) => on.site.url(path))
    await on.engine.batchScrape({ urls }).finished()
    const job = on.engine.batchScrape({ urls: [on.site.url('/kept'), on.site.url('/3')] })
    expect(await job.finished()).toMatchObject({ completed: 1, failed: 1, data: [{ metadata: { cacheState: 'hit' } }] })
  })
})

describe('a sitemap that is answered 429', () => {
  it('holds back the pages of its site for as long as its `Retry-After` says', async () => {
    let answeredAt = 0
    let wasAnswered = (): void => {}
    const answered = new Promise<void>((resolve) => (wasAnswered = resolve))
    let askedAt = 0
    await on.open({
      '/robots.txt': ({ response, request }) => response.end(`Sitemap: http://${request.headers.host}/list.xml`),
      '/list.xml': ({ response }) => {
        answeredAt = performance.now()
        response.on('close', wasAnswered)
        response.writeHead(429, { 'retry-after': '2' }).end()
      },
      '/': async ({ response }) => {
        await answered
        response.end(page('/a'))
      },
      '/a': ({ response }) => {
        askedAt = performance.now()
        response.end(page())
      },
    })
    const { status } = await on.crawl()
    expect(status).toMatchObject({ status: 'completed', completed: 2 })
    // Without it, the first pause of a site is one second.
    expect(askedAt - answeredAt).toBeGreaterThan(1800)
  })
})
