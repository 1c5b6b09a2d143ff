import type { ProfilePlan } from '../fetch/browser-plan.js'
import { headerScopeOf, isInHeaderScope } from '../../base/http/header-scope.js'
import type { RequestChange } from '../page/feature-page.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

type Headers = Readonly<Record<string, string>>

/** Returns the caller's headers for a page, with names in lower case; none if its host is not in their scope. */
export function headersFor(url: string, { fetch: { headers, headerScope } }: ScrapePlan): Headers {
  const page = new URL(url)
  if (!isInHeaderScope(page, headerScopeOf(headerScope, page))) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Returns headers with a change of them: the same object if it changes none. */
export function changeHeaders(headers: Headers, change: NonNullable<RequestChange['headers']>): Headers {
  if (Object.entries(change).every(([name, value]) => headers[name] === value)) return headers
  return Object.fromEntries(
    Object.entries({ ...headers, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  )
}

/** Returns the plan of a page that may be for its caller alone: it neither comes from the cache nor goes there. */
export const withoutCache = ({ cache, ...plan }: ScrapePlan): ScrapePlan => ({
  ...plan,
  cache: { ...cache, read: false, write: false },
})

/**
 * Returns the plan of a page with other headers. They go to the host of the page, and to `headersFor`; and the page, which may be for
 * its caller alone, neither comes from the cache nor goes there.
 */
export const withHeaders = ({ fetch, ...plan }: ScrapePlan, url: string, headers: Headers): ScrapePlan => ({
  ...withoutCache({ ...plan, fetch }),
  fetch: { ...fetch, headers, headerScope: { ...fetch.headerScope, namedUrl: url } },
})

/** Returns the plan of a page with a profile, which neither comes from the cache nor goes there. */
export const withProfile = ({ fetch, ...plan }: ScrapePlan, profile: ProfilePlan): ScrapePlan => ({
  ...withoutCache({ ...plan, fetch }),
  fetch: {
    ...fetch,
    browser: { waitForMs: 0, actions: [], captures: {}, blockAds: false, ...fetch.browser, profile },
  },
})
