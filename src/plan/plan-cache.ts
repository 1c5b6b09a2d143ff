import type { CachePlan } from '../cache/cache.js'
import type { ScrapeOptions } from '../request/scrape-options.js'
import type { BrowserSlices } from './plan-browser.js'

const TWO_DAYS_MS = 172_800_000

/**
 * How the cache is used for a page.
 *
 * A page that was fetched with headers, actions or a profile may be for the caller's eyes only: it is neither taken
 * from the cache nor put there. `minAge` by itself accepts a page of any age above it.
 * @see interface section 2.1, behaviour 8
 */
export function planCache(
  options: ScrapeOptions,
  skipTlsVerification: boolean,
  { needsBrowser, browser }: BrowserSlices,
): CachePlan {
  const { minAge, maxAge = minAge === undefined ? TWO_DAYS_MS : Infinity } = options
  const personal = hasHeaders(options) || hasActions(options) || options.profile !== undefined
  return {
    read: !personal && maxAge > 0,
    maxAgeMs: maxAge,
    ...(minAge === undefined ? {} : { minAgeMs: minAge }),
    write: !personal && options.storeInCache !== false,
    ...(needsBrowser.length === 0 ? {} : { rendered: { waitForMs: browser.waitForMs, captures: browser.captures } }),
    variant: describeVariant(options, skipTlsVerification),
  }
}

export const hasHeaders = ({ headers = {} }: ScrapeOptions): boolean => Object.keys(headers).length > 0

export const hasActions = ({ actions = [] }: ScrapeOptions): boolean => actions.length > 0

/**
 * What makes two fetches of one URL two pages: behaviour 8, and whether the certificate was looked at, so that who
 * wants to know whom the page is from is not given one that anybody could have sent.
 */
function describeVariant(
  { mobile = false, blockAds = true, proxy, location = {} }: ScrapeOptions,
  skipTlsVerification: boolean,
): string {
  const country = (location.country ?? 'us-generic').toLowerCase()
  const stealth = proxy === 'enhanced' || proxy === 'stealth'
  return JSON.stringify([mobile, blockAds, stealth, country, location.languages ?? [], skipTlsVerification])
}
