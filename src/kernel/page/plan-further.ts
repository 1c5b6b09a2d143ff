import type { FetchPlan } from '../fetch/fetcher.js'
import type { CachePlan } from '../cache/cache.js'
import type { BrowserPlan } from '../fetch/browser-plan.js'
import { headerScopeOf, isInHeaderScope } from '../../base/http/header-scope.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { FetchedPage } from '../fetch/fetched-page.js'

/** A further request for a page. */
export interface FurtherPlan {
  readonly cache: CachePlan
  readonly fetch: FetchPlan
  readonly url: string
  /** Tests whether an answer may be stored in the cache. @default every answer may */
  readonly mayStore?: (page: FetchedPage) => boolean
}

/** A further request before it is changed. */
export type PlannedRequest = FurtherPlan & { readonly fetch: { readonly browser: BrowserPlan } }

/**
 * Plans a further request for a page: as the page itself, without what is for that request alone, which are actions,
 * captures, conditions and the needs of formats. The caller's headers are sent only to hosts in their scope.
 *
 * @param askedUrl the URL that the caller asked for, to whose host the headers belong
 */
export function planFurther({ cache, fetch }: ScrapePlan, askedUrl: string, url: string): PlannedRequest {
  const { rendered: _, ...cachePlan } = cache
  const { headers, headerScope, browser = NO_STEPS, needsBrowser: __, validators: ___, ...fetchPlan } = fetch
  const { expand: ____, ...steps } = browser
  const isOwn = isInHeaderScope(new URL(url), headerScopeOf(headerScope, new URL(askedUrl)))
  return {
    url,
    cache: cachePlan,
    fetch: {
      ...fetchPlan,
      headers: isOwn ? headers : {},
      headerScope,
      browser: { ...steps, actions: [], captures: {} },
    },
  }
}

/** Steps of a browser for a page without options. */
const NO_STEPS: BrowserPlan = { waitForMs: 0, actions: [], captures: {}, blockAds: false }
