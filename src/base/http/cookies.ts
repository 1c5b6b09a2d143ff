import { isIP } from 'node:net'
import type * as ToughCookie from 'tough-cookie'
import type { Cookie, CookieJar as LibraryJar } from 'tough-cookie'

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

/** The cookies that requests share: those of the attempts at one page, of a profile, or of a job. */
export interface PageCookies {
  /** Undefined before the first attempt. */
  jar?: CookieJar
  /** True if pages share them: a browser then keeps those of every page, not only of one that fails. @default false */
  readonly areShared?: boolean
}

/** Cookies that a jar keeps of one domain, and of all: the least that browsers do. The oldest ones go. @see RFC 6265 section 6.1 */
const MAX_OF_DOMAIN = 50
const MAX_COOKIES = 3000
/** Maximum time for which browsers keep a cookie: 400 days. Milliseconds. */
const MAX_AGE_MS = 34_560_000_000
/** The `expires` of a session cookie. */
const SESSION_COOKIE = -1

type Library = typeof ToughCookie

interface Opened {
  readonly library: Library
  readonly jar: LibraryJar
}

/**
 * Cookies of pages, by the rules of RFC 6265 and its successor: Domain with public suffixes, Path, Secure, Max-Age and Expires, and the
 * prefixes of names. Consent and log-in pages set a cookie and redirect; without the cookie they redirect for ever.
 *
 * The library is loaded with the first cookie: most pages of a crawl set none, and it takes 12 ms.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/
 */
export class CookieJar {
  #jar: Opened | undefined
  /** Cookies that are not in the jar yet. */
  #first: readonly StoredCookie[]
  /** Cookies that were stored since all were counted. */
  #added = 0

  /** @param stored initial cookies, none of them expired */
  constructor(stored: readonly StoredCookie[] = []) {
    this.#first = stored
  }

  /** True if no cookie has been stored. */
  get isEmpty(): boolean {
    return this.#jar === undefined && this.#first.length === 0
  }

  /** Stores the `Set-Cookie` headers of a response from `url`. */
  async store(url: URL, setCookies: readonly string[], nowMs: number): Promise<void> {
    if (setCookies.length === 0) return
    const { library, jar } = await this.#open()
    for (const line of setCookies) {
      const cookie = library.Cookie.parse(line)
      if (!cookie || !isSendable({ name: cookie.key, value: cookie.value }) || !keepsPromise(cookie)) continue
      // A suffix may set cookies for itself, as `localhost` does.
      if (cookie.domain === url.hostname && !isRegistrable(cookie.domain, library)) cookie.domain = null
      if (url.protocol === 'http:' && hidesSecure(cookie, url, { library, jar })) continue
      const expiryMs = cookie.expiryTime(new Date(nowMs))
      // The library counts `Max-Age` from the last use of a cookie.
      cookie.maxAge = null
      cookie.expires = expiryMs === undefined ? 'Infinity' : new Date(clamp(expiryMs, nowMs + MAX_AGE_MS))
      const kept = jar.setCookieSync(cookie, url.href, { now: new Date(nowMs), ignoreError: true })
      if (kept && expiryMs !== undefined && expiryMs <= nowMs) this.#remove(kept)
      else if (kept) this.#limit(kept, jar)
    }
  }

  /** Returns the `Cookie` header for a request to `url`; empty for none. */
  async header(url: URL, nowMs: number): Promise<string> {
    if (this.isEmpty) return ''
    const { jar } = await this.#open()
    return jar
      .getCookiesSync(url.href, { expire: false, sort: true })
      .filter((cookie) => (cookie.expiryTime() ?? Infinity) > nowMs)
      .map((cookie) => cookie.cookieString())
      .join('; ')
  }

  list(): StoredCookie[] {
    return this.#jar ? listCookies(this.#jar.jar).map(toStored) : [...this.#first]
  }

  /** Takes over what a page in a browser has changed: others may have changed the jar meanwhile. */
  async merge(before: readonly StoredCookie[], after: readonly StoredCookie[]): Promise<void> {
    const { library, jar } = await this.#open()
    const had = new Map(before.map((cookie) => [cookieKey(cookie), cookieState(cookie)]))
    const has = new Set(after.map(cookieKey))
    for (const cookie of before) if (!has.has(cookieKey(cookie))) this.#remove(fromStored(cookie, library))
    for (const cookie of after) {
      if (had.get(cookieKey(cookie)) === cookieState(cookie)) continue
      const put = fromStored(cookie, library)
      void jar.store.putCookie(put)
      this.#limit(put, jar)
    }
  }

