import { isSuccessStatus } from './statuses.js'

/** Response for a `robots.txt` or a sitemap; a `FetchedPage` is one. */
export interface SiteFile {
  /** URL after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Reason phrase, or the standard text, for a status outside 200–299. */
  readonly error?: string
  /** The `Content-Type` header verbatim, if present. */
  readonly contentType?: string
  /** Headers with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body after content decoding. */
  readonly body: Uint8Array
}

/**
 * Fetches a file of a site, following redirects, under a deadline of its own. Discovery accesses the network only
 * through this function, so that the egress policy applies to all of its requests.
 *
 * @param signal aborted when the file is no longer needed
 * @param maxBytes maximum size of the body. @default that of a page
 * @throws TrawlError when there is no response; an error status is a response. The reason of the signal once it aborts.
 */
export type GetSiteFile = (url: string, signal: AbortSignal, maxBytes?: number) => Promise<SiteFile>

export const isSuccess = ({ statusCode }: SiteFile): boolean => isSuccessStatus(statusCode)

/** Formats a status, for example `answered 503 Service Unavailable`. */
export const describeStatus = ({ statusCode, error }: SiteFile): string =>
  `answered ${statusCode} ${error ?? ''}`.trim()
