import { decodePercent } from '../../url.js'
import { type HeaderScope, headerScopeOf, isInHeaderScope } from '../header-scope.js'

export const defaultHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

/**
 * Names that a caller cannot set: they belong to the connection, not to the page, or would name another host.
 *
 * @see RFC 9110 section 7.6.1
 */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What the headers of one request are made of. */
export interface RequestHeaderParts {
  /** Where this request goes. */
  readonly url: URL
  /** The page's own URL, whose host the URL's credentials are for. */
  readonly pageUrl: URL
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The hosts that `callerHeaders` are for. @default that of the page's own URL */
  readonly headerScope?: Partial<HeaderScope> | undefined
  readonly userAgent: string
  /** The `Accept-Language` header. @default 'en-US,en;q=0.9' */
  readonly acceptLanguage?: string
  /** Cookies that this page's redirects set for `url`, as a `Cookie` header; empty for none. */
  readonly cookies: string
}

/**
 * The headers of one request, names in lower case.
 *
 * The caller's headers go to the hosts of their scope only, the page URL's user name and password, as Basic
 * authentication (RFC 7617), to the host of the page's URL only, and neither from https to http. A header of
 * {@link connectionHeaders} is left out.
 */
export function buildRequestHeaders(parts: RequestHeaderParts): Record<string, string> {
  const { url, pageUrl, callerHeaders, userAgent, acceptLanguage, cookies } = parts
  const headers = new Map(Object.entries({ 'user-agent': userAgent, ...defaultHeaders }))
  if (acceptLanguage !== undefined) headers.set('accept-language', acceptLanguage)
  const credentials = credentialsOf(pageUrl)
  if (credentials !== undefined && isInHeaderScope(url, headerScopeOf(undefined, pageUrl)))
    headers.set('authorization', credentials)
  if (isInHeaderScope(url, headerScopeOf(parts.headerScope, pageUrl))) {
    for (const [name, value] of Object.entries(callerHeaders)) {
      if (!connectionHeaders.has(name.toLowerCase())) headers.set(name.toLowerCase(), value)
    }
  }
  const cookie = mergeCookies(headers.get('cookie') ?? '', cookies)
  if (cookie !== '') headers.set('cookie', cookie)
  return Object.fromEntries(headers)
}

/** The caller's cookies and the page's own; where both have a name, the site has changed the value on the way. */
function mergeCookies(callers: string, pages: string): string {
  const nameOf = (pair: string) => pair.split('=', 1)[0]?.trim()
  const changed = new Set(pages.split(';').map(nameOf))
  const kept = callers.split(';').filter((pair) => pair.trim() !== '' && !changed.has(nameOf(pair)))
  return [...kept.map((pair) => pair.trim()), pages].filter(Boolean).join('; ')
}

/** The `Authorization` header for the user name and password of a URL; undefined for one that has none. @see RFC 7617 */
export function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const plain = `${decodePercent(username)}:${decodePercent(password)}`
  return `Basic ${Buffer.from(plain).toString('base64')}`
}
