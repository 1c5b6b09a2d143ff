/** The same page in another language. */
export interface Alternate {
  /** A language, with or without a region, or `x-default`; as the sitemap has it. */
  readonly hreflang: string
  /** Absolute. */
  readonly url: string
}

/** What a sitemap may say of a page beside its URL. */
export interface SitemapFacts {
  /** When the page was last changed: an ISO string in UTC. */
  readonly lastmod?: string
  /** `xhtml:link` elements with `hreflang`, at most 1000; the page itself is usually among them. */
  readonly alternates?: readonly Alternate[]
}

/** A page that a sitemap names: any http or https URL, on any host. The scope decides what becomes of it. */
export interface SitemapEntry extends SitemapFacts {
  readonly kind: 'page'
  readonly url: string
  /** The sitemap that names it. */
  readonly from: string
}

/** Why a sitemap, or a part of one, is not read. */
export interface SitemapTrouble {
  readonly kind: 'problem'
  readonly sitemap: string
  /** Goes on from the sitemap's URL, e.g. `answered 503 Service Unavailable`. */
  readonly problem: string
  /** Nobody named it, and it is no sitemap: it was looked for under a usual name, and perhaps none is meant to be there. */
  readonly isGuess: boolean
}

export type SitemapFinding = SitemapEntry | SitemapTrouble
