import type { ProxyTierMemory } from './proxy/proxy-tier-memory.js'
import type { Fetcher, PlainFetcher } from './fetcher.js'
import type { HydratePage } from './hydration/hydrate.js'
import type { ProxyRoutes } from './proxy-route.js'

/** The fetchers of an engine, and the ways out that they may take. */
export interface Fetchers {
  readonly http: PlainFetcher
  /** Absent where the engine is to use none. */
  readonly browser?: Fetcher
  /** HTTP in the manner of a browser, TLS and HTTP/2 included; absent where it is not installed. */
  readonly enhancedHttp?: PlainFetcher | undefined
  /** Takes a page's text from its data where that holds nobody up. @default on the caller's thread */
  readonly hydrate?: HydratePage
  /** @default straight to the site */
  readonly routes?: ProxyRoutes
  /** @default nothing is learnt */
  readonly access?: ProxyTierMemory
}
