import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl } from '../../url.js'
import type { Alternate, SitemapFacts } from './sitemap-finding.js'

/** The root element, in lower case, or `text`. */
export type SitemapFormat = 'urlset' | 'sitemapindex' | 'rss' | 'rdf' | 'feed' | 'text'

/** One thing that a sitemap file says. Every URL is an absolute http or https one. */
export type SitemapItem =
  /** The file is a sitemap, and of this format; comes before all else. */
  | { readonly kind: 'format'; readonly format: SitemapFormat }
  | ({ readonly kind: 'page'; readonly url: string } & SitemapFacts)
  /** Another sitemap file. */
  | { readonly kind: 'sitemap'; readonly url: string }
  /** What is wrong with the file, or with entries that are left out. */
  | { readonly kind: 'problem'; readonly problem: string }

/** Reads a file piece by piece; the pieces may be cut anywhere. */
export interface SitemapReader {
  write(text: string): void
  /** Nothing follows. */
  end(): void
  /** Set when the rest of the file is of no use. */
  readonly isDone: boolean
}

/** As they were written: URLs may be relative, or none. */
interface WrittenFacts {
  readonly lastmod?: string | undefined
  readonly alternates?: readonly Alternate[]
}

/** Where readers put what they find. */
export interface ItemList {
  addFormat(format: SitemapFormat): void
  /** An entry; whatever its URLs are, only what can be requested is kept. */
  addEntry(kind: 'page' | 'sitemap', href: string, facts?: WrittenFacts): void
  /** An entry of no use. */
  addUnusable(href: string): void
  addProblem(problem: string): void
  /** What has come since this was last asked for. */
  take(): readonly SitemapItem[]
}

/** The longest URL that is looked at, in characters; sitemaps.org allows 2048. */
export const longestUrl = MAX_URL_CHARACTERS

const resolveWebUrl = (href: string, baseUrl: string): string | undefined => {
  if (href === '' || href.length > longestUrl) return undefined
  const url = resolveUrl(href, baseUrl)
  return url && isWebUrl(url) && url.href.length <= longestUrl ? url.href : undefined
}

/** @param baseUrl what relative URLs are resolved against: the protocol has none, and sites do */
export function createItemList(baseUrl: string): ItemList & { countUnusable(): void } {
  let items: SitemapItem[] = []
  const unusable = { entries: 0, first: '', tooLong: 0 }

  const addUnusable = (href: string): void => {
    if (unusable.entries++ === 0) unusable.first = href.slice(0, 101)
    if (href.length > longestUrl) unusable.tooLong++
  }
  return {
    addFormat: (format) => void items.push({ kind: 'format', format }),
    addEntry(kind, href, { lastmod, alternates = [] } = {}) {
      const url = resolveWebUrl(href, baseUrl)
      if (url === undefined) return addUnusable(href)
      const others = alternates.flatMap((alternate) => {
        const resolved = resolveWebUrl(alternate.url, baseUrl)
        return resolved === undefined ? [] : { hreflang: alternate.hreflang, url: resolved }
      })
      if (kind === 'sitemap') return items.push({ kind, url })
      items.push({
        kind,
        url,
        ...(lastmod === undefined ? {} : { lastmod }),
        ...(others.length === 0 ? {} : { alternates: others }),
      })
    },
    addUnusable,
    addProblem: (problem) => void items.push({ kind: 'problem', problem }),
    take() {
      const taken = items
      items = []
      return taken
    },
    /** Adds the one problem that stands for all entries of no use. */
    countUnusable() {
      const { entries, first, tooLong } = unusable
      if (entries === 0) return
      const shown = JSON.stringify(first.length > 100 ? `${first.slice(0, 100)}…` : first)
      const what = entries === 1 ? '1 entry names' : `${entries} entries name`
      const why = tooLong === 0 ? '' : ` (${tooLong} of them more than ${longestUrl} characters)`
      items.push({ kind: 'problem', problem: `${what} no http or https URL${why}, the first: ${shown}` })
    },
  }
}
