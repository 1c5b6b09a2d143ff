import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl } from '../../base/url.js'
import type { Alternate, SitemapFacts } from './sitemap-finding.js'

/** Name of the root element in lower case, or `text`. */
export type SitemapFormat = 'urlset' | 'sitemapindex' | 'rss' | 'rdf' | 'feed' | 'text'

/** An item of a sitemap file. All URLs are absolute http or https URLs. */
export type SitemapItem =
  /** Identifies the file as a sitemap of this format; always the first item. */
  | { readonly kind: 'format'; readonly format: SitemapFormat }
  | ({ readonly kind: 'page'; readonly url: string } & SitemapFacts)
  /** Another sitemap file. */
  | { readonly kind: 'sitemap'; readonly url: string }
  /** A fault of the file, or of skipped entries. */
  | { readonly kind: 'problem'; readonly problem: string }

/** An incremental reader; chunks may end anywhere. */
export interface SitemapReader {
  write(text: string): void
  /** Ends the input. */
  end(): void
  /** True when the rest of the file can be ignored. */
  readonly isDone: boolean
}

/** Values as written; URLs may be relative or invalid. */
interface WrittenFacts {
  readonly lastmod?: string
  readonly alternates?: readonly Alternate[]
}

/** Collects the items that a reader finds. */
export interface ItemList {
  /** Number of entries so far, usable or not. */
  readonly entries: number
  addFormat(format: SitemapFormat): void
  /** Adds an entry; only URLs that can be requested are kept. */
  addEntry(kind: 'page' | 'sitemap', href: string, facts?: WrittenFacts): void
  /** Counts an invalid entry. */
  addUnusable(href: string): void
  addProblem(problem: string): void
  /** Returns and removes the items added since the last call. */
  drain(): readonly SitemapItem[]
}

const resolveWebUrl = (href: string, baseUrl: string): string | undefined => {
  if (href === '' || href.length > MAX_URL_CHARACTERS) return undefined
  const url = resolveUrl(href, baseUrl)
  return url && isWebUrl(url) && url.href.length <= MAX_URL_CHARACTERS ? url.href : undefined
}

/** @param baseUrl resolves relative URLs, which the protocol does not allow but sites use */
export function createItemList(baseUrl: string): ItemList & { countUnusable(): void } {
  let items: SitemapItem[] = []
  let total = 0
  const unusable = { entries: 0, first: '', tooLong: 0 }

  const addUnusable = (href: string): void => {
    total += 1
    if (unusable.entries++ === 0) unusable.first = href.slice(0, 101)
    if (href.length > MAX_URL_CHARACTERS) unusable.tooLong++
  }
  return {
    get entries() {
      return total
    },
    addFormat: (format) => void items.push({ kind: 'format', format }),
    addEntry(kind, href, { lastmod, alternates = [] } = {}) {
      const url = resolveWebUrl(href, baseUrl)
      if (url === undefined) return addUnusable(href)
      total += 1
      const others = alternates.flatMap((alternate) => {
        const resolved = resolveWebUrl(alternate.url, baseUrl)
        return resolved === undefined ? [] : { hreflang: alternate.hreflang, url: resolved }
      })
      if (kind === 'sitemap') return items.push({ kind, url })
      items.push({
        kind,
        url,
        lastmod,
        alternates: others.length === 0 ? undefined : others,
      })
    },
    addUnusable,
    addProblem: (problem) => void items.push({ kind: 'problem', problem }),
    drain() {
      const taken = items
      items = []
      return taken
    },
    /** Adds one problem for all invalid entries. */
    countUnusable() {
      const { entries, first, tooLong } = unusable
      if (entries === 0) return
      const shown = JSON.stringify(first.length > 100 ? `${first.slice(0, 100)}…` : first)
      const what = entries === 1 ? 'has 1 entry that names' : `has ${entries} entries that name`
      const why = tooLong === 0 ? '' : ` (${tooLong} of them more than ${MAX_URL_CHARACTERS} characters)`
      items.push({ kind: 'problem', problem: `${what} no http or https URL${why}, the first: ${shown}` })
    },
  }
}
