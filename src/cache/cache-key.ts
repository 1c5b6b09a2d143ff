import { isRouteFragment } from '../url.js'

/**
 * What a page is remembered under: harder normalised than the crawl's key, because here a mistake costs no page.
 *
 * @param variant what beside the URL makes pages different, from the plan
 * @see behaviour 8
 */
export function cacheKey(url: string, variant: string): string {
  const { hostname, port, pathname, search, hash } = new URL(url)
  const host = hostname.replace(/^www\./, '')
  const path = pathname.replace(/\/index\.(html|php|htm|shtml|xml)$/, '').replace(/\/$/, '')
  const route = isRouteFragment(hash) ? hash : ''
  return `${host}${port === '' ? '' : `:${port}`}${path}${search}${route} ${variant}`
}
