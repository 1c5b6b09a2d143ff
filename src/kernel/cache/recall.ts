import { isDeepStrictEqual } from 'node:util'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { messageOf, TrawlError } from '../../base/errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { cacheKey, errorKey, hasCredentials, isHttps } from './cache-key.js'
import type { AskedCache, CachePlan } from './cache.js'
import { isUrl } from '../../base/url.js'

/** Share of a page's timeout for reading it from the cache; the rest is for fetching it. */
const READ_SHARE = 0.1
/** Share for each of two reads for a page that may come from the cache alone; the rest is for its digest. */
const PATIENT_SHARE = 0.4

/** A page that the cache gives, or the reason why it gives none. */
export interface CachedPage {
  /** The stored page, when there is one of the right age. */
  readonly page?: FetchedPage
  /** `hit` or `miss`; absent when the cache was not used. */
  readonly state?: 'hit' | 'miss'
  readonly warning?: string
}

/** Result of looking a page up in the cache. */
export interface CacheLookup extends CachedPage {
  /** A stored page that would be a hit if it were younger. */
  readonly stale?: FetchedPage
}

/**
 * Looks a page up in the cache: it must be younger than `maxAge` and, with `minAge`, at least that old.
 *
 * An error page is a hit only with `minAge` or `lockdown`, which allow no request. Otherwise the page is fetched again.
 * A URL with credentials is neither looked up nor stored. A page that came by http is not given for https, nor one that was
 * fetched without checked certificates to who wants them checked.
 *
 * @throws TrawlError `SCRAPE_NO_CACHED_DATA` when `minAge` is set and nothing suitable is stored,
 *   `SCRAPE_LOCKDOWN_CACHE_MISS` when `lockdown` is
 * @see docs/compatibility/fetching.md#cache
 */
export async function recall(
  url: string,
  plan: CachePlan,
  cache: AskedCache | undefined,
  nowMs: number,
): Promise<CacheLookup> {
  const isCacheOnly = plan.minAgeMs !== undefined || plan.lockdown === true
  const isReadable = plan.read && cache !== undefined && !hasCredentials(url)
  if (!isReadable) {
    if (isCacheOnly) throw missing(url, plan)
    return {}
  }
  const { timeoutMs = Infinity } = plan
  const get = (key: string) =>
    isCacheOnly && cache.getPatiently
      ? cache.getPatiently(key, timeoutMs * PATIENT_SHARE)
      : cache.get(key, timeoutMs * READ_SHARE)
  const isTrusted = (page: FetchedPage): boolean => isSecuredFor(url, page, plan)
  const found = await readEntry(get, cacheKey(url, plan.variant), isTrusted)
  if (found.page && isSuitable(found.page, plan, nowMs)) return { page: found.page, state: 'hit' }
  if (isCacheOnly) {
    const failure = await readEntry(get, errorKey(url, plan.variant), isTrusted)
    if (failure.page && isSuitable(failure.page, plan, nowMs)) return { page: failure.page, state: 'hit' }
    throw missing(url, plan, found.warning ?? failure.warning)
  }
  const { page: stale, warning } = found
  return {
    state: 'miss',
    stale: stale && isSuccess(stale) && isRendered(stale, plan) ? stale : undefined,
    warning,
  }
}

/**
 * Tests whether a stale page may be used when its site fails.
 * @see https://www.rfc-editor.org/rfc/rfc5861#section-4 and RFC 9111 section 4.2.4
 */
export function mayStandIn(stale: FetchedPage, { maxAgeMs, staleIfErrorMs = 0 }: CachePlan, nowMs: number): boolean {
  const isForbidden = /(?:^|[\s,])(?:must-revalidate|no-cache(?!\s*=))(?=$|[\s,])/i.test(
    stale.headers['cache-control'] ?? '',
  )
  return !isForbidden && differenceOf(stale, nowMs) < maxAgeMs + staleIfErrorMs
}

