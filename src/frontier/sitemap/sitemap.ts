import type { GetSiteFile } from '../site-file.js'
import type { SitemapFinding } from './sitemap-finding.js'
import { type PlannedSitemap, queueSitemaps } from './sitemap-queue.js'
import { visitSitemap } from './sitemap-visit.js'

/** Where sitemaps are looked for. */
export interface SitemapSearch {
  readonly start: URL
  /** The path prefix that the crawl stays below: see `childScope`. */
  readonly scopePrefix: string
  /** Absolute URLs: the `Sitemap` lines of `robots.txt`. Feeds that pages link to are not among them. */
  readonly robotsSitemaps: readonly string[]
  readonly get: GetSiteFile
  /** Ends the search. */
  readonly signal: AbortSignal
  readonly limits?: Partial<SitemapLimits>
}

/** What a search may cost. How many entries are read is up to the consumer, who stops when it has enough. */
export interface SitemapLimits {
  /** Files asked for, guesses included. @default 1000 */
  readonly files: number
  /** Bytes of one file, after decompression. @default 52428800 (50 MiB: sitemaps.org) */
  readonly fileBytes: number
  /** Indexes inside indexes; sitemaps.org allows none. @default 5 */
  readonly depth: number
  /**
   * Files in a row that name no page: indexes of indexes, files that cannot be had, pages that are no sitemap. After these no
   * more is asked for: a site may answer each request for an index with another index. @default 100
   */
  readonly barrenFiles: number
}

export const sitemapLimits: SitemapLimits = { files: 1000, fileBytes: 52_428_800, depth: 5, barrenFiles: 100 }

/** Names in use beside `sitemap.xml`. */
const usualNames = ['/sitemap_index.xml', '/sitemap-index.xml', '/wp-sitemap.xml', '/sitemap.xml.gz', '/sitemap.txt']

/**
 * Finds the pages that a site's sitemaps name, in an order that depends on the site alone.
 *
 * A start URL that ends in `.xml` or `.xml.gz` is the only sitemap. Otherwise these are asked for: the `Sitemap` lines of
 * `robots.txt`, `sitemap.xml` below the crawl's prefix and at the root and, one after another while none was a sitemap,
 * the other usual names. Indexes are followed breadth first, each file is read once. Up to three files are fetched ahead
 * of the one that is read; what is under way when the consumer stops is aborted.
 *
 * @throws the signal's reason; nothing for what a site does
 * @see docs/compatibility.md#sitemaps, https://www.sitemaps.org/protocol.html
 */
export async function* discoverSitemaps(search: SitemapSearch): AsyncGenerator<SitemapFinding, void, void> {
  const { start, get, signal } = search
  signal.throwIfAborted()
  const stop = new AbortController()
  const follow = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', follow, { once: true })

  const limits = { ...sitemapLimits, ...search.limits }
  const queue = queueSitemaps(get, limits, stop.signal)
  const unread = planFirst(search).filter((planned) => queue.add(planned) === 'full' && !planned.isGuess)
  const guesses = isSitemapUrl(start) ? [] : usualNames.map((name) => new URL(name, start).href)
  const read = new Set<string>()
  let hasFound = false
  let barrenFiles = 0
  try {
    if (unread.length > 0) {
      const problem = `names ${unread.length} sitemaps that are not read: no more than ${limits.files} are`
      yield { kind: 'problem', sitemap: `${start.origin}/robots.txt`, problem, isGuess: false }
    }
    for (;;) {
      const next = await queue.next()
      signal.throwIfAborted()
      if (next) {
        const visit = yield* visitSitemap(next.planned, next.answer, { queue, read, limits, signal: stop.signal })
        signal.throwIfAborted()
        hasFound ||= visit.isSitemap
        barrenFiles = visit.pages > 0 ? 0 : barrenFiles + 1
        if (barrenFiles < limits.barrenFiles || queue.size === 0) continue
        const problem = `is the last of ${barrenFiles} in a row that name no page: ${queue.size} more are not read`
        yield { kind: 'problem', sitemap: next.planned.url, problem, isGuess: false }
        return
      } else {
        const url = hasFound ? undefined : guesses.shift()
        if (url === undefined) return
        queue.add({ url, isGuess: true })
      }
    }
  } finally {
    signal.removeEventListener('abort', follow)
    stop.abort()
  }
}

const isSitemapUrl = ({ pathname }: URL): boolean => /\.xml(\.gz)?$/i.test(pathname)

function planFirst({ start, scopePrefix, robotsSitemaps }: SitemapSearch): PlannedSitemap[] {
  if (isSitemapUrl(start)) return [{ url: start.href, isGuess: false }]
  const guesses = [`${scopePrefix.replace(/\/?$/, '/')}sitemap.xml`, '/sitemap.xml']
  return [
    ...robotsSitemaps.map((url) => ({ url, isGuess: false })),
    ...guesses.map((path) => ({ url: `${start.origin}${path}`, isGuess: true })),
  ]
}
