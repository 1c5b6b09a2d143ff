/** The same page in another language. */
export interface Alternate {
  /** A language, optionally with a region, or `x-default`; verbatim. */
  readonly hreflang: string
  /** Absolute. */
  readonly url: string
}

/** Data about a page in a sitemap, besides its URL. */
export interface SitemapFacts {
  /** Last modification, as an ISO string in UTC. */
  readonly lastmod?: string
  /** `xhtml:link` elements with `hreflang`, at most 1000, usually including the page itself. */
  readonly alternates?: readonly Alternate[]
}

/** A page in a sitemap: any http or https URL, on any host. The scope decides if it is crawled. */
export interface SitemapEntry extends SitemapFacts {
  readonly kind: 'page'
  readonly url: string
  /** URL of the sitemap. */
  readonly from: string
}

/** A reason why a sitemap, or a part of one, is not read. */
export interface SitemapProblem {
  readonly kind: 'problem'
  readonly sitemap: string
  /** Continues a sentence that begins with the sitemap's URL, for example `answered 503 Service Unavailable`. */
  readonly problem: string
  /** True when the URL was guessed and the response is not a sitemap, so there may be no fault at all. */
  readonly isGuess: boolean
  /** True when there was no response, or one with an error status. */
  readonly isUnread: boolean
  /** True when there was no response, or one whose status is often temporary: there may be a sitemap. */
  readonly isFailure: boolean
}

export type SitemapFinding = SitemapEntry | SitemapProblem