/**
 * The time between the fetch of a page and now. A page with a time far in the future was stored while a clock was ahead, and may be of
 * any age; the clocks of several machines differ a little.
 */
const differenceOf = ({ fetchedAtMs }: FetchedPage, nowMs: number): number => Math.abs(nowMs - fetchedAtMs)

function missing(url: string, { minAgeMs, maxAgeMs, lockdown }: CachePlan, warning?: string): TrawlError {
  const cause = warning === undefined ? '' : ` (${warning})`
  if (lockdown) {
    const message = `no suitable page of ${bare(url)} is in the cache, and \`lockdown\` forbids fetching it${cause}`
    return new TrawlError('SCRAPE_LOCKDOWN_CACHE_MISS', message, { url: bare(url) })
  }
  const window = `at least ${minAgeMs} ms${maxAgeMs === Infinity ? '' : ` and less than \`maxAge\`, ${maxAgeMs} ms,`} old`
  const message = `no cached page of ${bare(url)} is ${window}: drop \`minAge\` to fetch it${cause}`
  return new TrawlError('SCRAPE_NO_CACHED_DATA', message, { url: bare(url) })
}

/** Removes user name and password from a URL for a message. */
const bare = (url: string): string => (hasCredentials(url) ? url.replace(/\/\/[^/@]*@/, '//') : url)

/** Tests whether the connections by which a page came were at least as safe as those by which it would be fetched. */
const isSecuredFor = (url: string, { secured }: FetchedPage, { verifiesCertificates }: CachePlan): boolean =>
  !isHttps(url) || secured === 'verified' || (secured === 'https' && !verifiesCertificates)

const isSuccess = ({ statusCode }: FetchedPage): boolean => isSuccessStatus(statusCode)

function isSuitable(page: FetchedPage, plan: CachePlan, nowMs: number): boolean {
  if (differenceOf(page, nowMs) >= plan.maxAgeMs || !isRendered(page, plan)) return false
  // By the interface, 1 allows any age.
  if (plan.minAgeMs !== undefined) return plan.minAgeMs === 1 || nowMs - page.fetchedAtMs >= plan.minAgeMs
  return plan.lockdown === true || isSuccess(page)
}

/** Tests whether a page has all captures that the plan requires, and waited long enough in a browser. */
function isRendered({ browserWaitMs, capturePlan = {} }: FetchedPage, { rendered }: CachePlan): boolean {
  if (rendered === undefined) return true
  if (browserWaitMs === undefined || browserWaitMs < rendered.waitForMs) return false
  const taken = new Map<string, unknown>(Object.entries(capturePlan))
  return Object.entries(rendered.captures).every(([name, options]) => isDeepStrictEqual(taken.get(name), options))
}

/**
 * Tests whether a page has the types with which it was stored. A host's own cache may change them, for example by
 * serializing the body as JSON.
 */
const isWhole = (page: Partial<FetchedPage>): boolean =>
  page.body instanceof Uint8Array &&
  (page.captures?.screenshot === undefined || page.captures.screenshot.bytes instanceof Uint8Array) &&
  isUrl(page.url ?? '') &&
  Number.isInteger(page.statusCode) &&
  !Number.isNaN(new Date(page.fetchedAtMs ?? NaN).getTime()) &&
  typeof page.headers === 'object' &&
  Boolean(page.headers) &&
  ['string', 'undefined'].includes(typeof page.contentType)

async function readEntry(
  get: AskedCache['get'],
  key: string,
  isTrusted: (page: FetchedPage) => boolean,
): Promise<{ page?: FetchedPage; warning?: string }> {
  try {
    const page = await get(key)
    if (!page || !isTrusted(page)) return {}
    return isWhole(page) ? { page } : { warning: 'the cache returned a value that is not a page' }
  } catch (error) {
    return { warning: `the cache could not be read: ${messageOf(error)}` }
  }
}
