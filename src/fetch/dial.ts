import type { Socket } from 'node:net'

/** Where a connection goes. */
export interface DialTarget {
  /** A name or an address; an IPv6 address without brackets. */
  readonly hostname: string
  readonly port: number
}

/**
 * Opens the plain connections of a page; TLS is done on top of them, by the browser for its own pages. Whatever
 * connects for a page goes through it, so it is where the egress policy holds and where an upstream proxy stands in.
 *
 * @throws TrawlError `SCRAPE_ADDRESS_REFUSED`, `SCRAPE_PROXY_ERROR` and the like; what the system throws; the signal's
 * reason
 */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>
