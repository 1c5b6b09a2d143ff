import { TOO_MANY_REQUESTS } from '../http/statuses.js'
import { TrawlError } from '../errors.js'
import { withoutCredentials } from '../url.js'
import { fetchWithEscalation } from './fetch-with-escalation.js'
import { type BlockVerdict, describeBlock, detectChallenge } from './challenge/detect-challenge.js'
import type { Fetchers } from './engine-fetchers.js'
import type { FetchedPage } from './fetched-page.js'
import type { FetchPlan, PageRequest } from './fetcher.js'
import { countDown, createPageClock } from '../concurrency/pausable-clock.js'
import { listStrategies, type FetchStrategy } from './strategies.js'
import type { ProxyRoute } from './proxy-route.js'

/** One attempt to fetch a page: a strategy, and the proxy that it goes through, where there is one. */
interface StrategyAttempt {
  readonly strategy: FetchStrategy
  readonly route: ProxyRoute | undefined
}

/** A page that was fetched, and the challenge that it may be instead. */
interface CheckedPage {
  readonly page: FetchedPage
  readonly verdict: BlockVerdict | undefined
}

/**
 * Decides on the next attempt: receives the page of each, or the error that it threw, and returns the result in the
 * end.
 */
type Attempts<Result> = Generator<StrategyAttempt, Result, FetchedPage>

interface StrategyFetch {
  readonly plan: FetchPlan
  readonly fetchers: Fetchers
  readonly signal: AbortSignal
  readonly site: string
  /** Challenges and refusals so far. */
  readonly blocks: BlockVerdict[]
}

/** Number of failed proxies after which the page fails. */
const MAX_PROXY_FAILURES = 3
/** Maximum number of proxies to try for one page if the site blocks each of them. */
const MAX_EXITS = 2

/**
 * Fetches a page: with `proxy: 'basic'` in the plain way, with `'enhanced'` in the manner of a browser and through the
 * enhanced proxies, with `'auto'` plainly, and once more enhanced where that was blocked.
 *
 * An answer that certainly is a challenge and not the page is never returned. One that may be (a bare 403, say) is
 * returned with a warning. A fault of a proxy is tried again through another one.
 *
 * @param signal the page's deadline; see `openDeadline`
 * @throws TrawlError `SCRAPE_BLOCKED` when nothing got through; `SCRAPE_PROXY_SELECTION_ERROR`; one of the other
 * `SCRAPE_…` codes; the signal's reason
 * @see docs/compatibility.md#proxies
 */
export async function fetchPage(
  request: PageRequest,
  plan: FetchPlan,
  fetchers: Fetchers,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { hydrate } = fetchers
  const leftMs = countDown(plan.timeoutMs, request.clock ?? createPageClock())
  const attempts = listAttempts(
    { plan, fetchers, signal, site: new URL(request.url).hostname, blocks: [] },
    request.url,
  )
  let step = attempts.next()
  while (!step.done) {
    const { strategy, route } = step.value
    const own = { ...plan, ...strategy.plan, timeoutMs: leftMs() }
    const routed = route ? { ...request, route } : request
    step = await fetchWithEscalation(routed, own, { ...strategy.fetchers, hydrate }, signal).then(
      (page) => attempts.next(page),
      (error: unknown) => attempts.throw(error),
    )
  }
  return step.value
}

