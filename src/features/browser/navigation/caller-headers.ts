import type { FetchPlan } from '../../../kernel/fetch/fetcher.js'
import { type HeaderScope, headerScopeOf, isInHeaderScope, listScopeUrls } from '../../../base/http/header-scope.js'
import { connectionHeaders, credentialsOf } from '../../../base/http/connection-headers.js'

/** The caller's headers in the form that a browser needs. */
interface CallerHeaders {
  /** User agent, also for scripts; undefined when the headers are not for the page's host. */
  readonly userAgent: string | undefined
  /** Set as cookies of the site, visible to scripts. */
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly url: string }[]
  readonly sends: readonly { readonly scope: HeaderScope; readonly headers: Readonly<Record<string, string>> }[]
}

/** Prepares the caller's headers, and the credentials of the page's URL. */
export function readCallerHeaders(url: URL, plan: FetchPlan): CallerHeaders {
  const scope = headerScopeOf(plan.headerScope, url)
  const {
    cookie = '',
    'user-agent': userAgent,
    ...headers
  } = Object.fromEntries(
    Object.entries(plan.headers).flatMap(([name, value]) => {
      const lower = name.toLowerCase()
      return connectionHeaders.has(lower) ? [] : [[lower, value] as const]
    }),
  )
  const credentials = credentialsOf(url)
  const login: Record<string, string> = credentials === undefined ? {} : { authorization: credentials }
  const sends = [
    { scope: headerScopeOf(undefined, url), headers: login },
    { scope, headers },
  ]
  return {
    userAgent: isInHeaderScope(url, scope) ? userAgent : undefined,
    cookies: parseCookieHeader(cookie).flatMap((pair) => cookieUrls(url, scope).map((at) => ({ ...pair, url: at }))),
    // In this order, so that the caller's `Authorization` header takes precedence over the URL's credentials.
    sends: sends.filter((one) => Object.keys(one.headers).length > 0),
  }
}

/**
 * Lists the hosts to set cookies for. A wildcard denotes no host that a cookie can be set for, except the page's own.
 */
function cookieUrls(url: URL, scope: HeaderScope): string[] {
  const hosts = [...listScopeUrls(scope), ...(isInHeaderScope(url, scope) ? [url] : [])].map(({ hostname }) => hostname)
  return [...new Set(hosts)].map((host) => `${new URL(scope.namedUrl).protocol}//${host}/`)
}

function parseCookieHeader(header: string): { name: string; value: string }[] {
  return header.split(';').flatMap((pair) => {
    const separator = pair.indexOf('=')
    const name = pair.slice(0, Math.max(separator, 0)).trim()
    return name === '' ? [] : [{ name, value: pair.slice(separator + 1).trim() }]
  })
}
