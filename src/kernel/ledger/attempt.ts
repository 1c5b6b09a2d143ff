import type { ErrorCode } from '../../base/errors.js'

/** One step of reading a list to its end, with `all` of format `list`. */
export interface ListStep {
  /**
   * `pages` for a further page; `data` for data that the page embeds for its scripts; `requests` for a request that
   * continues those of the page's scripts; `browser` for the page in a browser, where it grows.
   */
  readonly how: 'pages' | 'data' | 'requests' | 'browser'
  /** The URL that was read; for `data` that of the page. */
  readonly url: string
  /** The sign that led to it, such as the label of a link. */
  readonly evidence: string
  /** Number of its rows that were new. */
  readonly added: number
  /**
   * True for the rows of requests that the page itself had sent in the browser: nothing was requested for this step, so that
   * it costs no credit.
   *
   * @default false
   */
  readonly wasRecorded?: true
}

/** One attempt to fetch a page. */
export interface Attempt {
  readonly startedAtMs: number
  readonly endedAtMs: number
  /**
   * The fetcher used, or `cache`; `record` when nothing was requested, because an earlier crawl has the page and it is
   * unchanged.
   */
  readonly fetcher?: string
  /** Explains why a plainer fetcher was not used, or why the page counts as unchanged (`since`). */
  readonly fetcherReason?: string
  readonly statusCode?: number
  /** The kind of proxy used; absent for a basic one or none. */
  readonly proxyUsed?: 'stealth'
  /** Challenges and blocks of earlier fetch strategies: the vendor, and the sign by which each was detected. */
  readonly blocks?: readonly { readonly vendor?: string; readonly evidence: string }[]
  /** Steps of reading the list of the page to its end; of more than 100, the first 50 and the last 50. */
  readonly list?: readonly ListStep[]
  readonly code?: ErrorCode
  readonly error?: string
  /** The URL of a screenshot, taken when an action failed. */
  readonly screenshot?: string
  /** Time of the attempt that does not count towards the `timeout` of the page, because it waited for others; absent for none. */
  readonly waitedMs?: number
  /** The time of the next attempt; absent for the last one. Milliseconds since the epoch. */
  readonly retryAtMs?: number
}
