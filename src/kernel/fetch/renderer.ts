import type { StoredCookie } from '../../base/http/cookies.js'
import type { ProfilePlan } from './browser-plan.js'
import type { Fetcher, PlainFetcher } from './fetcher.js'

/** A fetcher that renders pages: it runs their scripts, and supports a {@link BrowserPlan}. It may decline a page. */
export interface Renderer extends Fetcher {
  /** Warnings of pages that it had to stop: what they show is no sign of what they have. */
  readonly stopWarnings: readonly string[]
}

/** Cookies of a page that is fetched over HTTP, which are kept under a name. */
export interface KeptCookies {
  /** Those that are not expired. */
  readonly cookies: readonly StoredCookie[]
  /** Warnings about some that cannot be used. */
  readonly warnings: readonly string[]
  /** Keeps the cookies at the end of the page, if the plan says so. @returns a warning when that failed */
  save(cookies: readonly StoredCookie[]): Promise<string | undefined>
}

/** Opens the cookies of a profile. @throws TrawlError; the signal's reason */
export type OpenCookies = (profile: ProfilePlan, nowMs: number, signal: AbortSignal) => Promise<KeptCookies>

/** Fetchers that a feature adds to an engine, with what is shared by their pages. Nothing is opened before it is used. */
export interface AddedFetchers {
  /** Absent where the settings of the engine leave it out. */
  readonly renderer?: Renderer
  /** Fetches over HTTP as a browser would: for `proxy: 'enhanced'`. @default there is no such way */
  readonly enhancedHttp?: PlainFetcher
  /** Serves the fetchers over HTTP as well. */
  readonly openCookies?: OpenCookies
  /** Stops what runs beside the pages, when the engine begins to close. */
  stop?(): void
}
