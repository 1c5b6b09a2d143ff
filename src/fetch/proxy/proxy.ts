import { ownValue } from '../../collections/own-value.js'
import { decodePercent } from '../../url.js'
import { withoutBrackets } from '../network/ip-address.js'

/** A proxy that connections are made through. */
export interface Proxy {
  readonly protocol: 'http' | 'https' | 'socks5'
  /** A name or an address; an IPv6 address without brackets. */
  readonly hostname: string
  readonly port: number
  /** Empty for a proxy that asks for none. */
  readonly username: string
  readonly password: string
  /** What it is called in messages and records: without its credentials. E.g. `socks5://proxy.example:1080`. */
  readonly name: string
}

/** What stands in a user name or password for the session: a seller of proxies gives each session an exit of its own. */
export const SESSION_PLACEHOLDER = '{session}'

const protocols: Readonly<Record<string, readonly [protocol: Proxy['protocol'], port: number]>> = {
  'http:': ['http', 80],
  'https:': ['https', 443],
  'socks:': ['socks5', 1080],
  'socks5:': ['socks5', 1080],
  'socks5h:': ['socks5', 1080],
}

/**
 * Reads the URL of a proxy: `http://user:password@host:port`, `https://…`, `socks5://…`; undefined for what is none.
 * Both names of the one SOCKS scheme mean the same: who resolves the site's name follows from the egress policy.
 */
export function parseProxy(spelling: string): Proxy | undefined {
  if (!URL.canParse(spelling)) return undefined
  const url = new URL(spelling)
  const [protocol, defaultPort] = ownValue(protocols, url.protocol) ?? []
  const isBare = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  if (!protocol || !isBare) return undefined
  const hostname = withoutBrackets(url.hostname)
  const port = Number(url.port) || defaultPort || 0
  const [username, password] = [decodePercent(url.username), decodePercent(url.password)]
  // What SOCKS can say in its one byte of length. @see RFC 1929
  const fits = protocol !== 'socks5' || Math.max(Buffer.byteLength(username), Buffer.byteLength(password)) <= 255
  if (hostname === '' || !fits) return undefined
  return { protocol, hostname, port, username, password, name: `${protocol}://${url.hostname}:${port}` }
}

/** Whether a proxy gives each session an exit of its own, so that a blocked one can be left for another. */
export const hasSessions = ({ username, password }: Proxy): boolean =>
  username.includes(SESSION_PLACEHOLDER) || password.includes(SESSION_PLACEHOLDER)

/** The proxy as one session uses it. */
export const withSession = (proxy: Proxy, session: string): Proxy => ({
  ...proxy,
  username: proxy.username.replaceAll(SESSION_PLACEHOLDER, session),
  password: proxy.password.replaceAll(SESSION_PLACEHOLDER, session),
})
