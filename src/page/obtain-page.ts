import { serverFailureStatuses } from '../http/statuses.js'
import type { CachePlan, PageCache } from '../cache/cache.js'
import { cacheKey, hasCredentials } from '../cache/cache-key.js'
import { mayStandIn, recall, type Recollection } from '../cache/recall.js'
import { remember } from '../cache/remember.js'
import { freshen, validatorsOf } from '../cache/revalidate.js'
import type { SharedFetches } from '../cache/shared-fetches.js'
import { TrawlError } from '../errors.js'
import { openDeadline } from '../concurrency/deadline.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import { fetchPage } from '../fetch/fetch.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { HydratePage } from '../fetch/hydration/hydrate.js'
import type { FetchPlan, PageRequest } from '../fetch/fetcher.js'
import { parseRetryAfter } from '../fetch/http/retry-after.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/** What getting a page takes. */
export interface GetTools {
  readonly cache: PageCache | undefined
  readonly fetchers: Fetchers
  /** Takes a page's text from the data that it brings for its scripts. */
  readonly hydrate: HydratePage
  /** The fetches under way that others may want to share. */
  readonly shared: SharedFetches
  now(): number
}

/** A raw page, from the cache or from its site. */
export interface GotPage extends Disposable {
  readonly page: FetchedPage
  readonly cached: Recollection
  /** What its site was like; absent when it was not asked. */
  readonly visit?: SiteVisit
  /** Whether what is made of it may be kept for others. */
  readonly mayBeKept: boolean
  /** Stores a page that its site gave; gives back a warning when that failed. */
  remember(): Promise<string | undefined>
}

/** What a site was like that was asked for a page. */
export interface SiteVisit {
  /** How long it took. Milliseconds. */
  readonly latencyMs: number
  /** Undefined when no page came. */
  readonly statusCode: number | undefined
  /** How long it asked to be left alone. Milliseconds. */
  readonly retryAfterMs: number | undefined
}

/** How a page is got. */
interface GetPlan {
  readonly cache: CachePlan
  readonly fetch: FetchPlan
}

/** Of a page's time, what its site has when there is a stored page to fall back on: the rest is for reading that. */
const FIRST_PART = 0.8

/**
 * The raw page: from the cache if there is one of the right age; else from its site, which is asked whether a stored one
 * that is too old has changed, once for all who want the page at the same time. Where the site fails, a stored page may
 * stand in.
 *
 * @throws TrawlError what `recall` and `fetchPage` throw; whatever `signal` was aborted with
 */
export async function obtainPage(
  request: PageRequest,
  plan: GetPlan,
  tools: GetTools,
  signal: AbortSignal,
): Promise<GotPage> {
  const startedAtMs = tools.now()
  const cached = await untilAborted(recall(request.url, plan.cache, tools.cache, startedAtMs), signal)
  if (cached.page) return { page: cached.page, cached, ...stored }
  const { stale } = cached
  const standIn = stale && mayStandIn(stale, plan.cache, startedAtMs) ? stale : undefined
  try {
    const timeoutMs = plan.fetch.timeoutMs * (standIn ? FIRST_PART : 1)
    using attempt = openDeadline(request.url, timeoutMs, signal, request.clock)
    request.admit?.()
    const got = await fetchShared(request, plan, tools, cached, attempt.signal)
    const { page } = got
    const visit = {
      latencyMs: Math.max(0, page.fetchedAtMs - startedAtMs),
      statusCode: page.statusCode,
      retryAfterMs: parseRetryAfter(page.headers['retry-after'], page.fetchedAtMs),
    }
    if (!standIn || !serverFailureStatuses.has(page.statusCode)) return { ...got, cached, visit }
    got[Symbol.dispose]()
    return standInFor(standIn, `it answered ${page.statusCode}`, visit)
  } catch (error) {
    if (signal.aborted || !standIn || !(error instanceof TrawlError) || !error.retry) throw error
    const { message, retryAfterMs } = error
    const latencyMs = Math.max(0, tools.now() - startedAtMs)
    return standInFor(standIn, message, { latencyMs, statusCode: undefined, retryAfterMs })
  }
}

function standInFor(stale: FetchedPage, trouble: string, visit: SiteVisit): GotPage {
  const warning = `The site could not give the page (${trouble}): this is an older copy.`
  return { page: stale, cached: { page: stale, state: 'hit', warning }, visit, ...stored }
}

/** What is the same for every page that is in the cache already. */
const stored = { mayBeKept: true, remember: async () => undefined, [Symbol.dispose]: () => undefined }

/** A page that may come from the cache may as well come from who fetches it just now. */
async function fetchShared(
  request: PageRequest,
  plan: GetPlan,
  tools: GetTools,
  { state, stale }: Recollection,
  signal: AbortSignal,
): Promise<Omit<GotPage, 'cached'>> {
  const bring = (until: AbortSignal): Promise<FetchedPage> =>
    fetchOrRevalidate(request, plan.fetch, tools, stale, until)
  const store = (page: FetchedPage) => remember(request.url, page, plan.cache, tools.cache)
  const mayBeKept = plan.cache.write && !hasCredentials(request.url)
  if (state === undefined) {
    const page = await bring(signal)
    return { page, mayBeKept, remember: () => store(page), [Symbol.dispose]: () => undefined }
  }
  const { timeoutMs, ...fetch } = plan.fetch
  const key = `${cacheKey(request.url, plan.cache.variant)} ${JSON.stringify(fetch)}`
  let isOwn = false
  const bringOwn = (until: AbortSignal): Promise<FetchedPage> => {
    isOwn = true
    return bring(until)
  }
  const call = { key, url: request.url, timeoutMs, maxAgeMs: plan.cache.maxAgeMs, fetch: bringOwn }
  const { place, clock } = request
  const joined = tools.shared.join(call, signal)
  // Who fetches the page itself waits there.
  const shared = await (place && !isOwn ? place.wait(joined, { signal, clock }) : joined)
  const { page } = shared
  return {
    page,
    mayBeKept,
    remember: async () => (plan.cache.write ? shared.remember(() => store(page)) : undefined),
    [Symbol.dispose]: () => shared[Symbol.dispose](),
  }
}

/** The page as its site has it; where that says that it is the stored one still, that one, freshened. */
async function fetchOrRevalidate(
  request: PageRequest,
  plan: FetchPlan,
  tools: GetTools,
  stale: FetchedPage | undefined,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const fetchers = { ...tools.fetchers, hydrate: tools.hydrate }
  const validators = stale && validatorsOf(stale)
  if (!validators) return await fetchPage(request, plan, fetchers, signal)
  const answer = await fetchPage(request, { ...plan, validators }, fetchers, signal)
  if (answer.statusCode !== 304) return answer
  // A 304 about something else is no answer to take a page from.
  return freshen(stale, answer) ?? (await fetchPage(request, plan, fetchers, signal))
}
