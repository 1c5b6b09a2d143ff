import type { StoredCookie } from '../../base/http/cookies.js'
import type { ProfilePlan } from './browser-plan.js'
import type { Fetcher, PlainFetcher } from './fetcher.js'

/** A fetcher that renders pages: it runs their scripts, and supports a {@link BrowserPlan}. It may decline a page. */
export interface Renderer extends Fetcher {
  /** Warnings of pages that it had to stop: what they show is no sign of what they have. */
  readonly stopWarnings: readonly string[]
}

/** Cookies of a page that is fetched over HTTP, which are kept under a name. */
interface KeptCookies {
  /** Those that are not expired. */
  readonly cookies: readonly StoredCookie[]
  /** Warnings about some that cannot be used. */
  readonly warnings: readonly string[]
  /** Keeps the cookies at the end of the page, if the plan says so. @returns a warning when that failed */
  save(cookies: readonly StoredCookie[]): Promise<string | undefined>
}

/** Opens the cookies of a profile. @throws TrawlError; the signal's reason */
export type OpenCookies = (profile: ProfilePlan, nowMs: number, signal: AbortSignal) => Promise<KeptCookies>

/** Session of a site: cookies and what scripts store. */
export interface KeptSession {
  cookies: StoredCookie[]
  /** Storage of each origin, as the renderer keeps it. */
  origins: object[]
  /** Identifies the login that made it. @default none is known */
  login?: string
}

/** Sessions that are kept under names, for renderers and over HTTP. */
export interface SessionStore {
  /** The session that was saved last; undefined when nothing was saved under the name. */
  read(name: string, signal: AbortSignal): Promise<KeptSession | undefined>
  /** @param before the session as it was read, to determine what has changed */
  save(name: string, session: KeptSession, before: KeptSession | undefined): Promise<void>
  /** Waits until nobody else logs in under the name. @returns a function that lets others go on */
  lock?(name: string, signal: AbortSignal): Promise<() => Promise<void>>
}

/** Fetchers that a feature adds to an engine, with what is shared by their pages. Nothing is opened before it is used. */
export interface AddedFetchers {
  /** Absent where the settings of the engine leave it out. */
  readonly renderer?: Renderer
  /** Fetches over HTTP as a browser would: for `proxy: 'enhanced'`. @default there is no such way */
  readonly enhancedHttp?: PlainFetcher
  /** Serves the fetchers over HTTP as well. */
  readonly openCookies?: OpenCookies
  readonly sessions?: SessionStore
  /** Stops what runs beside the pages, when the engine begins to close. */
  stop?(): void
}
