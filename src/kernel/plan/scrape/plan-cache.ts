import type { CachePlan } from '../../cache/cache.js'
import { itemType } from '../../options/fields/item-type.js'
import { DEFAULT_COUNTRY } from '../../options/fields/location.js'
import { scrapeDefaults, type ScrapeOptions } from '../../options/scrape-options.js'
import { formatsOf } from '../feature-plan.js'
import type { PlanDefaults } from '../plan-defaults.js'
import type { BrowserParts } from './plan-browser.js'

/** Default of `maxAge` with `lockdown`. */
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1000

/**
 * Plans the use of the cache for a page.
 *
 * A page with headers, actions or a profile may contain the caller's data, so it is neither read from the cache nor
 * written to it. The same holds for a page that scripts of features change, and for one whose screenshot has a viewport or quality of
 * its own. Without `maxAge`, `minAge` accepts any greater age, and `lockdown` two years.
 * @see docs/compatibility/fetching.md#cache
 */
export function planCache(
  options: ScrapeOptions,
  skipTlsVerification: boolean,
  { needsBrowser, browser }: BrowserParts,
  defaults: PlanDefaults,
): CachePlan {
  const known = formatsOf(defaults)
  const { staleIfErrorMs } = defaults
  const { minAge, lockdown = scrapeDefaults.lockdown, formats = [] } = options
  const { maxAge = lockdown ? TWO_YEARS_MS : minAge === undefined ? scrapeDefaults.maxAge : Infinity } = options
  const {
    captures: { screenshot },
    scripts,
  } = browser
  const isPersonal = hasHeaders(options) || hasActions(options) || options.profile !== undefined
  const isUncacheable =
    isPersonal || scripts !== undefined || screenshot?.viewport !== undefined || screenshot?.quality !== undefined
  const needsFreshPage = formats.some((item) => known.hasTrait(itemType(item), 'fresh'))
  return {
    read: !isUncacheable && !needsFreshPage && maxAge > 0,
    maxAgeMs: maxAge,
    ...(minAge !== undefined && { minAgeMs: minAge }),
    ...(lockdown && { lockdown }),
    staleIfErrorMs: staleIfErrorMs > 0 ? staleIfErrorMs : undefined,
    write: !isUncacheable && (options.storeInCache ?? scrapeDefaults.storeInCache),
    rendered: needsBrowser.length === 0 ? undefined : { waitForMs: browser.waitForMs, captures: browser.captures },
    verifiesCertificates: skipTlsVerification ? undefined : true,
    variant: describeVariant(options),
  }
}

/** Tests for request headers. */
export const hasHeaders = ({ headers = {} }: ScrapeOptions): boolean => Object.keys(headers).length > 0

/** Tests for actions. */
export const hasActions = ({ actions = [] }: ScrapeOptions): boolean => actions.length > 0

/** Describes the options that distinguish cached pages of one URL: those to which sites adapt their pages, and `expand`. */
function describeVariant({
  mobile = scrapeDefaults.mobile,
  blockAds = scrapeDefaults.blockAds,
  proxy,
  location = {},
  expand,
}: ScrapeOptions): string {
  const country = (location.country ?? DEFAULT_COUNTRY).toLowerCase()
  const stealth = proxy === 'enhanced' || proxy === 'stealth'
  const facts = [mobile, blockAds, stealth, country, location.languages ?? []]
  return JSON.stringify(expand === true ? [...facts, 'expand'] : facts)
}