/** Goes through the strategies of a page. @throws TrawlError */
function* listAttempts(visit: StrategyFetch, url: string): Attempts<FetchedPage> {
  const { plan, fetchers, site, blocks } = visit
  const { access } = fetchers
  let doubtful: FetchedPage | undefined
  let guarded: FetchedPage | undefined
  for (const strategy of listStrategies(plan, fetchers, access?.needsEnhanced(site) ?? false)) {
    if (strategy.isFallback && !isWorthwhile(strategy, blocks)) continue
    const answer = yield* tryStrategy(visit, strategy)
    if (!answer) continue
    const { page, verdict } = answer
    if (!verdict) {
      // Bot protection often lets robots.txt through, so that its success says nothing about the pages.
      const isLesson = (plan.proxy ?? 'auto') === 'auto' && (strategy.kind === 'basic' || blocks.length > 0)
      if (isLesson && !plan.mayBeBlocked) access?.record(site, strategy.kind)
      return describe(page, blocks)
    }
    if (verdict.isCertain) guarded ??= page
    else doubtful = page
  }
  const suspicion = blocks.findLast(({ isCertain }) => !isCertain)
  if (doubtful && suspicion)
    return warn(describe(doubtful, blocks), `The site may keep programs out (${suspicion.evidence}).`)
  if (guarded && plan.mayBeBlocked) return describe(guarded, blocks)
  const times = blocks.length > 1 ? `, ${blocks.length} times` : ''
  const last = blocks.at(-1)
  const what = last ? describeBlock(last) : 'was not reached'
  throw new TrawlError('SCRAPE_BLOCKED', `The site ${what}${times}`, { url: withoutCredentials(new URL(url)).href })
}

/**
 * Returns false for a fallback after refusals without a challenge, which may be meant for everybody: only another exit
 * can tell.
 */
const isWorthwhile = ({ hasProxies }: FetchStrategy, blocks: readonly BlockVerdict[]): boolean =>
  hasProxies || blocks.some(({ isCertain }) => isCertain)

/**
 * Tries a strategy, through several proxies where some fail or are blocked. @returns undefined where a fallback itself
 * fails
 */
function* tryStrategy(visit: StrategyFetch, strategy: FetchStrategy): Attempts<CheckedPage | undefined> {
  const { signal, blocks } = visit
  const avoid = new Set<string>()
  let answer: CheckedPage | undefined
  for (let failures = 0, exits = 0; ;) {
    const route = findRoute(visit, strategy, avoid)
    // Every exit has been tried.
    if (!route && avoid.size > 0) return answer
    try {
      answer = readAnswer(yield { strategy, route }, strategy)
    } catch (error) {
      signal.throwIfAborted()
      const isProxyFault = route !== undefined && error instanceof TrawlError && error.code === 'SCRAPE_PROXY_ERROR'
      if (isProxyFault) route.report('failed')
      failures += 1
      if (isProxyFault && failures < MAX_PROXY_FAILURES && hasOther(visit, strategy, avoid.add(route.key))) continue
      if (strategy.isFallback && blocks.length > 0) return undefined
      throw error
    }
    const { page, verdict } = answer
    route?.report(verdict ? 'blocked' : 'passed')
    if (!verdict) return answer
    blocks.push(verdict)
    exits += 1
    const isClear = verdict.isCertain || page.statusCode === TOO_MANY_REQUESTS
    if (!route || !isClear || !strategy.isLast || exits === MAX_EXITS) return answer
    avoid.add(route.key)
  }
}

function readAnswer(page: FetchedPage, strategy: FetchStrategy): CheckedPage {
  const verdict = detectChallenge(page)
  // Without a browser, an enhanced strategy is no more than its proxies.
  const isEnhanced = strategy.isEnhanced && (strategy.hasProxies || page.fetcher !== 'http')
  const marked = isEnhanced ? { ...page, proxy: 'enhanced' as const } : page
  return { page: strategy.warning === undefined ? marked : warn(marked, strategy.warning), verdict }
}

function findRoute(
  { plan, fetchers, site }: StrategyFetch,
  strategy: FetchStrategy,
  avoid: ReadonlySet<string>,
): ProxyRoute | undefined {
  const session = plan.browser?.profile?.name
  return fetchers.routes?.find({ kind: strategy.routeKind, country: plan.emulation?.country, site, session, avoid })
}

const hasOther = (visit: StrategyFetch, strategy: FetchStrategy, avoid: ReadonlySet<string>): boolean =>
  findRoute(visit, strategy, avoid) !== undefined

const describe = (page: FetchedPage, blocks: readonly BlockVerdict[]): FetchedPage =>
  blocks.length === 0
    ? page
    : { ...page, blocks: blocks.map(({ evidence, vendor }) => (vendor ? { vendor, evidence } : { evidence })) }

const warn = (page: FetchedPage, warning: string): FetchedPage => ({
  ...page,
  warnings: [...(page.warnings ?? []), warning],
})
