import type { FetchPlan } from '../fetch/fetcher.js'
import type { CachePlan } from '../cache/cache.js'
import type { BrowserPlan } from '../fetch/browser-plan.js'
import { headerScopeOf, isInHeaderScope } from '../../base/http/header-scope.js'
import { withoutCredentials } from '../../base/url.js'
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

/** A file that a page shows or plays. */
interface FileOfPage {
  readonly url: string
  /** URL of the page after redirects. */
  readonly pageUrl: string
  /** The URL that the caller asked for, to whose host headers and credentials belong. */
  readonly askedUrl: string
  /** Headers for this file. @default none */
  readonly headers?: Readonly<Record<string, string>>
}

/** Plans the request for a file of a page, by HTTP and with the page's options. Headers and credentials are sent to their own host only. */
export function planFile(
  plan: FetchPlan,
  { url: address, pageUrl, askedUrl, headers = {} }: FileOfPage,
): { readonly url: string; readonly fetch: FetchPlan } {
  const url = new URL(address)
  const asked = new URL(askedUrl)
  const isOwn = isInHeaderScope(url, headerScopeOf(plan.headerScope, asked))
  const sharesLogin = isInHeaderScope(url, headerScopeOf(undefined, asked))
  if (sharesLogin && url.username === '') Object.assign(url, { username: asked.username, password: asked.password })
  const { validators: _, prefersBrowser: __, headerScope: ___, ...rest } = plan
  const fetch: FetchPlan = {
    ...rest,
    fetcher: 'http',
    needsBrowser: [],
    // A challenge needs no detection here: its status or its bytes show that it is not the file.
    mayBeBlocked: true,
    // Without a header scope, these headers go to the host of the file only, and not to hosts that it redirects to.
    headers: { accept: '*/*', ...refererFor(url, new URL(pageUrl)), ...(isOwn ? plan.headers : {}), ...headers },
  }
  return { url: url.href, fetch }
}

/**
 * Returns the `Referer` header as browsers send it by default.
 *
 * @see https://www.w3.org/TR/referrer-policy/ strict-origin-when-cross-origin
 */
function refererFor(url: URL, pageUrl: URL): Record<string, string> {
  if (pageUrl.protocol === 'https:' && url.protocol !== 'https:') return {}
  const { origin, pathname, search } = withoutCredentials(pageUrl)
  return { referer: url.origin === origin ? `${origin}${pathname}${search}` : `${origin}/` }
}
