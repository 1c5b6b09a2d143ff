import { isSuccessStatus } from '../../base/http/statuses.js'
import { messageOf } from '../../base/errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey, errorKey, hasCredentials, isHttps } from './cache-key.js'
import type { AskedCache, CachePlan } from './cache.js'

/** Share of a page's timeout for storing it: its document is complete by then. */
const WRITE_SHARE = 0.3

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
  cache: AskedCache | undefined,
): Promise<string | undefined> {
  if (!plan.write || !cache || hasCredentials(url)) return undefined
  const { statusCode, warnings = [] } = page
  const isSuccess = isSuccessStatus(statusCode)
  if (isSuccess && warnings.length > 0) return undefined
  const maxMs = (plan.timeoutMs ?? Infinity) * WRITE_SHARE
  const stored = withSecurity(url, page, plan)
  try {
    if (isSuccess) await cache.set(cacheKey(url, plan.variant), stored, maxMs)
    else {
      if (statusCode === 404 || statusCode === 410) await cache.delete(cacheKey(url, plan.variant), maxMs)
      await cache.set(errorKey(url, plan.variant), stored, maxMs)
    }
    return undefined
  } catch (error) {
    return `the page could not be cached: ${messageOf(error)}`
  }
}

/** Notes how safe the connections were by which a page came: the URL that was requested, each redirect, and its own. */
function withSecurity(url: string, page: FetchedPage, { verifiesCertificates }: CachePlan): FetchedPage {
  const { secured: _, ...bare } = page
  const isSecured = [url, ...page.redirects.map((redirect) => redirect.url), page.url].every(isHttps)
  return isSecured ? { ...bare, secured: verifiesCertificates ? 'verified' : 'https' } : bare
}
