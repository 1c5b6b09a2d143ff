import { setTimeout as sleep } from 'node:timers/promises'
import { toTrawlError } from '../../errors.js'
import type { PageList, ListTemplate } from '../../extract/list/page-list.js'
import type { NextPage } from '../../extract/pagination/find-next-page.js'
import type { BrowserPlan, ExpandPlan } from '../../fetch/browser-plan.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { isSuccessStatus } from '../../http/statuses.js'
import { headerScopeOf, isInHeaderScope } from '../../fetch/header-scope.js'
import { readLinkHeader } from '../../frontier/link-header.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'
import { resolveUrl, withoutFragment } from '../../url.js'
import { obtainPage } from '../obtain-page.js'
import type { PageContext } from '../page-context.js'
import type { ListPage } from './follow-pages.js'

/**
 * Waits until a further request may be sent, by the rules of the job of the page. @returns the reason if it may not
 * @throws the signal's reason
 */
export async function askPermission(
  { request }: PageContext,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  request.admit?.()
  return await request.further?.begin(url, signal)
}

/** A further page to read: a page after the first, or the first page again. */
export interface FurtherRequest {
  readonly url: string
  /** Describes the list to find. @default the main list of the page */
  readonly template?: ListTemplate
  /** Set to load the whole list of the page in a browser. */
  readonly expand?: ExpandPlan
}

/** Plans a further page as the first, without what is for the first page only, and reads nothing but its list. */
function planFurtherPage(
  { cache, fetch, digest }: ScrapePlan,
  askedUrl: string,
  { url, template, expand }: FurtherRequest,
): Pick<ScrapePlan, 'cache' | 'fetch' | 'digest'> {
  const { rendered: _, ...cachePlan } = cache
  const { headers, headerScope, browser = NO_STEPS, needsBrowser: __, validators: ___, ...fetchPlan } = fetch
  const { expand: ____, ...steps } = browser
  const isOwn = isInHeaderScope(new URL(url), headerScopeOf(headerScope, new URL(askedUrl)))
  const { parse, extract } = digest
  return {
    // The page as it is without `expand` is in the cache.
    cache: expand ? { ...cachePlan, read: false, write: false } : cachePlan,
    fetch: {
      ...fetchPlan,
      headers: isOwn ? headers : {},
      ...(headerScope && { headerScope }),
      ...(expand && { needsBrowser: ['all'] }),
      browser: { ...steps, actions: [], captures: {}, ...(expand && { expand }) },
    },
    digest: {
      parse,
      extract: { ...extract, fidelity: false, list: { ...extract.list, ...(template && { template }) } },
      convert: { ...digest.convert, formats: [] },
    },
  }
}

const NO_STEPS: BrowserPlan = { waitForMs: 0, actions: [], captures: {}, blockAds: false }

/** A further page that was fetched and digested. */
export interface FurtherPage extends ListPage {
  readonly fetched: FetchedPage
}

/** Returns the next page that the `Link` header of a page names. */
export function nextInHeader({ headers, url }: FetchedPage): NextPage | undefined {
  const link = readLinkHeader(headers['link']).find(({ relation }) => relation.split(' ').includes('next'))
  const next = link && resolveUrl(link.target, url)
  return next && { url: withoutFragment(next).href, evidence: 'the `Link` header' }
}

/** A response or an error that may be temporary, with the delay after which it is tried again. */
interface Failure {
  readonly why: string
  readonly retryDelayMs: number | undefined
}

/**
 * Fetches a further page of a list as {@link fetchFurtherPage} does, again if it fails for the time being.
 *
 * @returns the reason if the page may not be requested or cannot be read
 * @throws the signal's reason
 */
export async function readFurtherPage(
  context: PageContext,
  further: FurtherRequest,
  signal: AbortSignal,
): Promise<FurtherPage | string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetchFurtherPage(context, further, attempt, signal).catch((error: unknown): Failure => {
      signal.throwIfAborted()
      const { code, message, retryAfterMs } = toTrawlError(error)
      const retryDelayMs = context.tools.retryDelayMs({ attempt, code, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
      return { why: `${further.url} could not be read: ${message}`, retryDelayMs }
    })
    if (typeof answer === 'string' || 'fetched' in answer) return answer
    if (answer.retryDelayMs === undefined) return answer.why
    await sleep(answer.retryDelayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** Maximum `Retry-After` of a further page. Milliseconds. */
const MAX_WAIT_MS = 30_000

/**
 * Does a part of reading a list within its time. Returns undefined if that is up.
 *
 * @throws the reason of the page's own signal
 */
export async function withinTime<Result>(
  { deadline }: Pick<PageContext, 'deadline'>,
  work: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work
  } catch {
    // The signal of the list has aborted: nothing else is thrown.
    deadline.signal.throwIfAborted()
    return undefined
  }
}

/** Sentence for a list whose time was up. */
export const TIME_IS_UP = 'The `timeout` of the page was nearly up.'

/**
 * Fetches a further page of a list with the options of the first, and reads its list. Actions and captures are for the
 * first page only.
 *
 * @returns the reason if the page may not be requested
 * @throws TrawlError; the signal's reason
 */
async function fetchFurtherPage(
  context: PageContext,
  further: FurtherRequest,
  attempt: number,
  signal: AbortSignal,
): Promise<FurtherPage | Failure | string> {
  const { url } = further
  const { request, tools, plan } = context
  const refusal = await askPermission(context, url, signal)
  if (refusal !== undefined) return refusal
  const { lastSeen: _, ...rest } = request
  const obtaining = { ...rest, url, sourceURL: url }
  const plans = planFurtherPage(plan, request.url, further)
  using obtained = await obtainPage(obtaining, plans, tools, signal).catch((error: unknown) => {
    request.further?.end(url, undefined)
    throw error
  })
  request.further?.end(url, obtained.siteResponse)
  await obtained.remember?.()
  const { page } = obtained
  const { statusCode } = page
  if (!isSuccessStatus(statusCode)) {
    const retryAfterMs = obtained.siteResponse?.retryAfterMs
    const retryDelayMs = tools.retryDelayMs({ attempt, statusCode, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
    return { why: `${url} answered ${statusCode}.`, retryDelayMs }
  }
  const make = obtained.mayBeKept && !plan.zeroDataRetention ? tools.cachedDigest : tools.digest
  const digest = await make(page, plans.digest, signal)
  const list: PageList | undefined = digest.lists?.[0]
  return { url: page.url, list, next: digest.nextPage ?? nextInHeader(page), fetched: page }
}
