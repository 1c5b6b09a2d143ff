import type { DetectedBlock } from '../../content/challenge/detect-challenge.js'
import type { UnseenMarks } from '../../base/text/unseen-marks.js'
import type { RawActionResults } from './action.js'
import type { CapturePlan, Captures } from './capture.js'

/** One redirect between the requested URL and the page. */
export interface Redirect {
  /** The URL that redirected. */
  readonly url: string
  readonly statusCode: number
}

/** A page that led on to another one by itself. It is no document, but a crawl follows its links. */
export interface LeftPage {
  /** Its links to other pages than the one that it leads to. */
  readonly links: readonly LeftLink[]
  /** Its `meta` tags by name that may ask crawlers not to follow its links. */
  readonly metadata: Readonly<Record<string, readonly string[]>>
  /** Its `X-Robots-Tag` header. @default none */
  readonly robotsTag?: string
  /** Set when links may be missing: those beyond the bounds on what is read of such a page. */
  readonly isCut?: true
}

/** A link of a page that led on to another one. */
export interface LeftLink {
  readonly url: string
  /** Set for `rel="nofollow"`. */
  readonly nofollow?: true
}

/** A request of a page that was answered. */
export interface AnsweredRequest {
  readonly url: string
  /** Headers of the request that an API may need: `accept`, `x-requested-with`. */
  readonly headers: Readonly<Record<string, string>>
}

/** A JSON answer to a GET request of a page's scripts. */
export interface RecordedAnswer extends AnsweredRequest {
  /** Body as text. It is not parsed yet. */
  readonly text: string
}

/** Result of making the list of a page load all its rows in a browser. */
export interface ListGrowth {
  /** Number of rows. */
  readonly rows: number
  /** Number of attempts to load more. */
  readonly rounds: number
  /** Evidence that the list has no further rows. */
  readonly end?: string
  /**
   * The reason why it was not asked for more; absent with evidence of its end. `idle`: it brought nothing new. `failed`:
   * so did it, and a request of the page failed. `answers`: enough answers were recorded.
   */
  readonly stoppedBy?: 'idle' | 'failed' | 'most' | 'timeout' | 'bytes' | 'navigation' | 'answers'
  /** The recorded answers, in the order of their requests; with `stoppedBy: 'answers'`. */
  readonly answers?: readonly RecordedAnswer[]
}

/** A page as fetched: its bytes and the server's statements about them. This is what the cache stores. */
export interface FetchedPage {
  /** The URL after redirects. */
  readonly url: string
  readonly redirects: readonly Redirect[]
  /** Pages among {@link redirects} that led on by themselves and have other links; absent if there are none. */
  readonly leftPages?: readonly LeftPage[]
  readonly statusCode: number
  /** The reason phrase or the standard text of a status outside 200–299; absent otherwise. */
  readonly error?: string
  /** Headers with lower-case names; repeated ones are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Content-Type` header, unparsed. */
  readonly contentType?: string
  /** The body after content decoding (gzip, br, zstd, deflate), before charset decoding. */
  readonly body: Uint8Array
  /**
   * Security of the connections of a stored page, those of its redirects included; `verified` with checked certificates.
   * Absent if one was by http.
   */
  readonly secured?: 'https' | 'verified'
  /** Name of the fetcher, for example `http`. */
  readonly fetcher: string
  /** The time at which the response was complete, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** The reason for the choice of this fetcher, for `explain`. */
  readonly fetcherReason?: string
  /**
   * The embedded data from which its text was taken, for example `__NEXT_DATA__`; absent when the HTML contains the
   * text. The text is also added to the body, in an element with `data-hydrated-from`.
   */
  readonly hydratedFrom?: string
  /** Texts that the browser has drawn without their being seen; absent without a browser. */
  readonly unseen?: UnseenMarks
  /** Warnings: whole sentences. */
  readonly warnings?: readonly string[]
  /** The tier of the strategy that fetched it. @default 'basic' */
  readonly proxy?: 'enhanced'
  /** Challenges and blocks met before the page was fetched. */
  readonly blocks?: readonly DetectedBlock[]
  /** Time that a browser waited beyond the automatic wait. Milliseconds; absent without a browser. */
  readonly browserWaitMs?: number
  /** Result of `expand`; from a browser only. */
  readonly growth?: ListGrowth
  /** Results of actions; from a browser only. */
  readonly actions?: RawActionResults
  /** Results of captures; from a browser only. */
  readonly captures?: Captures
  /** The plan of the captures. */
  readonly capturePlan?: CapturePlan
}
