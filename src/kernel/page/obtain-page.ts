import { cacheKey, hasCredentials, isHttps } from '../cache/cache-key.js'
import type { CachePlan, AskedCache } from '../cache/cache.js'
import { type CacheLookup, mayStandIn, recall } from '../cache/recall.js'
import { remember } from '../cache/remember.js'
import { freshen, validatorsOf } from '../cache/revalidate.js'
import type { SharedFetches, SharedPage } from '../cache/shared-fetches.js'
import { openDeadline } from '../../base/concurrency/deadline.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../base/errors.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import { fetchPage } from '../fetch/fetch.js'
import { otherType } from '../fetch/http/redirect.js'
import type { FetchedPage, LeftPage } from '../fetch/fetched-page.js'
import { keepLeftPages } from '../fetch/http/left-page.js'
import type { FetchPlan } from '../fetch/fetcher.js'
import { parseRetryAfter } from '../../base/http/header-values.js'
import type { LinkedSheet } from '../../base/text/linked-sheet.js'
import type { HydratePage } from '../../content/hydration/hydrate.js'
import { serverFailureStatuses } from '../../base/http/statuses.js'
import type { ScrapeRequest } from './scrape-request.js'

/** Tools for obtaining raw pages. */
export interface ObtainTools {
  readonly cache: AskedCache | undefined
  readonly fetchers: Fetchers
  /** Takes a page's text from the data that it embeds for its scripts. */
  readonly hydrate: HydratePage<FetchedPage>
  /** Starts what a page's digest needs, while the page is fetched. */
  readonly prepare: () => void
  /** Fetches under way, which several callers may share. */
  readonly shared: SharedFetches
  now(): number
}

/** A raw page, from the cache or from its site. Dispose of it after it was stored. */
export interface ObtainedPage extends Disposable {
  readonly page: FetchedPage
  readonly cached: CacheLookup
  /** Speed and status of the site's response; absent when no request was sent. */
  readonly siteResponse?: SiteResponse
  /** True if the digest of the page may be stored, for other callers too. */
  readonly mayBeKept: boolean
  /** Style sheets that the page links to, once a feature has found them: every digest of the page reads them. @default none is known */
  sheets?: readonly LinkedSheet[] | undefined
  /** Stores the page in the cache; absent if it must not be stored. @returns a warning if that failed */
  remember?(): Promise<string | undefined>
}

/** Speed and status of a site's response. */
export interface SiteResponse {
  /** Milliseconds. */
  readonly latencyMs: number
  /** Undefined when there was no response. */
  readonly statusCode: number | undefined
  /** `Retry-After` of the response, in milliseconds. */
  readonly retryAfterMs: number | undefined
}

interface ObtainPlan {
  readonly cache: CachePlan
  readonly fetch: FetchPlan
}

/** A page that is not in the cache. */
interface WantedPage {
  readonly request: ScrapeRequest
  readonly plan: ObtainPlan
  readonly tools: ObtainTools
  readonly cached: CacheLookup
}

/**
 * Share of the timeout for the site if a stale cached page can replace its answer. The rest is for digesting that page.
 */
const FETCH_SHARE = 0.8

/**
 * Obtains the raw page: from the cache if it has one of the right age, otherwise from its site. A stale cached page is
 * revalidated. Callers that want the same page at the same time share one request. If the site fails, a stale page may
 * be returned instead.
 *
 * @param signal the page's deadline
 * @throws TrawlError errors of `recall` and `fetchPage`; the signal's reason
 */
export async function obtainPage(
  request: ScrapeRequest,
  { cache, fetch }: ObtainPlan,
  tools: ObtainTools,
  signal: AbortSignal,
): Promise<ObtainedPage> {
  const startedAtMs = tools.now()
  const cached = await untilAborted(recall(request.url, cache, tools.cache, startedAtMs), signal)
  if (cached.page) return { page: cached.page, cached, ...stored }
  const { onlyHtml = false } = request
  if (onlyHtml && (await untilAborted(isKnownFile(request.url, cache, tools.cache, startedAtMs), signal)))
    throw otherType(request.url)
  const { stale } = cached
  const standIn = stale && mayStandIn(stale, cache, startedAtMs) ? stale : undefined
  const validators = request.lastSeen?.validators
  const plan = { cache, fetch: validators ? { ...fetch, validators } : fetch }
  const left: LeftPage[] = []
  try {
    using attempt = standIn && openDeadline(request.url, fetch.timeoutMs * FETCH_SHARE, signal, request.clock)
    request.refuseSuspended?.()
    tools.prepare()
    const shared = await fetchShared(
      { request: { ...request, onLeft: (one) => left.push(one) }, plan, tools, cached },
      attempt?.signal ?? signal,
    )
    const { page } = shared
    const siteResponse = {
      latencyMs: Math.max(0, page.fetchedAtMs - startedAtMs),
      statusCode: page.statusCode,
      retryAfterMs: parseRetryAfter(page.headers['retry-after'], page.fetchedAtMs),
    }
    if (!standIn || !serverFailureStatuses.has(page.statusCode)) {
      const obtained = new PageOfSite(shared, cached, siteResponse, cache.write && !hasCredentials(request.url))
      const store = () => remember(request.url, page, cache, tools.cache)
      if (cache.write) obtained.remember = () => shared.remember(store)
      return obtained
    }
    shared[Symbol.dispose]()
    return returnStale(standIn, `it answered ${page.statusCode}`, siteResponse)
  } catch (error) {
    if (onlyHtml && error instanceof TrawlError && error.code === 'SCRAPE_UNSUPPORTED_FILE_ERROR')
      await untilAborted(rememberFile(request.url, cache, tools.cache, tools.now()), signal)
    if (signal.aborted || !standIn || !(error instanceof TrawlError) || !error.retry)
      throw keepLeftPages(error, request.url, left)
    const { message, retryAfterMs } = error
    const latencyMs = Math.max(0, tools.now() - startedAtMs)
    return returnStale(standIn, message, { latencyMs, statusCode: undefined, retryAfterMs })
  }
}

