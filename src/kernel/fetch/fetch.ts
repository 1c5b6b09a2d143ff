import { followSignals } from '../../base/concurrency/deadline.js'
import { serverFailureStatuses, TOO_MANY_REQUESTS } from '../../base/http/statuses.js'
import { type ErrorCode, TrawlError } from '../../base/errors.js'
import { withoutCredentials } from '../../base/url.js'
import { findFetcher, openAll } from './http/feature-transport.js'
import { fetchWithEscalation, type PageFetchers } from './fetch-with-escalation.js'
import { type BlockVerdict, describeBlock, detectChallenge } from '../../content/challenge/detect-challenge.js'
import type { Fetchers } from './engine-fetchers.js'
import type { NamedFetcher } from './feature-fetcher.js'
import type { FetchedPage } from './fetched-page.js'
import type { FetchPlan, PageRequest, UsageMeter } from './fetcher.js'
import { startCountdown, createPageClock, type PageClock } from '../../base/concurrency/pausable-clock.js'
import { keepLeftPages } from './http/left-page.js'
import { listStrategies, type FetchStrategy } from './strategies.js'
import type { ProxyKind, ProxyRoute } from '../../base/network/proxy-route.js'
import { showsPlaceholder } from '../../content/rendering/needs-browser.js'

/** One attempt to fetch a page: a strategy, and a route through a proxy unless the engine has none. */
interface StrategyAttempt {
  readonly strategy: FetchStrategy
  readonly route: ProxyRoute | undefined
  /** True if the page may come by another route, for which some of its time must be left. */
  readonly hasAlternative: boolean
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
  /** Failures so far of the proxies of a kind, or of a site through them. */
  readonly failures: RouteFailure[]
  /** Routes by which nothing came within their share of the page's time. */
  readonly silent: ProxyRoute[]
}

interface RouteFailure {
  readonly kind: ProxyKind
  readonly error: TrawlError
}

/**
 * Failures that another proxy may not have: of the proxy, and of a site that refuses or ignores its address. Certificates and
 * bodies are the same through every proxy.
 */
const routeErrors: ReadonlySet<ErrorCode> = new Set(['SCRAPE_PROXY_ERROR', 'SCRAPE_SITE_ERROR'])
/** Statuses that a gateway on the way may have sent in the place of the site; a site never asks for a log-in to a proxy. */
const gatewayStatuses: ReadonlySet<number> = new Set([407, ...serverFailureStatuses])
/** Tests for a failure on the way. A site that says when to come back is not asked by another way at once. */
const isGatewayFailure = ({ statusCode, headers }: FetchedPage): boolean =>
  gatewayStatuses.has(statusCode) && headers['retry-after'] === undefined
/** Share of a page's remaining time after which another route is tried, if nothing has come by this one. */
const SILENCE_SHARE = 0.5

/** Maximum number of proxies that may fail for one page before the page fails. */
const MAX_PROXY_FAILURES = 3
/** Maximum number of proxies to try for one page while the site blocks each of them. */
const MAX_EXITS = 2

/**
 * Fetches a page by the strategies of `plan.proxy`. `'basic'` uses the plain fetchers. `'enhanced'` uses the enhanced
 * proxies and fetchers that look like a browser. `'auto'` tries the basic strategy first, and the enhanced ones if it
 * was blocked, or failed and there are enhanced proxies.
 *
 * A response that is certainly a challenge is never returned. One that may be a challenge, such as a bare 403, is
 * returned with a warning. When a proxy fails, the page is fetched again through another one; so it is when nothing has come
 * through a proxy in half of the page's time.
 *
 * @param signal the page's deadline; see `openDeadline`
 * @throws TrawlError `SCRAPE_BLOCKED` when every strategy was blocked; `SCRAPE_PROXY_SELECTION_ERROR`; one of the other
 * `SCRAPE_…` codes; the signal's reason
 * @see docs/compatibility/fetching.md#proxies
 */
