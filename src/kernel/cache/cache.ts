import type { CapturePlan } from '../fetch/capture.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { Store } from '../../base/store/store.js'

/**
 * A cache of raw pages. Plug-ins of `cache/caches/` implement this, and a host may bring its own.
 *
 * A cache may drop any page at any time. It must never return a page that was not stored whole under that key.
 * An error of the cache fails no page: the page is fetched, and its document has a `warning`.
 */
export interface PageCache {
  /** Returns the page stored last under this key. */
  get(key: string): Promise<FetchedPage | undefined>
  /** Stores a page. It replaces an earlier page of the key. */
  set(key: string, page: FetchedPage): Promise<void>
  delete(key: string): Promise<void>
  /** Releases files and connections. `engine.close()` calls this only for a cache that the engine made. */
  close(): Promise<void>
  /**
   * Store of digests of pages, so that an unchanged page is not digested again. Its keys depend on the bytes, the options and the
   * version of the digest. @default digests are not stored
   */
  readonly derived?: Store
}

/** A cache as the engine asks it: each call has a time of its own, because a page may have less than the cache. Milliseconds. */
export interface AskedCache extends PageCache {
  get(key: string, maxMs?: number): Promise<FetchedPage | undefined>
  /** The same as `get`, for a page that no request may replace: it waits for an answer also where `get` is refused. @default `get` */
  getPatiently?(key: string, maxMs?: number): Promise<FetchedPage | undefined>
  set(key: string, page: FetchedPage, maxMs?: number): Promise<void>
  delete(key: string, maxMs?: number): Promise<void>
}

/** Use of the cache for a page: the slice of the plan that `recall` and `remember` read. */
export interface CachePlan {
  /** True where a stored page may be used; false with `maxAge: 0`, headers, actions or a profile. */
  readonly read: boolean
  /** Maximum age of a stored page. Milliseconds. */
  readonly maxAgeMs: number
  /** Minimum age of a stored page; when set, the page is never fetched. Milliseconds. */
  readonly minAgeMs?: number
  /** Set when the page must come from the cache, and no request of any kind may be sent for it. */
  readonly lockdown?: true
  /** Time beyond the maximum age for which a stored page is used when its site fails. Milliseconds. @default 0 */
  readonly staleIfErrorMs?: number
  /** Set where a stored page must come from a browser: with these captures, after at least this wait. */
  readonly rendered?: { readonly waitForMs: number; readonly captures: CapturePlan }
  /** True where a fetched page is stored. */
  readonly write: boolean
  /** Timeout of the whole page, of which the cache gets a share. Milliseconds. @default the cache's own limits */
  readonly timeoutMs?: number
  /** Set where a page of https must have been fetched with checked certificates. */
  readonly verifiesCertificates?: true
  /** Options that change the page of a URL: mobile, ads, proxy class, country, languages. */
  readonly variant: string
}
