import { isSuccessStatus } from '../http/statuses.js'
import { messageOf } from '../errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey, errorKey, hasCredentials } from './cache-key.js'
import type { CachePlan, PageCache } from './cache.js'

/**
 * Stores a fetched page under the URL that was requested. A page with warnings may be incomplete and is not stored,
 * unless it is an error page: 401, 403 and 429 come with the warning that the site may block automated clients.
 *
 * An error page is stored beside the last good page. A 404 or 410 deletes that one.
 *
 * @returns a warning when the cache failed
 */
export async function remember(
  url: string,
  page: FetchedPage,
  plan: CachePlan,
  cache: PageCache | undefined,
): Promise<string | undefined> {
  if (!plan.write || !cache || hasCredentials(url)) return undefined
  const { statusCode, warnings = [] } = page
  const isSuccess = isSuccessStatus(statusCode)
  if (isSuccess && warnings.length > 0) return undefined
  try {
    if (isSuccess) await cache.set(cacheKey(url, plan.variant), page)
    else {
      if (statusCode === 404 || statusCode === 410) await cache.delete(cacheKey(url, plan.variant))
      await cache.set(errorKey(url, plan.variant), page)
    }
    return undefined
  } catch (error) {
    return `the page could not be cached: ${messageOf(error)}`
  }
}
