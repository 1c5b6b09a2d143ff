import type { RawActionResults } from './action.js'
import type { CapturePlan, Captures } from './capture.js'

/** One hop on the way from the URL asked for to the page. */
export interface Redirect {
  /** The URL that answered with a redirect. */
  readonly url: string
  readonly statusCode: number
}

/** What stood in a visitor's way. */
export interface DetectedBlock {
  /** Whose guard it is, where that is known. */
  readonly vendor?: string
  /** What it was seen by, for a reader. */
  readonly evidence: string
}

/** A page as it came in: bytes and what the server said about them. This is what the cache remembers. */
export interface FetchedPage {
  /** The URL that answered, after redirects. */
  readonly url: string
  readonly redirects: readonly Redirect[]
  readonly statusCode: number
  /** The reason phrase or the standard text for a status outside 200–299, else absent. */
  readonly error?: string
  /** Lower-case names; a header sent several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Content-Type` header verbatim, where there is one. */
  readonly contentType?: string
  /** The body after content decoding (gzip, br, zstd, deflate), before charset decoding. */
  readonly body: Uint8Array
  /** Which fetcher brought it, e.g. `http`. */
  readonly fetcher: string
  /** When the answer was complete, in milliseconds since the epoch. */
  readonly fetchedAtMs: number
  /** Why it was brought by this fetcher and no other, for the reader of `explain`. */
  readonly fetcherReason?: string
  /**
   * The data of the page's own that its text was taken from, e.g. `__NEXT_DATA__`; absent where its HTML has the text. The
   * text then stands in the body as well, in an element with `data-hydrated-from`.
   */
  readonly hydratedFrom?: string
  /** What went less well than asked for: sentences. */
  readonly warnings?: readonly string[]
  /** Set where it took more than the plain way. @default 'basic' */
  readonly proxy?: 'enhanced'
  /** What stood in the way before the page came. */
  readonly blocks?: readonly DetectedBlock[]
  /** How long a browser gave the page beyond the automatic wait, in milliseconds; absent when no browser brought it. */
  readonly browserWaitMs?: number
  /** What the actions on the page brought; from a browser only. */
  readonly actions?: RawActionResults
  /** What formats asked to be taken of the page; from a browser only. */
  readonly captures?: Captures
  /** What those were asked for with. */
  readonly capturePlan?: CapturePlan
}
