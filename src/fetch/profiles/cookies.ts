import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import type { StoredCookie } from './profile.js'

/** The cookies of one page's way through its redirects, and of the profile that it is fetched with. */
export interface CookieJar {
  /** Takes the `Set-Cookie` headers of an answer from `url`. */
  store(url: URL, setCookies: readonly string[], nowMs: number): void
  /** The `Cookie` header for a request to `url`; empty for none. */
  header(url: URL): string
  list(): StoredCookie[]
}

/**
 * Makes a jar for one page.
 *
 * Consent and log-in gates set a cookie and redirect; without it they redirect for ever. Domain, Path, Secure, HttpOnly,
 * SameSite and Max-Age or Expires are honoured; no site may set a cookie for a public suffix.
 *
 * @param stored cookies to begin with, none of them expired
 * @see RFC 6265 section 5
 */
export function createCookieJar(stored: readonly StoredCookie[] = []): CookieJar {
  const cookies = new Map(stored.map((cookie) => [cookieKey(cookie), cookie]))
  const most = cookies.size + MAX_COOKIES
  return {
    store(url, setCookies, nowMs) {
      for (const line of setCookies) {
        const cookie = readCookie(line, url, nowMs)
        if (!cookie) continue
        const key = cookieKey(cookie)
        if (cookie.expires !== SESSION_COOKIE && cookie.expires * 1000 <= nowMs) cookies.delete(key)
        else if (cookies.has(key) || cookies.size < most) cookies.set(key, cookie)
      }
    },
    header: (url) =>
      [...cookies.values()]
        .filter((cookie) => matchesUrl(cookie, url))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    list: () => [...cookies.values()],
  }
}

/** What browsers keep for one site, roughly. */
const MAX_COOKIES = 50
/** The `expires` of a cookie that a browser forgets when it ends. */
const SESSION_COOKIE = -1

/** What names a cookie. @see RFC 6265 section 5.3, step 11 */
export const cookieKey = ({ name, domain, path }: Pick<StoredCookie, 'name' | 'domain' | 'path'>): string =>
  `${domain};${path};${name}`

/**
 * Whether a cookie can be sent at all: one with a control character would end the header, or be refused by the browser
 * with all others.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/ section 5.6
 */
export const isSendable = ({ name, value }: Pick<StoredCookie, 'name' | 'value'>): boolean =>
  !hasControl.test(name) && !hasControl.test(value) && !/[;=]/.test(name) && !value.includes(';')

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const hasControl = /[\u0000-\u001f\u007f]/

function readAttributes(line: string): ReadonlyMap<string, string> {
  const pairs = line.split(';').slice(1)
  return new Map(
    pairs.map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
}

function readCookie(line: string, url: URL, nowMs: number): StoredCookie | undefined {
  const attributes = readAttributes(line)
  const [pair = ''] = line.split(';', 1)
  const separator = pair.indexOf('=')
  if (separator < 1) return undefined
  const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase()
  if (domain !== '' && !maySetDomain(domain, url.hostname)) return undefined
  const path = attributes.get('path') ?? ''
  const [name, value] = [pair.slice(0, separator).trim(), pair.slice(separator + 1).trim()]
  if (!isSendable({ name, value })) return undefined
  return {
    name,
    value,
    domain: domain === '' || !isRegistrable(domain) ? url.hostname : `.${domain}`,
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/'))),
    expires: readExpiry(attributes, nowMs),
    httpOnly: attributes.has('httponly'),
    secure: attributes.has('secure'),
    sameSite: readSameSite(attributes.get('samesite')),
  }
}

/** Whether a host may set cookies for a domain: it lies within, and the domain is somebody's. */
const maySetDomain = (domain: string, hostname: string): boolean =>
  domain === hostname || (isWithin(hostname, domain) && isRegistrable(domain))

/** Not an address, and not a suffix that anybody can have a name under, such as `co.uk` or `localhost`. */
const isRegistrable = (domain: string): boolean => getDomain(domain, { allowPrivateDomains: true }) !== null

/** In seconds since the epoch. */
function readExpiry(attributes: ReadonlyMap<string, string>, nowMs: number): number {
  const maxAge = attributes.get('max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Math.max(0, nowMs / 1000 + Number(maxAge))
  const expires = Date.parse(attributes.get('expires') ?? '')
  return Number.isNaN(expires) ? SESSION_COOKIE : Math.max(0, expires / 1000)
}

function readSameSite(value = ''): StoredCookie['sameSite'] {
  const known = ({ strict: 'Strict', none: 'None' } as const)[value.toLowerCase()]
  return known ?? 'Lax'
}

function matchesUrl({ domain, path, secure }: StoredCookie, url: URL): boolean {
  const hostFits = domain.startsWith('.') ? isWithin(url.hostname, domain.slice(1)) : url.hostname === domain
  const folder = path.endsWith('/') ? path : `${path}/`
  const pathFits = url.pathname === path || url.pathname.startsWith(folder)
  return hostFits && pathFits && (!secure || url.protocol === 'https:')
}

const isWithin = (hostname: string, domain: string): boolean =>
  hostname === domain || (isIP(hostname) === 0 && hostname.endsWith(`.${domain}`))
