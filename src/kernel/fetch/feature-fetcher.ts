/** Request that a fetcher of a feature answers. */
export interface FetcherRequest {
  /** Absolute, without credentials and fragment. */
  readonly url: string
  /** `POST` for a form, such as that of a `login`; it is over HTTP alone. */
  readonly method: 'GET' | 'POST'
  /** Fields of the form, URL-encoded. It may hold secrets. @default none: the method is `GET` */
  readonly body?: string
  /** Headers with names in lower case: those that the site would be sent, with cookies, and validators of a known page. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when nobody waits for the answer any more: at the deadline of the page, at the end of its job. */
  readonly signal: AbortSignal
  /** Limits that the answer must keep; one beyond them ends the page as it does for an answer of a site. */
  readonly limits: { readonly wireBytes: number; readonly bodyBytes: number; readonly headerBytes: number }
}

/** Answer of a fetcher of a feature. A `Response` of the platform is one. */
export interface FetcherResponse {
  /** HTTP status, 200 to 599. A redirect is followed, as one of a site. @default 200 */
  readonly status?: number
  /** Reason phrase. @default the standard one of the status */
  readonly statusText?: string
  /** Headers; a repeated one as an array. @default none: the type of the page is told from its bytes */
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Body in the coding that its `content-encoding` names; a text becomes UTF-8. @default empty */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null
}

/**
 * A fetcher of a feature: it gets URLs in the place of the network. What it answers is treated as the answer of a site: redirects,
 * cookies, limits, scope, cache, content type and digest are the same, and the `robots.txt` and the sitemaps of its hosts come from it.
 */
export interface FeatureFetcher {
  /** True if it answers the requests of pages in a browser as well. @default false: its URLs are fetched over HTTP alone */
  readonly servesBrowser?: boolean
  /** True if its answers are those that somebody had before, such as of an archive: no `login` is done for URLs of its own. @default false */
  readonly isRecorded?: boolean
  /** Opens it. Waited for before `handles` is asked for the first time: up to ten minutes, which are none of the `timeout` of a page. */
  open?(): Promise<void>
  /**
   * Tells which URLs are its own: absolute ones, without credentials and fragment. Called often: it is to be fast.
   *
   * @param method method of the request, in capitals: in a browser it may be any. Absent where a page is planned
   */
  handles(url: string, method?: string): boolean
  /** Gets a URL of its own. What it throws ends the page, with the name of the feature in the error. */
  fetch(request: FetcherRequest): FetcherResponse | Promise<FetcherResponse>
}

/** A fetcher, and the name of its feature. */
export interface NamedFetcher {
  readonly feature: string
  readonly fetcher: FeatureFetcher
}
