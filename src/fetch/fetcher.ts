import type { BrowserPlan, Emulation } from './browser-plan.js'
import type { FetchedPage } from './fetched-page.js'
import type { HeaderScope } from './header-scope.js'
import type { PageClock } from '../concurrency/pausable-clock.js'
import type { RenderingPredictor } from './rendering-predictor.js'
import type { ProxyChoice, ProxyRoute } from './proxy-route.js'

/** What is fetched, for one page. */
export interface PageRequest {
  /** Absolute http or https URL. */
  readonly url: string
  /** The URL as the caller spelt it; becomes `metadata.sourceURL`. */
  readonly sourceURL: string
  /** The way that its connections take. @default straight to the site */
  readonly route?: ProxyRoute
  /** What the job has learnt about pages of this URL's making; absent outside a job. */
  readonly rendering?: RenderingPredictor
  /** Told of what fetching it takes up. @default nobody is told */
  readonly meter?: UsageMeter
  /** Lends the page's place to others while it waits for its site. @default the place is kept */
  readonly place?: PlaceLender
  /** What the page's deadline goes by: held while it waits for its turn. @default one that nobody else goes by */
  readonly clock?: PageClock
}

/** The place that a page has among those that are worked on at once. */
export interface PlaceLender {
  /**
   * Waits for the network. After some seconds the place is lent to others; it is back when the wait is over.
   *
   * @param how.clock held while the place is waited for
   * @throws what `work` rejects with; the signal's reason
   */
  wait<T>(work: Promise<T>, how: { readonly signal: AbortSignal; readonly clock?: PageClock | undefined }): Promise<T>
}

/** By what a page is told from the one that it was. */
export interface LastSeen {
  /** SHA-256 of the raw body, in hexadecimal digits. */
  readonly bodyHash: string
  /** Absent when its site gave none, or a browser brought it. */
  readonly validators?: Validators
}

/** Which fetchers a page may be brought by; `auto` is the plainest that does. */
export type FetcherChoice = 'auto' | 'http' | 'browser'

/** What a page that was fetched before is told by: its site answers 304 without a body when it is still the same. */
export interface Validators {
  /** The URL that gave the page; no other is sent these. */
  readonly url: string
  /** Its `ETag`. @see RFC 9110 section 13.1.2 */
  readonly etag?: string
  /** Its `Last-Modified`. @see RFC 9110 section 13.1.3 */
  readonly lastModified?: string
}

/** How a page is fetched: the slice of the plan that fetchers read. */
export interface FetchPlan {
  /** The caller's: sent to the hosts of `headerScope` only, wherever the page redirects to. */
  readonly headers: Readonly<Record<string, string>>
  /** The hosts that `headers` are for. @default that of the page's own URL */
  readonly headerScope?: Partial<HeaderScope>
  readonly skipTlsVerification: boolean
  /** Deadline for the whole page, in milliseconds. */
  readonly timeoutMs: number
  /** @default 'auto' */
  readonly fetcher?: FetcherChoice
  /** @default 'auto' */
  readonly proxy?: ProxyChoice
  /**
   * Gives what a guard answered as the page that it is: for files about a site, whose readers know what a refusal means.
   * @default false
   */
  readonly mayBeBlocked?: boolean
  /** Asks for the page only if it is another one by now; a browser does not. @default asks for the page */
  readonly validators?: Validators
  /** The options that only a browser can do, by name, for the reader of an error or of `explain`. @default none */
  readonly needsBrowser?: readonly string[]
  /** Why a browser comes first where there is one, to follow "as". @default HTTP comes first */
  readonly prefersBrowser?: string
  /** @default a desktop browser that reads English */
  readonly emulation?: Emulation
  /** What a browser does with the page, should one be used. @default nothing beside loading it */
  readonly browser?: BrowserPlan
}

/** A fetcher's word that the page is not for it, e.g. a file that a browser would only download. */
export interface Declined {
  /** Why, to follow "the browser …". */
  readonly declined: string
}

/** A way of getting a page. Plug-ins of `fetch/fetchers/` implement this. */
export interface Fetcher {
  readonly name: string
  /** Whether it is a browser: it runs the scripts of a page, and can do what a {@link BrowserPlan} asks for. */
  readonly isBrowser?: boolean
  /**
   * Brings a page in. An HTTP error status is a page; an error is thrown only when no page came. Only a browser
   * declines.
   *
   * @param signal aborted when the page's deadline passes or the job is cancelled: everything stops at once
   * @throws TrawlError with one of the `SCRAPE_…` codes
   */
  fetch(request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage | Declined>
  /** Gives back every socket, process and file. Fetches under way are aborted. */
  close(): Promise<void>
}

/** A fetcher that brings whatever there is, and never declines. */
export interface PlainFetcher extends Fetcher {
  fetch(request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage>
}

/** What the outside world may cost. Set once for an engine. */
export interface FetchLimits {
  /** Bytes of a body on the wire. @default 52428800 (50 MiB) */
  readonly wireBytes: number
  /** Bytes of a body after decompression. @default 104857600 (100 MiB) */
  readonly bodyBytes: number
  /** Redirects followed for one page. @default 10 */
  readonly redirects: number
  /**
   * Bytes of an answer's headers. What a page of the browser loads beside itself may have as many as the browser takes: 256 KiB.
   *
   * @default 65536 (64 KiB)
   */
  readonly headerBytes: number
}

/** Told of what is taken up for a page while it is fetched. */
export interface UsageMeter {
  /** A request was sent; one that was lost with its connection and is sent again is told again. */
  sent(): void
  /** Bytes came in, as they come over the wire; from a client that decodes them itself, decoded. */
  received(bytes: number): void
  /** A page has left the browser. Milliseconds that it was in it. */
  rendered(forMs: number): void
}
