import { isRouteFragment } from '../url.js'

/**
 * What a page is remembered under: harder normalised than the crawl's key, because here a mistake costs no page.
 *
 * @param variant what beside the URL makes pages different, from the plan
 * @see docs/compatibility.md#cache
 */
export function cacheKey(url: string, variant: string): string {
  const { hostname, port, pathname, search, hash } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  const path = pathname.replace(/\/index\.(html|php|htm|shtml|xml)$/, '').replace(/\/$/, '')
  const route = isRouteFragment(hash) ? hash : ''
  return `${host}${port === '' ? '' : `:${port}`}${path}${search}${route} ${variant}`
}

/**
 * What a site's refusal or failure is remembered under: beside the page that it gave before, which is worth more.
 *
 * @see docs/compatibility.md#cache
 */
export const errorKey = (url: string, variant: string): string => `error ${cacheKey(url, variant)}`

/** Whether a URL carries a user name or a password: what answers to it may be for the caller's eyes only. */
export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}