export async function fetchPage(
  request: PageRequest,
  plan: FetchPlan,
  fetchers: Fetchers,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { hydrate } = fetchers
  const { clock = createPageClock(), cookies = {} } = request
  const leftMs = startCountdown(plan.timeoutMs, clock)
  const site = new URL(request.url).hostname
  if (fetchers.own) await openAll(fetchers.own, signal)
  const fetchPlan = fetchers.own ? planOwn(request.url, plan, fetchers.own) : plan
  const attempts = listAttempts(
    { plan: fetchPlan, fetchers, signal, site, blocks: [], failures: [], silent: [] },
    request.url,
  )
  let step = attempts.next()
  let lastRoute: string | undefined
  while (!step.done) {
    const { strategy, route, hasAlternative } = step.value
    // Through another proxy comes another visitor: the cookies of one who was refused would tell the site that it is the same.
    if (lastRoute !== undefined && lastRoute !== (route?.key ?? '')) delete cookies.jar
    lastRoute = route?.key ?? ''
    const own = { ...strategy.plan, timeoutMs: leftMs() }
    const routed = route ? { ...request, cookies, route } : { ...request, cookies }
    const pageFetchers = { ...strategy.fetchers, hydrate }
    const fetching = hasAlternative
      ? fetchUnlessSilent(routed, own, pageFetchers, { signal, clock })
      : fetchWithEscalation(routed, own, pageFetchers, signal)
    step = await fetching.then(
      (page) => attempts.next(page),
      (error: unknown) => attempts.throw(error),
    )
  }
  return step.value
}

/** Plans a page that a fetcher of a feature gets: no other way leads to it. @throws TrawlError `SCRAPE_NO_BROWSER`, `FEATURE_FAILED` */
function planOwn(page: string, plan: FetchPlan, own: readonly NamedFetcher[]): FetchPlan {
  const url = new URL(page)
  const found = findFetcher(own, url)
  if (!found || found.fetcher.servesBrowser === true) return plan
  const { needsBrowser = [] } = plan
  // A redirect may lead to the network, where `enhanced` alone is what was asked for.
  const proxy = plan.proxy === 'enhanced' ? plan.proxy : 'basic'
  if (needsBrowser.length === 0) return { ...plan, fetcher: 'http', proxy }
  const named = needsBrowser.map((name) => `\`${name}\``).join(', ')
  const [need, it] = needsBrowser.length > 1 ? ['need', 'them'] : ['needs', 'it']
  const message =
    `${named} ${need} a browser, and the page comes from feature \`${found.feature}\`, whose answers no browser loads: ` +
    `leave ${it} out, or let \`handles\` leave the page to the network`
  throw new TrawlError('SCRAPE_NO_BROWSER', message, { url: withoutCredentials(url).href })
}

/** Thrown if nothing has come by a route in its share of the page's time. */
class SilentRouteError extends TrawlError {}

/** Fetches a page, and gives up a route by which nothing comes while there is time for another one. @throws SilentRouteError */
async function fetchUnlessSilent(
  request: PageRequest,
  plan: FetchPlan,
  fetchers: PageFetchers,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: PageClock },
): Promise<FetchedPage> {
  using attempt = followSignals(signal)
  const limitMs = Math.round(plan.timeoutMs * SILENCE_SHARE)
  const way = request.route ? ` through the proxy \`${request.route.proxy}\`` : ''
  const url = withoutCredentials(new URL(request.url))
  const stop = clock.after(limitMs, () => {
    const message = `Nothing came from \`${url.host}\`${way} within ${limitMs} ms`
    attempt.abort(new SilentRouteError('SCRAPE_TIMEOUT', message, { url: url.href }))
  })
  const { meter } = request
  const counted: UsageMeter = {
    sent: () => meter?.sent(),
    received: (bytes) => {
      stop()
      meter?.received(bytes)
    },
    rendered: (forMs) => meter?.rendered(forMs),
  }
  try {
    return await fetchWithEscalation({ ...request, meter: counted }, plan, fetchers, attempt.signal)
  } finally {
    stop()
  }
}

