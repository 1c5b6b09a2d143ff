import type { List } from '../row-list.js'

/** Options of reading a list to its end. */
export interface WholeListPlan {
  /** Number of rows after which it is not read further. */
  readonly maxRows: number
}

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

/** A list that was read to its end, and each step of it. */
export interface WholeList {
  readonly list: List
  readonly steps: readonly ListStep[]
}

/** End of reading a list, or one of its sources. */
export interface ListEnding {
  /** Evidence that there are no further rows. */
  readonly end?: string
  /** The reason why no further rows were read; absent with evidence of the end. */
  readonly stoppedBy?: string
  /** URL of a page that the list goes on with and that was not read. */
  readonly lostPage?: string
}
