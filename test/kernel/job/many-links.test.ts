import { describe, expect, it } from 'vitest'
import { answer, type Pages, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()

const MANY = 100_000
const front = (href: (n: number) => string): string =>
  `<!doctype html><title>t</title><main><h1>Front</h1><p>Some words that are the content of this page.</p>${Array.from(
    { length: MANY },
    (_, n) => `<a href="${href(n + 1)}">${n + 1}</a>`,
  ).join('\n')}</main>`

/** A site that answers every other URL with a page of words that no other has. */
function site(start: string, other: (path: string) => string): Pages {
  const get = (_: object, path: string): Pages[string] | undefined =>
    path === '/' ? start : /robots|sitemap/.test(path) ? undefined : answer({}, other(path))
  return new Proxy({}, { get: (target, path) => get(target, String(path)) })
}

const article = (path: string): string =>
  `<!doctype html><title>${path}</title><main><h1>Page</h1><p>Some words that are the content of the page ${path}.</p></main>`

describe('a crawl whose start page has 100,000 links', { timeout: 240_000 }, () => {
  it('ends at its limit, and counts every link', async () => {
    await on.open(
      site(
        front((n) => `/p/${n}.html`),
        article,
      ),
    )
    const { job, status } = await on.crawl({ sitemap: 'skip', limit: 50, scrapeOptions: { timeout: 200_000 } })
    expect(status).toMatchObject({ status: 'completed', completed: 50, skippedByReason: { LIMIT: MANY - 49 } })
    expect(status.warning).toContain('More URLs were found than the job keeps')
    expect(await job.explain(on.site.url(`/p/${MANY}.html`))).toMatchObject({ refusal: { reason: 'LIMIT' } })
  })

  it('to itself with other queries ends without a limit, and says that they are a trap', async () => {
    const start = front((n) => `/?q=${n}`)
    await on.open(site(start, () => start.slice(0, 2000)))
    const { status } = await on.crawl({ sitemap: 'skip', scrapeOptions: { timeout: 200_000 } })
    expect(status).toMatchObject({ status: 'completed' })
    expect(status.completed + status.skipped).toBe(MANY + 1)
    const { TRAP = 0, LIMIT = 0 } = status.skippedByReason
    expect(TRAP + LIMIT).toBe(status.skipped)
    expect(TRAP).toBeGreaterThan(20_000)
  })
})