/** Yields the attempts of all strategies for a page, until one is not blocked. @throws TrawlError */
function* listAttempts(context: FetchContext, url: string): Attempts<FetchedPage> {
  const { plan, fetchers, site, blocks, failures, silent } = context
  const { access } = fetchers
  let suspicious: FetchedPage | undefined
  let challenged: FetchedPage | undefined
  let failing: FetchedPage | undefined
  for (const strategy of listStrategies(plan, fetchers, access?.needsEnhanced(site) ?? false)) {
    if (strategy.isFallback && !isWorthwhile(strategy, context)) continue
    const answer = yield* tryStrategy(context, strategy)
    if (!answer) continue
    const { page, verdict } = answer
    if (verdict?.isCertain) challenged ??= page
    else if (verdict) suspicious = page
    else if (isGatewayFailure(page) && (failing || strategy.hasOtherProxies)) {
      failing ??= page
      const { statusCode, error = '' } = page
      const message = `The site, or a gateway on the way to it, answered ${`${statusCode} ${error}`.trim()}`
      failures.push({ kind: strategy.routeKind, error: new TrawlError('SCRAPE_SITE_ERROR', message) })
    } else {
      for (const route of silent) route.report('failed')
      // Bot protection often lets robots.txt through, so its success is not recorded for the site. Nor is a failure of proxies.
      const isOfSite = blocks.length > 0 || failures.some(({ error }) => error.code !== 'SCRAPE_PROXY_ERROR')
      const showsNeededTier = (plan.proxy ?? 'auto') === 'auto' && (strategy.kind === 'basic' || isOfSite)
      if (showsNeededTier && !plan.mayBeBlocked) access?.record(site, strategy.kind)
      return describe(plan.mayBeBlocked ? page : warnOfPlaceholder(page), blocks)
    }
  }
  const suspicion = blocks.findLast(({ isCertain }) => !isCertain)
  if (suspicious && suspicion)
    return warn(describe(suspicious, blocks), `The site may block automated clients (${suspicion.evidence}).`)
  if (challenged && plan.mayBeBlocked) return describe(challenged, blocks)
  // The enhanced tier gave nothing better: the page of the basic one is cheaper.
  if (failing) return describe(failing, blocks)
  if (blocks.length === 0 && failures.length > 0) throw joinFailures(failures)
  const times = blocks.length > 1 ? `, ${blocks.length} times` : ''
  const last = blocks.at(-1)
  const what = last ? describeBlock(last) : 'was not reached'
  const options = { url: withoutCredentials(new URL(url)).href }
  throw keepLeftPages(new TrawlError('SCRAPE_BLOCKED', `The site ${what}${times}`, options), url, challenged?.leftPages)
}

/** Makes the error of a page that came by no tier. It is one of the site, if there is one. */
function joinFailures(failures: readonly RouteFailure[]): TrawlError {
  const errors = failures.map(({ error }) => error)
  const { code, url, retryAfterMs } = errors.find((error) => error.code !== 'SCRAPE_PROXY_ERROR') ?? errors[0] ?? {}
  const message = [...new Set(errors.map((error) => error.message))].join('; with `enhanced`: ')
  return new TrawlError(code ?? 'SCRAPE_PROXY_ERROR', message, { url, retryAfterMs, cause: errors.at(-1) })
}

/**
 * Returns false for a fallback without proxies of its own after refusals without a challenge: the site may refuse
 * everybody, and only another IP address can show whether it does. After a failure, only proxies of another kind may help.
 */
const isWorthwhile = ({ hasProxies, routeKind }: FetchStrategy, { blocks, failures }: FetchContext): boolean =>
  failures.length > 0
    ? hasProxies && !failures.some(({ kind }) => kind === routeKind)
    : hasProxies || blocks.some(({ isCertain }) => isCertain)

