import { TOO_MANY_REQUESTS } from '../http/statuses.js'
import { TrawlError } from '../errors.js'
import { withoutCredentials } from '../url.js'
import { fetchWithEscalation } from './fetch-with-escalation.js'
import { type BlockVerdict, describeBlock, detectChallenge } from './challenge/detect-challenge.js'
import type { Fetchers } from './engine-fetchers.js'
import type { FetchedPage } from './fetched-page.js'
import type { FetchPlan, PageRequest } from './fetcher.js'
import { startCountdown, createPageClock } from '../concurrency/pausable-clock.js'
import { listStrategies, type FetchStrategy } from './strategies.js'
import type { ProxyRoute } from './proxy-route.js'
import { showsPlaceholder } from './rendering/needs-browser.js'

/** One attempt to fetch a page: a strategy, and a route through a proxy unless the engine has none. */
interface StrategyAttempt {
  readonly strategy: FetchStrategy
  readonly route: ProxyRoute | undefined
}

/** A fetched page, and the verdict if it may be a challenge instead of the page. */
interface CheckedPage {
  readonly page: FetchedPage
  readonly verdict: BlockVerdict | undefined
}

/**
 * Yields the attempts to make one after the other. The caller passes the page of each attempt, or throws its error,
 * into the generator, which returns the result after the last one.
 */
type Attempts<Result> = Generator<StrategyAttempt, Result, FetchedPage>

interface FetchContext {
  readonly plan: FetchPlan
  readonly fetchers: Fetchers
  readonly signal: AbortSignal
  readonly site: string
  /** Challenges and refusals so far. */
  readonly blocks: BlockVerdict[]
}

/** Maximum number of proxies that may fail for one page before the page fails. */
const MAX_PROXY_FAILURES = 3
/** Maximum number of proxies to try for one page while the site blocks each of them. */
const MAX_EXITS = 2

/**
 * Fetches a page by the strategies of `plan.proxy`. `'basic'` uses the plain fetchers. `'enhanced'` uses the enhanced
 * proxies and fetchers that look like a browser. `'auto'` tries the basic strategy first, and the enhanced ones if it
 * was blocked.
 *
 * A response that is certainly a challenge is never returned. One that may be a challenge, such as a bare 403, is
 * returned with a warning. When a proxy fails, the page is fetched again through another one.
 *
 * @param signal the page's deadline; see `openDeadline`
 * @throws TrawlError `SCRAPE_BLOCKED` when every strategy was blocked; `SCRAPE_PROXY_SELECTION_ERROR`; one of the other
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
  const leftMs = startCountdown(plan.timeoutMs, request.clock ?? createPageClock())
  const attempts = listAttempts(
    { plan, fetchers, signal, site: new URL(request.url).hostname, blocks: [] },
    request.url,
  )
  let step = attempts.next()
  while (!step.done) {
    const { strategy, route } = step.value
    const own = { ...strategy.plan, timeoutMs: leftMs() }
    const routed = route ? { ...request, route } : request
    step = await fetchWithEscalation(routed, own, { ...strategy.fetchers, hydrate }, signal).then(
      (page) => attempts.next(page),
      (error: unknown) => attempts.throw(error),
    )
  }
  return step.value
}

/** Yields the attempts of all strategies for a page, until one is not blocked. @throws TrawlError */
function* listAttempts(context: FetchContext, url: string): Attempts<FetchedPage> {
  const { plan, fetchers, site, blocks } = context
  const { access } = fetchers
  let suspicious: FetchedPage | undefined
  let challenged: FetchedPage | undefined
  for (const strategy of listStrategies(plan, fetchers, access?.needsEnhanced(site) ?? false)) {
    if (strategy.isFallback && !isWorthwhile(strategy, blocks)) continue
    const answer = yield* tryStrategy(context, strategy)
    if (!answer) continue
    const { page, verdict } = answer
    if (!verdict) {
      // Bot protection often lets robots.txt through, so its success is not recorded for the site.
      const showsNeededTier = (plan.proxy ?? 'auto') === 'auto' && (strategy.kind === 'basic' || blocks.length > 0)
      if (showsNeededTier && !plan.mayBeBlocked) access?.record(site, strategy.kind)
      return describe(plan.mayBeBlocked ? page : warnOfPlaceholder(page), blocks)
    }
    if (verdict.isCertain) challenged ??= page
    else suspicious = page
  }
  const suspicion = blocks.findLast(({ isCertain }) => !isCertain)
  if (suspicious && suspicion)
    return warn(describe(suspicious, blocks), `The site may block automated clients (${suspicion.evidence}).`)
  if (challenged && plan.mayBeBlocked) return describe(challenged, blocks)
  const times = blocks.length > 1 ? `, ${blocks.length} times` : ''
  const last = blocks.at(-1)
  const what = last ? describeBlock(last) : 'was not reached'
  throw new TrawlError('SCRAPE_BLOCKED', `The site ${what}${times}`, { url: withoutCredentials(new URL(url)).href })
}

