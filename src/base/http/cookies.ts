import { isIP } from 'node:net'
import { getDomain } from 'tldts'

/** A cookie of a browser. `domain` begins with a dot, unless the cookie is for the host only. */
export interface StoredCookie {
  name: string
  value: string
  domain: string
  path: string
  /** Seconds since the epoch; -1 for a session cookie. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

/** The cookies of a page through its redirects, and of its profile. */
export interface CookieJar {
  /** Stores the `Set-Cookie` headers of a response from `url`. */
  store(url: URL, setCookies: readonly string[], nowMs: number): void
  /** The `Cookie` header for a request to `url`; empty for none. */
  header(url: URL): string
  list(): StoredCookie[]
}

/** The cookies that the attempts at one page share: a gate may answer 503 with a cookie, and the page to who brings it back. */
export interface PageCookies {
  /** Undefined before the first attempt. */
  jar?: CookieJar
}

/**
 * Creates a cookie jar for one page.
 *
 * Consent and log-in pages set a cookie and redirect; without the cookie they redirect for ever. The jar honours
 * Domain, Path, Secure, HttpOnly, SameSite and Max-Age or Expires. Cookies for a public suffix are refused, and those that
 * are not as the prefix of their name says.
 *
 * @param stored initial cookies, none of them expired
 * @see RFC 6265 section 5, https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/ sections 4.1.3 and 5.7
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
        .toSorted((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    list: () => [...cookies.values()],
  }
}

/** Maximum number of new cookies: about what browsers keep for one site. */
const MAX_COOKIES = 50
/** Maximum time for which browsers keep a cookie: 400 days. Seconds. */
const MAX_AGE_S = 34_560_000
/** The `expires` of a session cookie. */
const SESSION_COOKIE = -1

/** Identifies a cookie. @see RFC 6265 section 5.3, step 11 */
export const cookieKey = ({ name, domain, path }: StoredCookie): string => `${domain};${path};${name}`

/**
 * Tests whether a cookie can be sent. A control character would end the header, and make a browser refuse all cookies
 * set with it.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/ section 5.6
 */
export const isSendable = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
  !hasControl.test(name) && !hasControl.test(value) && !/[;=]/.test(name) && !value.includes(';')

// oxlint-disable-next-line no-control-regex -- control characters are what this searches for
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
  if (!isSendable({ name, value }) || !keepsPromises(name, attributes, url)) return undefined
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

/** Tests whether a cookie comes over https if it is Secure, and is as the prefix of its name says. */
function keepsPromises(name: string, attributes: ReadonlyMap<string, string>, { protocol }: URL): boolean {
  const isSecure = attributes.has('secure')
  if (isSecure && protocol !== 'https:') return false
  if (/^__host-/i.test(name)) return isSecure && !attributes.get('domain') && attributes.get('path') === '/'
  return isSecure || !/^__secure-/i.test(name)
}

/** Tests whether a host may set cookies for a domain: the host is within the domain, which is no public suffix. */
const maySetDomain = (domain: string, hostname: string): boolean =>
  domain === hostname || (isWithin(hostname, domain) && isRegistrable(domain))

/** Tests for a registrable domain: neither an address nor a public suffix such as `co.uk` or `localhost`. */
const isRegistrable = (domain: string): boolean => getDomain(domain, { allowPrivateDomains: true }) !== null

/** Reads the expiry in seconds since the epoch. */
function readExpiry(attributes: ReadonlyMap<string, string>, nowMs: number): number {
  const maxAge = attributes.get('max-age')
  const isAge = maxAge !== undefined && /^-?\d+$/.test(maxAge)
  const expiresMs = isAge ? nowMs + Number(maxAge) * 1000 : parseCookieDate(attributes.get('expires') ?? '')
  if (expiresMs === undefined) return SESSION_COOKIE
  return Math.max(0, Math.min(expiresMs / 1000, nowMs / 1000 + MAX_AGE_S))
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

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Reads the date of a cookie, which is in UTC whatever zone it names; undefined for what browsers do not read as a date, such
 * as `0` and `-1`: `Date.parse` reads them as years, long past.
 *
 * @returns milliseconds since the epoch
 * @see RFC 6265 section 5.1.1
 */
function parseCookieDate(text: string): number | undefined {
  let time: readonly number[] | undefined
  let day: number | undefined
  let month: number | undefined
  let year: number | undefined
  for (const token of text.split(/[\t -/;-@[-`{-~]+/)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token)
    const number = /^\d{1,4}(?!\d)/.exec(token)?.[0]
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase())
    if (clock && !time) time = clock.slice(1).map(Number)
    else if (number !== undefined && number.length <= 2 && day === undefined) day = Number(number)
    else if (named >= 0 && month === undefined) month = named
    else if (number !== undefined && number.length >= 2 && year === undefined) year = toFullYear(number)
  }
  if (!time || day === undefined || month === undefined || year === undefined) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = time
  const isValid = day >= 1 && day <= 31 && year >= 1601 && hours <= 23 && minutes <= 59 && seconds <= 59
  return isValid ? Date.UTC(year, month, day, hours, minutes, seconds) : undefined
}

function toFullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3 || year > 99) return year
  return year + (year >= 70 ? 1900 : 2000)
}