  async #open(): Promise<Opened> {
    if (this.#jar) return this.#jar
    const library = await import('tough-cookie')
    // Another page may have opened it meanwhile.
    if (this.#jar) return this.#jar
    const jar = new library.CookieJar(null, { prefixSecurity: 'unsafe-disabled', allowSecureOnLocal: false })
    for (const cookie of this.#first) void jar.store.putCookie(fromStored(cookie, library))
    this.#jar = { library, jar }
    return this.#jar
  }

  #remove({ domain, path, key }: Cookie): void {
    void this.#jar?.jar.store.removeCookie(domain, path, key)
  }

  /** Makes room for a cookie. */
  #limit({ domain }: Cookie, jar: LibraryJar): void {
    let ofDomain: Cookie[] = []
    jar.store.findCookies(domain, null, true, (_error, found = []) => (ofDomain = found))
    ofDomain = ofDomain.filter((cookie) => cookie.domain === domain).toSorted(byAge)
    if (ofDomain[0] && ofDomain.length > MAX_OF_DOMAIN) this.#remove(ofDomain[0])
    this.#added += 1
    if (this.#added <= MAX_COOKIES / 10) return
    this.#added = 0
    for (const cookie of listCookies(jar).slice(0, -MAX_COOKIES)) this.#remove(cookie)
  }
}

const byAge = (a: Cookie, b: Cookie): number => a.creationIndex - b.creationIndex

/** Tests for a domain that is no public suffix, and no address. */
const isRegistrable = (domain: string, { getPublicSuffix }: Library): boolean =>
  (getPublicSuffix(domain, { ignoreError: true }) ?? null) !== null

const clamp = (timeMs: number, mostMs: number): number => Math.max(0, Math.min(timeMs, mostMs))

/** Lists the cookies of a jar, the oldest first: the store of the library is in memory, and calls back at once. */
function listCookies({ store }: LibraryJar): Cookie[] {
  let found: Cookie[] = []
  store.getAllCookies((_error, cookies = []) => (found = cookies))
  return found
}

/** Tests whether a cookie is as the prefix of its name says. The library compares it with its case, and takes any path. */
function keepsPromise({ key, secure, domain, path }: Cookie): boolean {
  if (/^__host-/i.test(key)) return secure && domain === null && path === '/'
  return secure || !/^__secure-/i.test(key)
}

/** Tests for a cookie of plain http that would take the place of one of https. @see https://datatracker.ietf.org/doc/draft-ietf-httpbis-rfc6265bis/ */
function hidesSecure({ key, path }: Cookie, url: URL, { library, jar }: Opened): boolean {
  const at = new URL(path?.startsWith('/') ? path : library.defaultPath(url.pathname), `https://${url.host}`)
  return jar.getCookiesSync(at.href, { expire: false }).some((kept) => kept.secure && kept.key === key)
}

const SAME_SITES = { strict: 'Strict', lax: 'Lax', none: 'None' } as const

function toStored({ key, value, domain, path, expires, httpOnly, secure, sameSite, hostOnly }: Cookie): StoredCookie {
  const host = isIP(domain ?? '') === 6 ? `[${domain}]` : (domain ?? '')
  const kind = sameSite?.toLowerCase() as keyof typeof SAME_SITES | undefined
  return {
    name: key,
    value,
    domain: hostOnly === false ? `.${host}` : host,
    path: path ?? '/',
    expires: expires instanceof Date ? expires.getTime() / 1000 : SESSION_COOKIE,
    httpOnly,
    secure,
    sameSite: SAME_SITES[kind ?? 'lax'] ?? 'Lax',
  }
}

const fromStored = (
  { name, value, domain, path, expires, httpOnly, secure, sameSite }: StoredCookie,
  { Cookie: LibraryCookie }: Library,
): Cookie =>
  new LibraryCookie({
    key: name,
    value,
    domain: domain.replace(/^\./, '').replace(/^\[(.*)\]$/, '$1'),
    hostOnly: !domain.startsWith('.'),
    path,
    expires: expires === SESSION_COOKIE ? 'Infinity' : new Date(expires * 1000),
    httpOnly,
    secure,
    sameSite: sameSite.toLowerCase(),
    creation: new Date(0),
  })

/** Identifies a cookie. @see RFC 6265 section 5.3, step 11 */
export const cookieKey = ({ name, domain, path }: StoredCookie): string => `${domain};${path};${name}`

/** Returns the comparable state of a cookie, with `expires` rounded, because a browser returns it with other decimals. */
export const cookieState = ({ value, expires, httpOnly, secure, sameSite }: StoredCookie): string =>
  JSON.stringify([value, Math.round(expires), httpOnly, secure, sameSite])

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
