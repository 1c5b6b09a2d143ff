import { describe, expect, it } from 'vitest'
import { page, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

describe('the requests that a job has used', () => {
  it('equal the requests that its sites received, including those on lost connections', async () => {
    const used = new WeakSet<object>()
    // Every kept-alive connection is lost at its second request.
    const fragile: Pages[string] = ({ request, response }) => {
      if (used.has(request.socket)) request.socket.resetAndDestroy()
      else response.end(page())
      used.add(request.socket)
    }
    const paths = Array.from({ length: 12 }, (_, index) => `/${index}`)
    await on.open(Object.fromEntries(paths.map((path) => [path, fragile])))
    const job = on.engine.batchScrape({ urls: paths.map((path) => on.site.url(path)), maxConcurrency: 2 })
    const { completed, used: taken } = await job.finished()
    expect(completed).toBe(12)
    expect(on.site.requests.length).toBeGreaterThan(12)
    expect(taken.requests).toBe(on.site.requests.length)
  })
})
