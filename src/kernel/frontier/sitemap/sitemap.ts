import { slowDownStatuses } from '../../../base/http/statuses.js'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import type { GetSiteFile } from '../../../base/http/site-file.js'
import { isSameHost } from '../../../base/url.js'
import { domainOf } from '../scope/site-relation.js'
import type { SitemapFinding } from '../../../content/sitemap/sitemap-finding.js'
import { type QueuedSitemap, queueSitemaps } from './sitemap-queue.js'
import { processSitemap } from './process-sitemap.js'

/** Parameters of a search for sitemaps. */
export interface SitemapSearch {
  readonly start: URL
  /** Path prefixes of the crawl: see `foldersOf`. */
  readonly folders: readonly string[]
  /** Absolute URLs from the `Sitemap` lines of `robots.txt`. Feeds that pages link to are not included. */
  readonly robotsSitemaps: readonly string[]
  /** True if pages of the whole registrable domain belong to the crawl. */
  readonly allowSubdomains: boolean
  readonly get: GetSiteFile
  /** Ends the search. */
  readonly signal: AbortSignal
  readonly limits?: Partial<SitemapLimits>
}

/** Limits of a search. The number of all entries is not limited: the consumer stops when it has enough. */
interface SitemapLimits {
  /** Maximum files to request, including guesses. @default 1000 */
  readonly files: number
  /** Maximum bytes of one file, after decompression. @default 52428800 (50 MiB: sitemaps.org) */
  readonly fileBytes: number
  /**
   * Maximum entries of one file, usable or not. A consumer that wants more pages sets it higher.
   *
   * @default 50000 (sitemaps.org)
   */
  readonly fileEntries: number
  /** Maximum nesting of indexes; sitemaps.org allows none. @default 5 */
  readonly depth: number
  /**
   * Maximum consecutive files without a page: indexes of indexes, missing files, files that are not sitemaps. Then the
   * search ends, because a site may answer each request for an index with another index.
   *
   * @default 100
   */
  readonly emptyFiles: number
}

export const sitemapLimits: SitemapLimits = {
  files: 1000,
  fileBytes: 52_428_800,
  fileEntries: 50_000,
  depth: 5,
  emptyFiles: 100,
}

/** Usual names of sitemaps besides `sitemap.xml`. */
const usualNames = ['/sitemap_index.xml', '/sitemap-index.xml', '/wp-sitemap.xml', '/sitemap.xml.gz', '/sitemap.txt']

/**
 * Finds the pages in a site's sitemaps, in an order that depends on the site alone.
 *
 * A start URL that ends in `.xml` or `.xml.gz` is the only sitemap. Otherwise the search reads the `Sitemap` lines of
 * `robots.txt`, `sitemap.xml` below the crawl's folders and at the root and, if none of them is a sitemap, the other
 * usual names one after another, unless the site asks to be left alone (429, 503).
 * Last comes `sitemap.xml` of the registrable domain, if its pages belong to the crawl.
 * Indexes are followed breadth first, and each file is read once. Up to three files are fetched ahead; requests in
 * flight are aborted when the consumer stops.
 *
 * @throws the reason of the signal; nothing for faults of a site
 * @see docs/compatibility/crawls.md#sitemaps, https://www.sitemaps.org/protocol.html
 */
export async function* discoverSitemaps(search: SitemapSearch): AsyncGenerator<SitemapFinding, void, void> {
  const { start, get, signal } = search
  signal.throwIfAborted()
  const stop = new AbortController()
  const follow = (): void => stop.abort(signal.reason)
  onAbort(signal, follow)

  const limits = { ...sitemapLimits, ...search.limits }
  const queue = queueSitemaps(get, limits, stop.signal)
  const unread = listFirst(search).filter((queued) => queue.add(queued) === 'full' && !queued.isGuess)
  const guesses = isSitemapUrl(start) ? [] : usualNames.map((name) => new URL(name, start).href)
  const ofDomain = listOfDomain(search)
  const read = new Set<string>()
  const wrongGuesses = new Set<string>()
  let hasFound = false
  let emptyFiles = 0
  try {
    if (unread.length > 0) {
      const problem = `names ${unread.length} sitemaps that are not read: no more than ${limits.files} are`
      yield {
        kind: 'problem',
        sitemap: `${start.origin}/robots.txt`,
        problem,
        isGuess: false,
        isUnread: false,
        isFailure: false,
      }
    }
    for (;;) {
      const next = await queue.next()
      signal.throwIfAborted()
      if (next) {
        const context = { queue, read, wrongGuesses, limits, signal: stop.signal }
        const result = yield* processSitemap(next.queued, next.answer, context)
        signal.throwIfAborted()
        hasFound ||= result.isSitemap
        // Each further guess would prolong the pause of the site, and its pages come after that.
        if ('statusCode' in next.answer && slowDownStatuses.has(next.answer.statusCode)) guesses.length = 0
        emptyFiles = result.pages > 0 ? 0 : emptyFiles + 1
        if (emptyFiles < limits.emptyFiles || queue.size === 0) continue
        const problem = `is the last of ${emptyFiles} in a row that list no page: ${queue.size} more are not read`
        yield { kind: 'problem', sitemap: next.queued.url, problem, isGuess: false, isUnread: false, isFailure: false }
        return
      } else {
        const url = (hasFound ? undefined : guesses.shift()) ?? ofDomain.shift()
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

function listFirst({ start, folders, robotsSitemaps }: SitemapSearch): QueuedSitemap[] {
  if (isSitemapUrl(start)) return [{ url: start.href, isGuess: false }]
  const guesses = [...folders.map((folder) => `${folder.replace(/\/?$/, '/')}sitemap.xml`), '/sitemap.xml']
  return [
    ...robotsSitemaps.map((url) => ({ url, isGuess: false })),
    ...guesses.map((path) => ({ url: `${start.origin}${path}`, isGuess: true })),
  ]
}

/** Lists the sitemap of the registrable domain, if the crawl is of another host of it. */
function listOfDomain({ start, allowSubdomains }: SitemapSearch): string[] {
  const domain = allowSubdomains && !isSitemapUrl(start) ? domainOf(start) : null
  if (domain === null) return []
  const url = new URL('/sitemap.xml', start.origin)
  url.hostname = domain
  return isSameHost(url, start) ? [] : [url.href]
}