/**
 * Tries a strategy, through several proxies if some fail or are blocked. @returns undefined if a fallback fails with an
 * error after an earlier strategy was blocked, and if it fails in a way that proxies of another kind may not
 */
function* tryStrategy(context: FetchContext, strategy: FetchStrategy): Attempts<CheckedPage | undefined> {
  const { signal, blocks } = context
  const avoid = new Set<string>()
  let answer: CheckedPage | undefined
  for (let failures = 0, exits = 0; ;) {
    const route = findRoute(context, strategy, avoid) // All proxies have been tried.
    if (!route && avoid.size > 0) return answer
    if (route?.isCooling && strategy.hasOtherProxies && failures === 0) {
      const message = `The proxies of \`${strategy.routeKind}\` failed a moment ago`
      context.failures.push({ kind: strategy.routeKind, error: new TrawlError('SCRAPE_PROXY_ERROR', message) })
      return undefined
    }
    try {
      const hasAlternative =
        strategy.hasOtherProxies || (route?.hasOthers === true && failures + 1 < MAX_PROXY_FAILURES)
      answer = readAnswer(yield { strategy, route, hasAlternative }, strategy)
    } catch (error) {
      signal.throwIfAborted()
      failures += 1
      if (isFaultOfProxy(context, error, route)) {
        // Another of the same kind may take as long to be found silent: the time is left to proxies of another kind.
        const isTooLate = error instanceof SilentRouteError && strategy.hasOtherProxies
        const mayTryOther = failures < MAX_PROXY_FAILURES && !isTooLate
        if (mayTryOther && hasOther(context, strategy, avoid.add(route.key))) continue
      }
      if (mayHelpElsewhere(error, strategy, context)) {
        context.failures.push({ kind: strategy.routeKind, error })
        return undefined
      }
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

/** Tests whether an error may be the fault of the proxy, and notes it. */
function isFaultOfProxy(context: FetchContext, error: unknown, route: ProxyRoute | undefined): route is ProxyRoute {
  if (!route || !(error instanceof TrawlError)) return false
  if (error instanceof SilentRouteError) return context.silent.push(route) > 0
  if (error.code !== 'SCRAPE_PROXY_ERROR') return false
  route.report('failed')
  return true
}

/** Tests whether the page may come through proxies of another kind; after those have failed as well, all failures are told. */
const mayHelpElsewhere = (error: unknown, strategy: FetchStrategy, { failures }: FetchContext): error is TrawlError =>
  error instanceof TrawlError &&
  (routeErrors.has(error.code) || error instanceof SilentRouteError) &&
  (strategy.hasOtherProxies || failures.length > 0)

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
  const session = plan.session ?? plan.browser?.profile?.name
  return fetchers.routes?.find({ kind: strategy.routeKind, country: plan.emulation?.country, site, session, avoid })
}

const hasOther = (context: FetchContext, strategy: FetchStrategy, avoid: ReadonlySet<string>): boolean =>
  findRoute(context, strategy, avoid) !== undefined

const describe = (page: FetchedPage, blocks: readonly BlockVerdict[]): FetchedPage =>
  blocks.length === 0 ? page : { ...page, blocks: blocks.map(({ evidence, vendor }) => ({ vendor, evidence })) }

const IS_PLACEHOLDER =
  'The page seems to show only a placeholder, whose content was not loaded yet; `waitFor` gives it more time in a browser.'

const warnOfPlaceholder = (page: FetchedPage): FetchedPage =>
  page.hydratedFrom === undefined && showsPlaceholder(page) ? warn(page, IS_PLACEHOLDER) : page

const warn = (page: FetchedPage, warning: string): FetchedPage => ({
  ...page,
  warnings: [...(page.warnings ?? []), warning],
})
