import { ownValue } from '../collections/own-value.js'
import { decodePercent, parseUrl } from '../url.js'
import { withoutBrackets } from './ip-address.js'

/** A proxy server. */
export interface Proxy {
  readonly protocol: 'http' | 'https' | 'socks5'
  /** A name or an address; IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
  /** Empty for a proxy without authentication. */
  readonly username: string
  readonly password: string
  /** Name for messages and records, without credentials. For example `socks5://proxy.example:1080`. */
  readonly name: string
}

/** Placeholder for the session in a user name or password: proxy providers give each session its own exit. */
const SESSION_PLACEHOLDER = '{session}'

const protocols: Readonly<Record<string, readonly [protocol: Proxy['protocol'], port: number]>> = {
  'http:': ['http', 80],
  'https:': ['https', 443],
  'socks:': ['socks5', 1080],
  'socks5:': ['socks5', 1080],
  'socks5h:': ['socks5', 1080],
}

/**
 * Parses the URL of a proxy: `http://user:password@host:port`, `https://…`, `socks5://…`; undefined when it is invalid.
 * `socks5` and `socks5h` mean the same: the egress policy decides which side resolves names.
 */
export function parseProxy(spelling: string): Proxy | undefined {
  const url = parseUrl(spelling)
  if (!url) return undefined
  const [protocol, defaultPort] = ownValue(protocols, url.protocol) ?? []
  const isBare = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  if (!protocol || !isBare) return undefined
  const hostname = withoutBrackets(url.hostname)
  const port = Number(url.port) || defaultPort || 0
  const [username, password] = [decodePercent(url.username), decodePercent(url.password)]
  // SOCKS encodes the length in one byte. @see RFC 1929
  const fits = protocol !== 'socks5' || Math.max(Buffer.byteLength(username), Buffer.byteLength(password)) <= 255
  if (hostname === '' || !fits) return undefined
  return { protocol, hostname, port, username, password, name: `${protocol}://${url.hostname}:${port}` }
}

/** Tests for a proxy that gives each session its own exit, so that a blocked one can be replaced. */
export const hasSessions = ({ username, password }: Proxy): boolean =>
  username.includes(SESSION_PLACEHOLDER) || password.includes(SESSION_PLACEHOLDER)

/** The proxy with the credentials of one session. */
export const withSession = (proxy: Proxy, session: string): Proxy => ({
  ...proxy,
  username: proxy.username.replaceAll(SESSION_PLACEHOLDER, session),
  password: proxy.password.replaceAll(SESSION_PLACEHOLDER, session),
})
