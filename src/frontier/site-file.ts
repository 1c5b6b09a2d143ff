/** What `robots.txt` and sitemaps need to know of a page that came in; a `FetchedPage` is one. */
export interface SiteFile {
  /** The URL that answered, after redirects. */
  readonly url: string
  readonly statusCode: number
  /** The reason phrase or the standard text for a status outside 200–299. */
  readonly error?: string
  /** The `Content-Type` header verbatim, where there is one. */
  readonly contentType?: string
  /** The body after content decoding. */
  readonly body: Uint8Array
}

/**
 * Brings one file of a site in, with redirects followed and under a deadline of its own. Discovery reaches the network
 * through this alone, so that the egress policy holds for all that it asks for.
 *
 * @param signal aborted when nobody needs the file any more
 * @throws TrawlError when no page came; an error status is a page. The signal's reason once it is aborted.
 */
export type GetSiteFile = (url: string, signal: AbortSignal) => Promise<SiteFile>

export const isSuccess = ({ statusCode }: SiteFile): boolean => statusCode >= 200 && statusCode < 300

/** E.g. `answered 503 Service Unavailable`. */
export const describeStatus = ({ statusCode, error }: SiteFile): string =>
  `answered ${statusCode} ${error ?? ''}`.trim()
