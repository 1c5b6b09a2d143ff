import { type TrawlError, toTrawlError } from '../../errors.js'
import type { GetSiteFile, SiteFile } from '../site-file.js'
import type { SitemapEntry } from './sitemap-finding.js'

/** A sitemap that is to be read. */
export interface PlannedSitemap {
  readonly url: string
  /** Nobody named it: it is looked for under a usual name. */
  readonly isGuess: boolean
  /** The sitemap that names it. */
  readonly parent?: PlannedSitemap
  /** The page that it is if it turns out to be no sitemap. */
  readonly page?: SitemapEntry
}

/** What came, or why nothing did. */
export type SitemapAnswer = SiteFile | TrawlError

/** Sitemaps in the order in which they are read, each once, fetched a little ahead. */
export interface SitemapQueue {
  /**
   * Puts a sitemap at the end, unless it was put there before (`known`), names one that led to it (`loop`), is nested
   * too deep (`deep`) or is one too many (`full`).
   */
  add(planned: PlannedSitemap): 'added' | 'known' | 'loop' | 'deep' | 'full'
  /** How many are still to be read. */
  readonly size: number
  /** The next one and what came for it; undefined when none is left. */
  next(): Promise<{ planned: PlannedSitemap; answer: SitemapAnswer } | undefined>
}

/** Files asked for before it is their turn. */
const FETCHED_AHEAD = 3

export function queueSitemaps(
  get: GetSiteFile,
  limits: { readonly files: number; readonly depth: number },
  signal: AbortSignal,
): SitemapQueue {
  const seen = new Set<string>()
  const waiting: { planned: PlannedSitemap; answer?: Promise<SitemapAnswer> }[] = []

  const ask = (url: string): Promise<SitemapAnswer> =>
    get(url, signal).catch((error: unknown) => toTrawlError(error, url))

  return {
    add(planned) {
      const parents = listParents(planned)
      const url = withoutFragment(planned.url)
      if (seen.has(url)) return parents.some((parent) => withoutFragment(parent.url) === url) ? 'loop' : 'known'
      if (parents.length > limits.depth) return 'deep'
      if (seen.size >= limits.files) return 'full'
      seen.add(url)
      waiting.push({ planned: { ...planned, url } })
      return 'added'
    },
    get size() {
      return waiting.length
    },
    async next() {
      for (const ahead of waiting.slice(0, 1 + FETCHED_AHEAD)) ahead.answer ??= ask(ahead.planned.url)
      const first = waiting.shift()
      return first?.answer && { planned: first.planned, answer: await first.answer }
    },
  }
}

function listParents({ parent }: PlannedSitemap): PlannedSitemap[] {
  const parents: PlannedSitemap[] = []
  for (let above = parent; above; above = above.parent) parents.push(above)
  return parents
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? url
