import type { CapturePlan } from '../fetch/capture.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { Store } from '../store/store.js'

/**
 * Where raw pages are remembered. Plug-ins of `cache/caches/` implement this, and a host may bring its own.
 *
 * A cache may forget anything at any time; it must never give back a page that was not stored whole under that key.
 * An error that it throws fails no page: the page is fetched, and its document says so in `warning`.
 */
export interface PageCache {
  /** The page stored last under this key. */
  get(key: string): Promise<FetchedPage | undefined>
  /** Stores a page, in place of any before it. */
  set(key: string, page: FetchedPage): Promise<void>
  delete(key: string): Promise<void>
  /** Gives back what the cache holds open. Called by `engine.close()` only for a cache that the engine made. */
  close(): Promise<void>
  /**
   * Where what was made of pages is kept beside them, so that a page that has not changed is not read anew. Its keys
   * name the bytes, the options and the version of trawl that it was made with. @default nothing is kept
   */
  readonly derived?: Store
}

/** How the cache is used for a page: the slice of the plan that `recall` and `remember` read. */
export interface CachePlan {
  /** Whether a stored page may be used at all: false with `maxAge: 0`, headers, actions or a profile. */
  readonly read: boolean
  /** A stored page must be younger than this. Milliseconds. */
  readonly maxAgeMs: number
  /** When set, only the cache is asked: a stored page must be at least this old. Milliseconds. */
  readonly minAgeMs?: number
  /** When set, only the cache is asked, and nothing whatever leaves the machine for the page. */
  readonly lockdown?: true
  /** For so long after it has become too old, a stored page is used where the site fails. Milliseconds. @default 0 */
  readonly staleIfErrorMs?: number
  /** When set, a stored page must be one that a browser brought: with these captures, and given at least this time. */
  readonly rendered?: { readonly waitForMs: number; readonly captures: CapturePlan }
  /** Whether a fetched page is stored. */
  readonly write: boolean
  /** What, beside its URL, makes two pages different: mobile, ads, proxy class, country, languages. */
  readonly variant: string
}
