import { isRouteFragment } from '../../base/url.js'

/**
 * Returns the key of a page in the cache. It is normalised harder than the crawl's key, because a collision costs no page here.
 *
 * @param variant options that change the page, from the plan
 * @see docs/compatibility/fetching.md#cache
 */
export function cacheKey(url: string, variant: string): string {
  const { hostname, port, pathname, search, hash } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  const path = pathname.replace(/\/index\.(html|php|htm|shtml|xml)$/, '').replace(/\/$/, '')
  const route = isRouteFragment(hash) ? hash : ''
  return `${host}${port === '' ? '' : `:${port}`}${path}${search}${route} ${variant}`
}

/** Tests for an absolute URL of https. The key has no scheme: what came by http must not be given for https. */
export const isHttps = (url: string): boolean => /^https:/i.test(url)

/**
 * Returns the key of an error page in the cache. It is stored beside the last good page, which is worth more.
 *
 * @see docs/compatibility/fetching.md#cache
 */
export const errorKey = (url: string, variant: string): string => `error ${cacheKey(url, variant)}`

/** Tests whether a URL has a user name or a password. Its page may be meant for this caller alone, so it is never cached. */
export function hasCredentials(url: string): boolean {
  // Nearly all URLs: they need not be parsed.
  if (!url.includes('@')) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}
