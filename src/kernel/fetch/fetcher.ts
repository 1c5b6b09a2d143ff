import type { BrowserPlan, Emulation } from './browser-plan.js'
import type { FetchedPage, LeftPage } from './fetched-page.js'
import type { HeaderScope } from '../../base/http/header-scope.js'
import type { PageClock } from '../../base/concurrency/pausable-clock.js'
import type { PageCookies } from '../../base/http/cookies.js'
import type { ParentSpan } from '../../base/tracing/spans.js'
import type { ProxyChoice, ProxyRoute } from '../../base/network/proxy-route.js'

/** The request for one page. */
export interface PageRequest {
  /** Absolute http or https URL. */
  readonly url: string
  /** The URL as the caller spelt it; becomes `metadata.sourceURL`. */
  readonly sourceURL: string
  /** Fields of a form, URL-encoded: the URL is then sent them by POST, over HTTP alone. @default it is requested by GET */
  readonly form?: string
  /** The route of its connections. @default directly to the site */
  readonly route?: ProxyRoute
  /** Predicts which pages need a browser; absent outside a job. */
  readonly rendering?: RenderingPredictor
  /** Measures the resources used. @default none */
  readonly meter?: UsageMeter
  /** Permit that the page lends to other pages while it waits for its site. @default it is not lent */
  readonly permit?: ConcurrencyPermit
  /** Rule for the targets of redirects. @default all are followed */
  readonly redirectRule?: RedirectRule
  /** Called for each page that leads on to another one by itself, as soon as it is known: the other one may never come. */
  readonly onLeft?: (page: LeftPage) => void
  /** True where only HTML is wanted: for another type the request ends behind its head. @default false */
  readonly onlyHtml?: boolean
  /** Cookies that the attempts at the page share, unless it has a profile. @default those of one attempt */
  readonly cookies?: PageCookies
  /** The span that the fetch, the digest and calls of the model belong to. @default none */
  readonly span?: ParentSpan
  /** Clock for the page's deadline; paused while the page waits in a queue. @default a private clock */
  readonly clock?: PageClock
}

/** Rule for the targets of redirects. Fetchers over HTTP apply it before they request a target. */
export interface RedirectRule {
  /** Identifies the rule: only requests whose rules have equal names share a fetch. */
  readonly name: string
  /** @throws TrawlError when the target must not be requested */
  check(target: URL): Promise<void>
}

/** Step of a page: it is obtained, converted, or completed by what a browser, a model or a download gives. */
export type PageStep = 'fetch' | 'digest' | 'enrich'

/** A page's permit to be processed, of which there is a limited number. */
export interface ConcurrencyPermit {
  /**
   * Waits for work on the network. After some seconds the permit is lent to another page; it is reacquired before the
   * promise resolves.
   *
   * @param how.clock paused while the page waits to reacquire its permit
   * @throws the rejection of `work`; the signal's reason
   */
  wait<T>(work: Promise<T>, how: { readonly signal: AbortSignal; readonly clock?: PageClock }): Promise<T>
  /** Records what is done with the page from now on. It begins with `fetch`. @default not recorded */
  enter?(step: PageStep): void
}

/** Identifies the version of a page seen last time, for change detection. */
export interface LastSeen {
  /** SHA-256 of the raw body in hexadecimal digits. */
  readonly bodyHash: string
  /** The URL after redirects, without its fragment. @default any */
  readonly url?: string
  /** Absent when the site sent none, or the page came from a browser. */
  readonly validators?: Validators
}

/** The choices of setting `fetcher`: whether pages may be rendered. `browser` renders each page: see `fetch-with-escalation.ts`. */
export const FETCHER_CHOICES = {
  auto: { allowsBrowser: true },
  http: { allowsBrowser: false },
  browser: { allowsBrowser: true },
} as const satisfies Readonly<Record<string, { readonly allowsBrowser: boolean }>>

export type FetcherChoice = keyof typeof FETCHER_CHOICES

/** Validators of a conditional request: the site answers 304 without a body if the page is unchanged. */
export interface Validators {
  /** The URL of the page; the validators are sent to no other. */
  readonly url: string
  /** Its `ETag`. @see RFC 9110 section 13.1.2 */
  readonly etag?: string
  /** Its `Last-Modified`. @see RFC 9110 section 13.1.3 */
  readonly lastModified?: string
}