/**
 * Returns false for a fallback without proxies of its own after refusals without a challenge: the site may refuse
 * everybody, and only another IP address can show whether it does.
 */
const isWorthwhile = ({ hasProxies }: FetchStrategy, blocks: readonly BlockVerdict[]): boolean =>
  hasProxies || blocks.some(({ isCertain }) => isCertain)

/**
 * Tries a strategy, through several proxies if some fail or are blocked. @returns undefined if a fallback fails with an
 * error after an earlier strategy was blocked
 */
function* tryStrategy(context: FetchContext, strategy: FetchStrategy): Attempts<CheckedPage | undefined> {
  const { signal, blocks } = context
  const avoid = new Set<string>()
  let answer: CheckedPage | undefined
  for (let failures = 0, exits = 0; ;) {
    const route = findRoute(context, strategy, avoid) // All proxies have been tried.
    if (!route && avoid.size > 0) return answer
    try {
      answer = readAnswer(yield { strategy, route }, strategy)
    } catch (error) {
      signal.throwIfAborted()
      const isProxyFault = route !== undefined && error instanceof TrawlError && error.code === 'SCRAPE_PROXY_ERROR'
      if (isProxyFault) route.report('failed')
      failures += 1
      if (isProxyFault && failures < MAX_PROXY_FAILURES && hasOther(context, strategy, avoid.add(route.key))) continue
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
  // With neither enhanced proxies nor an enhanced fetcher, the page was fetched as with `basic`.
  const isEnhanced = strategy.isEnhanced && (strategy.hasProxies || page.fetcher !== 'http')
  const marked = isEnhanced ? { ...page, proxy: 'enhanced' as const } : page
  return { page: strategy.warning === undefined ? marked : warn(marked, strategy.warning), verdict }
}

function findRoute(
  { plan, fetchers, site }: FetchContext,
  strategy: FetchStrategy,
  avoid: ReadonlySet<string>,
): ProxyRoute | undefined {
  const session = plan.browser?.profile?.name
  return fetchers.routes?.find({ kind: strategy.routeKind, country: plan.emulation?.country, site, session, avoid })
}

const hasOther = (context: FetchContext, strategy: FetchStrategy, avoid: ReadonlySet<string>): boolean =>
  findRoute(context, strategy, avoid) !== undefined

const describe = (page: FetchedPage, blocks: readonly BlockVerdict[]): FetchedPage =>
  blocks.length === 0
    ? page
    : { ...page, blocks: blocks.map(({ evidence, vendor }) => (vendor ? { vendor, evidence } : { evidence })) }

const IS_PLACEHOLDER =
  'The page seems to show only a placeholder, whose content was not loaded yet; `waitFor` gives it more time in a browser.'

const warnOfPlaceholder = (page: FetchedPage): FetchedPage =>
  page.hydratedFrom === undefined && showsPlaceholder(page) ? warn(page, IS_PLACEHOLDER) : page

const warn = (page: FetchedPage, warning: string): FetchedPage => ({
  ...page,
  warnings: [...(page.warnings ?? []), warning],
})
