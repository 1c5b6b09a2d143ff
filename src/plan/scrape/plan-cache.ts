import { hasTrait } from '../../enrich/enrich.js'
import type { CachePlan } from '../../cache/cache.js'
import { DEFAULT_COUNTRY } from '../../options/fields/location.js'
import { scrapeDefaults, type ScrapeOptions } from '../../options/scrape-options.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { BrowserParts } from './plan-browser.js'

/** Maximum age of a page with `lockdown`. */
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1000

/**
 * Plans the use of the cache for a page.
 *
 * A page that was fetched with headers, actions or a profile may be for the caller alone: it is neither taken from the cache nor
 * stored there. Nor is a page with another viewport or quality of its screenshot. `minAge` by itself accepts a page of any age
 * above it, and `lockdown` one of two years.
 * @see docs/compatibility.md#cache
 */
export function planCache(
  options: ScrapeOptions,
  skipTlsVerification: boolean,
  { needsBrowser, browser }: BrowserParts,
  { staleIfErrorMs }: PlanDefaults,
): CachePlan {
  const { minAge, lockdown = scrapeDefaults.lockdown, formats = [] } = options
  const { maxAge = lockdown ? TWO_YEARS_MS : minAge === undefined ? scrapeDefaults.maxAge : Infinity } = options
  const { screenshot } = browser.captures
  const isPersonal = hasHeaders(options) || hasActions(options) || options.profile !== undefined
  const isOwn = isPersonal || screenshot?.viewport !== undefined || screenshot?.quality !== undefined
  const isFresh = formats.some((item) => hasTrait(typeof item === 'string' ? item : item.type, 'fresh'))
  return {
    read: !isOwn && !isFresh && maxAge > 0,
    maxAgeMs: maxAge,
    ...(minAge === undefined ? {} : { minAgeMs: minAge }),
    ...(lockdown && { lockdown }),
    ...(staleIfErrorMs > 0 && { staleIfErrorMs }),
    write: !isOwn && (options.storeInCache ?? scrapeDefaults.storeInCache),
    ...(needsBrowser.length === 0 ? {} : { rendered: { waitForMs: browser.waitForMs, captures: browser.captures } }),
    variant: describeVariant(options, skipTlsVerification),
  }
}

export const hasHeaders = ({ headers = {} }: ScrapeOptions): boolean => Object.keys(headers).length > 0

export const hasActions = ({ actions = [] }: ScrapeOptions): boolean => actions.length > 0

/**
 * Describes the options that make two fetches of one URL two pages: those that sites answer to, and whether the certificate was
 * verified, so that a caller who wants that gets no page that anybody could have sent.
 */
function describeVariant(
  { mobile = scrapeDefaults.mobile, blockAds = scrapeDefaults.blockAds, proxy, location = {} }: ScrapeOptions,
  skipTlsVerification: boolean,
): string {
  const country = (location.country ?? DEFAULT_COUNTRY).toLowerCase()
  const stealth = proxy === 'enhanced' || proxy === 'stealth'
  return JSON.stringify([mobile, blockAds, stealth, country, location.languages ?? [], skipTlsVerification])
}