/** Settings for fetching a page: the slice of the plan for fetchers. */
export interface FetchPlan {
  /** The caller's headers, sent to the hosts of `headerScope` only, also after redirects. */
  readonly headers: Readonly<Record<string, string>>
  /** The hosts that `headers` are for. @default the page's host */
  readonly headerScope?: Partial<HeaderScope>
  readonly skipTlsVerification: boolean
  /** Deadline for the whole page. Milliseconds. */
  readonly timeoutMs: number
  /** @default 'auto' */
  readonly fetcher?: FetcherChoice
  /** @default 'auto' */
  readonly proxy?: ProxyChoice
  /** Name of the session that it belongs to: its pages use the same proxy. @default that of its profile */
  readonly session?: string
  /**
   * Returns a challenge or block page as it is: for files such as robots.txt, where a refusal has a meaning of its own.
   * @default false
   */
  readonly mayBeBlocked?: boolean
  /** Maximum size of the body after decompression, if it is less than that of the engine. Bytes. @default {@link FetchLimits.bodyBytes} */
  readonly maxBodyBytes?: number
  /** Makes the request conditional; a browser ignores it. @default unconditional */
  readonly validators?: Validators
  /** Names of the requested options that only a browser supports, for errors and `explain`. @default none */
  readonly needsBrowser?: readonly string[]
  /**
   * The reason why a browser is preferred if one is installed; follows the word "because". @default HTTP is preferred
   */
  readonly prefersBrowser?: string
  /** @default a desktop browser with English as its language */
  readonly emulation?: Emulation
  /** True for requests such as those of a login: sites may put what they are sent into addresses. No archive has them, no span their queries. */
  readonly isPrivate?: true
  /** Name of the recorder that is told of the exchanges of its pages, for the observer of the engine. @default none */
  readonly recorder?: string
  /** The steps of a browser besides loading the page. @default none */
  readonly browser?: BrowserPlan
}

/** The result of a fetcher that cannot handle the page, such as a file that a browser would only download. */
export interface Declined {
  /** The reason, a predicate that follows the words "the browser". */
  readonly declined: string
}

/** Fetches pages: over HTTP, or as the `Renderer` of a feature. */
export interface Fetcher {
  readonly name: string
  /**
   * Fetches a page. A response with an error status is a page; an error is thrown only without a response. Only one that
   * renders declines.
   *
   * @param signal aborted at the page's deadline and when the job is cancelled: all work stops at once
   * @throws TrawlError with one of the `SCRAPE_…` codes
   */
  fetch(request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage | Declined>
  /** Releases all sockets, processes and files. Fetches in progress are aborted. */
  close(): Promise<void>
}

/** A fetcher that accepts every page. */
export interface PlainFetcher extends Fetcher {
  fetch(request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage>
}

/** Limits for responses, set once for an engine. */
export interface FetchLimits {
  /** Maximum size of a body on the wire. Bytes. @default 52428800 (50 MiB) */
  readonly wireBytes: number
  /** Maximum size of a body after decompression. Bytes. @default 104857600 (100 MiB) */
  readonly bodyBytes: number
  /** Maximum number of redirects of a page. @default 10 */
  readonly redirects: number
  /**
   * Maximum size of response headers. Bytes. Sub-resources loaded by the browser have the browser's own limit of 256
   * KiB.
   *
   * @default 65536 (64 KiB)
   */
  readonly headerBytes: number
}

/** Measures the resources used to fetch a page. */
export interface UsageMeter {
  /** Called for each request sent; a request repeated after a lost connection counts twice. */
  sent(): void
  /** Called with bytes received on the wire, or decoded ones from a client that decodes them itself. */
  received(bytes: number): void
  /** Called when a page leaves the browser, with the time it spent there. Milliseconds. */
  rendered(forMs: number): void
}

/** Predicts which pages of a job need a browser, by URL template, from the pages fetched so far. */
export interface RenderingPredictor {
  /** Predicts the fetcher that a URL needs; undefined until enough pages of its template were fetched. */
  predict(url: string): 'http' | 'browser' | undefined
  /**
   * Records a page that was fetched over HTTP and by a browser.
   *
   * @param gained true when the browser's page had more text
   */
  record(url: string, gained: boolean): void
  /** Records a page whose text was in its HTML: later pages of its template are then fetched over HTTP first. */
  recordPlain(url: string): void
}
