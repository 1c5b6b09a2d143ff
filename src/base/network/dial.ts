import type { Socket } from 'node:net'

/** The target of a connection. */
export interface DialTarget {
  /** A name or an address; IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
}

/**
 * Opens the TCP connections of a page. TLS is added on top, by the browser for its own pages. All connections of a page
 * go through this function, which applies the egress policy and upstream proxies.
 *
 * @throws TrawlError such as `SCRAPE_ADDRESS_REFUSED` or `SCRAPE_PROXY_ERROR`; errors of the system; the signal's
 * reason
 */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>
