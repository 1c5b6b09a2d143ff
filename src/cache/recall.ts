import { isDeepStrictEqual } from 'node:util'
import { TrawlError } from '../errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey } from './cache-key.js'
import type { CachePlan, PageCache } from './cache.js'

/** What the cache had to say about a page. */
export interface Recollection {
  /** The stored page, when there is one of the right age. */
  readonly page?: FetchedPage
  /** `hit` or `miss`; absent when the cache was not asked. */
  readonly state?: 'hit' | 'miss'
  readonly warning?: string
}

/**
 * The stored page, if it may be used: younger than `maxAge`, and with `minAge` at least that old.
 *
 * An error page is a hit only when `minAge` asks for whatever there is: a site that failed once is asked again.
 * @throws TrawlError `SCRAPE_NO_CACHED_DATA` when `minAge` is set and nothing suitable is stored
 * @see behaviour 8
 */
export async function recall(
  url: string,
  plan: CachePlan,
  cache: PageCache | undefined,
  nowMs: number,
): Promise<Recollection> {
  if (!plan.read && plan.minAgeMs === undefined) return {}
  const found = plan.read && cache ? await look(cache, cacheKey(url, plan.variant)) : {}
  if (found.page && isSuitable(found.page, plan, nowMs)) return { page: found.page, state: 'hit' }
  if (plan.minAgeMs !== undefined) {
    const aged = `at least ${plan.minAgeMs} ms old`
    throw new TrawlError('SCRAPE_NO_CACHED_DATA', `no cached page of ${url} is ${aged}: drop \`minAge\` to fetch it`, {
      url,
    })
  }
  if (!cache) return {}
  return found.warning === undefined ? { state: 'miss' } : { state: 'miss', warning: found.warning }
}

function isSuitable(page: FetchedPage, plan: CachePlan, nowMs: number): boolean {
  const ageMs = nowMs - page.fetchedAtMs
  if (ageMs >= plan.maxAgeMs || !isRendered(page, plan)) return false
  if (plan.minAgeMs !== undefined) return plan.minAgeMs === 1 || ageMs >= plan.minAgeMs
  return page.statusCode >= 200 && page.statusCode < 300
}

/** Whether a page has what only a browser gives, as far as the plan asks for it. */
function isRendered({ browserWaitMs, capturePlan = {} }: FetchedPage, { rendered }: CachePlan): boolean {
  if (rendered === undefined) return true
  if (browserWaitMs === undefined || browserWaitMs < rendered.waitForMs) return false
  const taken = new Map<string, unknown>(Object.entries(capturePlan))
  return Object.entries(rendered.captures).every(([name, options]) => isDeepStrictEqual(taken.get(name), options))
}

/** Whether it is what was once stored: a cache of the host's own may lose a body's type on its way through JSON. */
const isWhole = (page: Partial<FetchedPage>): boolean =>
  page.body instanceof Uint8Array &&
  (page.captures?.screenshot === undefined || page.captures.screenshot.bytes instanceof Uint8Array) &&
  URL.canParse(page.url ?? '') &&
  Number.isInteger(page.statusCode) &&
  !Number.isNaN(new Date(page.fetchedAtMs ?? NaN).getTime()) &&
  typeof page.headers === 'object' &&
  Boolean(page.headers) &&
  ['string', 'undefined'].includes(typeof page.contentType)

async function look(cache: PageCache, key: string): Promise<{ page?: FetchedPage; warning?: string }> {
  try {
    const page = await cache.get(key)
    if (!page) return {}
    return isWhole(page) ? { page } : { warning: 'the cache gave back something that is no page' }
  } catch (error) {
    return { warning: `the cache could not be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