/** A page that was fetched, maybe by another caller. */
class PageOfSite implements ObtainedPage {
  readonly page: FetchedPage
  readonly cached: CacheLookup
  readonly siteResponse: SiteResponse
  readonly mayBeKept: boolean
  sheets?: readonly LinkedSheet[] | undefined
  remember?: () => Promise<string | undefined>
  readonly #shared: SharedPage

  constructor(shared: SharedPage, cached: CacheLookup, siteResponse: SiteResponse, mayBeKept: boolean) {
    this.page = shared.page
    this.cached = cached
    this.siteResponse = siteResponse
    this.mayBeKept = mayBeKept
    this.#shared = shared
  }

  [Symbol.dispose](): void {
    this.#shared[Symbol.dispose]()
  }
}

/** Wraps a page that the caller supplied. It is neither stored nor shared. */
export const useGivenPage = (page: FetchedPage): ObtainedPage => ({ page, cached: {}, ...stored, mayBeKept: false })

function returnStale(stale: FetchedPage, trouble: string, siteResponse: SiteResponse): ObtainedPage {
  const warning = `The site could not give the page (${trouble}): this is an older copy.`
  return { page: stale, cached: { page: stale, state: 'hit', warning }, siteResponse, ...stored }
}

/** Members of an obtained page that is already in the cache. */
const stored = { mayBeKept: true, [Symbol.dispose]: () => undefined }

/** Fetches a page. If the cache may be used, a running fetch of another caller may be used, too. */
function fetchShared(wanted: WantedPage, signal: AbortSignal): Promise<SharedPage> {
  const { request, plan, tools, cached } = wanted
  let isOwn = false
  const fetchOwn = (until: AbortSignal): Promise<FetchedPage> => {
    isOwn = true
    return fetchOrRevalidate(wanted, until)
  }
  if (cached.state === undefined) return fetchOwn(signal).then(toOwnPage)
  const rule = `${request.redirectRule?.name ?? ''}${request.onlyHtml ? ' HTML' : ''}`
  // What comes by http must not be given for https.
  const scheme = isHttps(request.url) ? 'https' : 'http'
  const key = `${scheme} ${cacheKey(request.url, plan.cache.variant)} ${describeFetch(plan.fetch)} ${rule}`
  const { timeoutMs } = plan.fetch
  const call = { key, url: request.url, timeoutMs, maxAgeMs: plan.cache.maxAgeMs, fetch: fetchOwn }
  const joined = tools.shared.join(call, signal)
  const { permit, clock } = request
  // While a page waits for its site, its slot is given to another page. The fetcher does so for pages that this call
  // fetches; for a page that another call fetches it is done here.
  return permit && !isOwn ? permit.wait(joined, { signal, clock }) : joined
}

/** Fetch plans as text, because all pages of a job have the same frozen one. */
const described = new WeakMap<FetchPlan, string>()

/** Describes everything in a plan but its timeout: fetches of one URL with equal texts give the same page. */
function describeFetch(plan: FetchPlan): string {
  const known = described.get(plan)
  if (known !== undefined) return known
  const { timeoutMs: _, ...fetch } = plan
  const text = JSON.stringify(fetch)
  described.set(plan, text)
  return text
}

const toOwnPage = (page: FetchedPage): SharedPage => ({
  page,
  remember: (store) => store(),
  [Symbol.dispose]: () => undefined,
})

/** Fetches a page. A stale one is requested with its validators, and reused if the site answers 304. */
function fetchOrRevalidate({ request, plan, tools, cached }: WantedPage, signal: AbortSignal): Promise<FetchedPage> {
  const { stale } = cached
  const fetchers = { ...tools.fetchers, hydrate: tools.hydrate }
  const validators = stale && validatorsOf(stale)
  if (!validators) return fetchPage(request, plan.fetch, fetchers, signal)
  return fetchPage(request, { ...plan.fetch, validators }, fetchers, signal).then((answer) => {
    if (answer.statusCode !== 304) return answer
    // After a redirect, the 304 can be about another URL: then the page is fetched without validators.
    return freshen(stale, answer) ?? fetchPage(request, plan.fetch, fetchers, signal)
  })
}

/** Keeps what is known of a URL's type apart from its page, which another caller may want whatever its type. */
function planFor({ minAgeMs: _age, lockdown: _lock, rendered: _rendered, ...plan }: CachePlan): CachePlan {
  return { ...plan, variant: `${plan.variant} file` }
}

/** Tests whether a URL was noted to be no HTML, so that its type need not be asked again. */
async function isKnownFile(
  url: string,
  plan: CachePlan,
  cache: AskedCache | undefined,
  nowMs: number,
): Promise<boolean> {
  return (await recall(url, planFor(plan), cache, nowMs)).page !== undefined
}

/** Notes that a URL is no HTML. @returns a warning when the cache failed */
async function rememberFile(
  url: string,
  plan: CachePlan,
  cache: AskedCache | undefined,
  nowMs: number,
): Promise<string | undefined> {
  const note = { url, redirects: [], statusCode: 200, headers: {}, body: new Uint8Array(), fetcher: 'http' }
  return await remember(url, { ...note, fetchedAtMs: nowMs }, planFor(plan), cache)
}
