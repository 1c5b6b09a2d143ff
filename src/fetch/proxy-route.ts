import type { Dial } from './dial.js'

/** `basic` is for sites that let programs in; `enhanced` costs more, and gets into more. */
export type ProxyKind = 'basic' | 'enhanced'

/** Which kind a page asks for; `auto` is basic, and once more enhanced where that was blocked. */
export type ProxyChoice = ProxyKind | 'auto'

/** What came of a page on a route: it passed, the site blocked it, or the proxy let it down. */
export type RouteOutcome = 'passed' | 'blocked' | 'failed'

/** The way that the connections of one page take: through a proxy. Redirects, frames and further fetchers keep to it. */
export interface ProxyRoute {
  /** The same for the same proxy and credentials: connections may be kept for who comes by the same key. */
  readonly key: string
  /** The proxy without its credentials, for records and messages. */
  readonly proxy: string
  readonly dial: Dial
  /** Says what came of it, so that the next page can be given a better one. */
  report(outcome: RouteOutcome): void
}

/** What a route is asked for with. */
export interface ProxyRequest {
  readonly kind: ProxyKind
  /** ISO 3166-1 alpha-2 in upper case; absent for anywhere. */
  readonly country?: string | undefined
  /** The host of the page: a proxy that it blocked is left alone for a while. */
  readonly site: string
  /** Pages with one session keep to one proxy as long as it is well; others take turns. */
  readonly session?: string | undefined
  /** Keys of routes that were tried for this page already. */
  readonly avoid: ReadonlySet<string>
}

/** The proxies of an engine. */
export interface ProxyRoutes {
  /** Whether there are proxies for this, so that a page need not go straight. */
  has(kind: ProxyKind, country?: string): boolean
  /**
   * Whether proxies stand in this country; undefined where no country has any, so that the question does not arise.
   */
  coversCountry(country: string): boolean | undefined
  /** The next route; undefined where there are no proxies for it, or none that was not tried. */
  find(question: ProxyRequest): ProxyRoute | undefined
}
