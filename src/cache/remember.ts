import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey, errorKey, hasCredentials } from './cache-key.js'
import type { CachePlan, PageCache } from './cache.js'

/**
 * Stores a fetched page under the URL that was asked for. Gives back a warning when the cache failed. A page that came
 * with warnings is not what it could be, and is not kept.
 *
 * A page that failed is stored beside the one that came before it. One that is gone, by 404 or 410, takes that with it.
 */
export async function remember(
  url: string,
  page: FetchedPage,
  plan: CachePlan,
  cache: PageCache | undefined,
): Promise<string | undefined> {
  if (!plan.write || !cache || (page.warnings ?? []).length > 0 || hasCredentials(url)) return undefined
  const { statusCode } = page
  try {
    if (statusCode >= 200 && statusCode < 300) await cache.set(cacheKey(url, plan.variant), page)
    else {
      if (statusCode === 404 || statusCode === 410) await cache.delete(cacheKey(url, plan.variant))
      await cache.set(errorKey(url, plan.variant), page)
    }
    return undefined
  } catch (error) {
    return `the page could not be cached: ${error instanceof Error ? error.message : String(error)}`
  }
}
