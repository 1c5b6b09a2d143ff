import { type TrawlError, toTrawlError } from '../../../base/errors.js'
import type { GetSiteFile, SiteFile } from '../../../base/http/site-file.js'
import type { SitemapEntry } from '../../../content/sitemap/sitemap-finding.js'

/** A sitemap to read. */
export interface QueuedSitemap {
  readonly url: string
  /** True when the URL is a usual location of a sitemap that the site does not mention. */
  readonly isGuess: boolean
  /** The sitemap that lists it. */
  readonly parent?: QueuedSitemap
  /** The entry to report as a page if the response is not a sitemap. */
  readonly page?: SitemapEntry
}

/** The response to the request for a sitemap, or its error. */
export type SitemapResponse = SiteFile | TrawlError

/** A queue of sitemaps, without duplicates, that fetches a little ahead. */
export interface SitemapQueue {
  /**
   * Appends a sitemap, unless it was added before (`known`), contains itself through an index (`loop`), is nested too
   * deeply (`deep`), or exceeds the maximum (`full`). A guess that still waits takes over the `page` of a known one.
   */
  add(queued: QueuedSitemap): 'added' | 'known' | 'loop' | 'deep' | 'full'
  /** Number of sitemaps left. */
  readonly size: number
  /** Returns the next sitemap with its response; undefined when none is left. */
  next(): Promise<{ queued: QueuedSitemap; answer: SitemapResponse } | undefined>
}

/** Number of files to request ahead. */
const FETCHED_AHEAD = 3

interface WaitingSitemap {
  queued: QueuedSitemap
  answer?: Promise<SitemapResponse>
}

export function queueSitemaps(
  get: GetSiteFile,
  limits: { readonly files: number; readonly depth: number },
  signal: AbortSignal,
): SitemapQueue {
  const seen = new Set<string>()
  const waiting: WaitingSitemap[] = []
  const guesses = new Map<string, WaitingSitemap>()

  const fetchSitemap = (url: string): Promise<SitemapResponse> =>
    get(url, signal).catch((error: unknown) => toTrawlError(error, url))

  return {
    add(queued) {
      const parents = listParents(queued)
      const url = withoutFragment(queued.url)
      const guess = queued.page && guesses.get(url)
      // The site does mention it now.
      if (guess) guess.queued = { ...queued, url }
      if (seen.has(url)) return parents.some((parent) => withoutFragment(parent.url) === url) ? 'loop' : 'known'
      if (parents.length > limits.depth) return 'deep'
      if (seen.size >= limits.files) return 'full'
      seen.add(url)
      const added = { queued: { ...queued, url } }
      waiting.push(added)
      if (queued.isGuess) guesses.set(url, added)
      return 'added'
    },
    get size() {
      return waiting.length
    },
    async next() {
      for (const ahead of waiting.slice(0, 1 + FETCHED_AHEAD)) ahead.answer ??= fetchSitemap(ahead.queued.url)
      const first = waiting.shift()
      if (first) guesses.delete(first.queued.url)
      return first?.answer && { queued: first.queued, answer: await first.answer }
    },
  }
}

function listParents({ parent }: QueuedSitemap): QueuedSitemap[] {
  const parents: QueuedSitemap[] = []
  for (let above = parent; above; above = above.parent) parents.push(above)
  return parents
}

export const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url
