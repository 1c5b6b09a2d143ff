import { connectionHeaders, credentialsOf } from './connection-headers.js'
import { type HeaderScope, headerScopeOf, isInHeaderScope } from './header-scope.js'

export const defaultHeaders = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

/** Inputs of a request's headers. */
interface RequestHeaderParts {
  /** The URL of this request. */
  readonly url: URL
  /** The URL of the page, for whose host its credentials are. */
  readonly pageUrl: URL
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The hosts that `callerHeaders` are sent to. @default the page's host */
  readonly headerScope?: Partial<HeaderScope>
  readonly userAgent: string
  /** The `Accept-Language` header. @default 'en-US,en;q=0.9' */
  readonly acceptLanguage?: string
  /** Cookies for `url` from earlier redirects and the profile, as a `Cookie` header; empty for none. */
  readonly cookies: string
}

/**
 * Builds the headers of a request, with names in lower case.
 *
 * The caller's headers are sent to the hosts of their scope only. The credentials of the page's URL are sent as Basic
 * authentication (RFC 7617) to its host only. Neither is sent over http when the page's URL is https. Headers in {@link
 * connectionHeaders} are left out.
 */
export function buildRequestHeaders(parts: RequestHeaderParts): Record<string, string> {
  const { url, pageUrl, callerHeaders, userAgent, acceptLanguage, cookies } = parts
  const own = Object.entries(callerHeaders)
  const credentials = credentialsOf(pageUrl)
  const usual = { 'user-agent': userAgent, ...defaultHeaders }
  if (acceptLanguage !== undefined) usual['accept-language'] = acceptLanguage
  // Nearly all requests.
  if (credentials === undefined && own.length === 0 && cookies === '') return usual
  const headers = new Map(Object.entries(usual))
  if (credentials !== undefined && isInHeaderScope(url, headerScopeOf(undefined, pageUrl)))
    headers.set('authorization', credentials)
  if (own.length > 0 && isInHeaderScope(url, headerScopeOf(parts.headerScope, pageUrl))) {
    for (const [name, value] of own) {
      if (!connectionHeaders.has(name.toLowerCase())) headers.set(name.toLowerCase(), value)
    }
  }
  const cookie = mergeCookies(headers.get('cookie') ?? '', cookies)
  if (cookie !== '') headers.set('cookie', cookie)
  return Object.fromEntries(headers)
}

/** Merges the caller's cookies and the jar's; the jar's take precedence, because the site has changed them. */
function mergeCookies(callers: string, pages: string): string {
  if (callers === '') return pages
  const nameOf = (pair: string) => pair.split('=', 1)[0]?.trim()
  const changed = new Set(pages.split(';').map(nameOf))
  const kept = callers.split(';').filter((pair) => pair.trim() !== '' && !changed.has(nameOf(pair)))
  return [...kept.map((pair) => pair.trim()), pages].filter(Boolean).join('; ')
}
