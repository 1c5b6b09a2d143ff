import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey } from './cache-key.js'
import type { CachePlan, PageCache } from './cache.js'

/**
 * Stores a fetched page under the URL that was asked for. Gives back a warning when the cache failed. A page that came
 * with warnings is not what it could be, and is not kept.
 */
export async function remember(
  url: string,
  page: FetchedPage,
  plan: CachePlan,
  cache: PageCache | undefined,
): Promise<string | undefined> {
  if (!plan.write || !cache || (page.warnings ?? []).length > 0) return undefined
  try {
    await cache.set(cacheKey(url, plan.variant), page)
    return undefined
  } catch (error) {
    return `the page could not be cached: ${error instanceof Error ? error.message : String(error)}`
  }
}
