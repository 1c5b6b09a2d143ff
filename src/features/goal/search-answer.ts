/** Answer of a search page that was fetched, and the question. Plain data. */
export interface SearchAnswer {
  /** URL after redirects. */
  readonly url: string
  readonly body: Uint8Array
  readonly contentType?: string
  /** Its `X-Robots-Tag` header. */
  readonly robotsHeader?: string
  /** URL that was requested. */
  readonly asked: string
  /** Words that were searched for. */
  readonly query: string
}

/** A page that a search page lists. */
export interface SearchResult {
  readonly url: string
  /** Text of the link to it; empty where texts are not kept. */
  readonly title: string
  /** Terms of the goal in that text: a set, as in `LinkWords`. */
  readonly titleSet: number
  /** Terms of the goal in that text, and in the text around the link. */
  readonly textSet: number
  /** Set for a link that the search page asks crawlers not to follow. */
  readonly nofollow?: true
}
