import type { Dial } from './dial.js'

/** The kind of a proxy: `basic`, or `enhanced`, which costs more and is blocked less. */
export type ProxyKind = 'basic' | 'enhanced'

/** The requested kind; `auto` is basic first, and enhanced when that was blocked. */
export type ProxyChoice = ProxyKind | 'auto'

/** The result of fetching a page through a route: it passed, the site blocked it, or the proxy failed. */
export type RouteOutcome = 'passed' | 'blocked' | 'failed'

/** The route of a page's connections through a proxy, for redirects, frames and all fetchers. */
export interface ProxyRoute {
  /** Identifies the proxy and its credentials: connections may be reused under the same key. */
  readonly key: string
  /** Name of the proxy without credentials, for records and messages. */
  readonly proxy: string
  readonly dial: Dial
  /** True if there are other routes of the kind that were not tried. @default false */
  readonly hasOthers?: boolean
  /** True while the proxy is not to be used because it failed; then all of its kind failed. @default false */
  readonly isCooling?: boolean
  /** Reports the result, which influences the choice for later pages. */
  report(outcome: RouteOutcome): void
}

/** The requirements of a route. */
export interface ProxyRequest {
  readonly kind: ProxyKind
  /** ISO 3166-1 alpha-2 in upper case; absent for any country. */
  readonly country?: string
  /** Host of the page: a proxy that it blocked is avoided for a while. */
  readonly site: string
  /** Pages with the same session use the same proxy as long as it works; other pages use proxies in rotation. */
  readonly session?: string
  /** Keys of routes already tried for this page. */
  readonly avoid: ReadonlySet<string>
}

/** Selects among the proxies of an engine. */
export interface ProxyRoutes {
  /** Tests for proxies of a kind, and of a country. */
  has(kind: ProxyKind, country?: string): boolean
  /**
   * Tests for proxies in a country; undefined when no proxy is assigned to any country, so that the country is not
   * checked.
   */
  coversCountry(country: string): boolean | undefined
  /** Selects a route; undefined when there is none that was not tried. */
  find(question: ProxyRequest): ProxyRoute | undefined
}
