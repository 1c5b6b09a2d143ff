import { TrawlError } from '../../base/errors.js'
import type { PageFetchers } from './fetch-with-escalation.js'
import { defaultEmulation } from './user-agent.js'
import type { Fetchers } from './engine-fetchers.js'
import { FETCHER_CHOICES, type FetchPlan } from './fetcher.js'
import type { ProxyKind, ProxyRoutes } from '../../base/network/proxy-route.js'

/** One strategy for fetching a page. */
export interface FetchStrategy {
  readonly kind: ProxyKind
  /** Kind of the proxies that it uses: basic ones if the engine has no enhanced ones. */
  readonly routeKind: ProxyKind
  readonly fetchers: PageFetchers
  /** The plan of the page, with the fields that the strategy replaces. */
  readonly plan: FetchPlan
  /** True if a page that it fetched is charged as enhanced. */
  readonly isEnhanced: boolean
  /** True if the engine has proxies of its kind for the page's country. */
  readonly hasProxies: boolean
  /** True if it is used only after the strategies before it were blocked, or failed. */
  readonly isFallback: boolean
  readonly isLast: boolean
  /** True if a later one has proxies of another kind, so that it may succeed where the proxies of this one fail. */
  readonly hasOtherProxies: boolean
  readonly warning?: string
}

/**
 * Lists the strategies for a page, in order: by `plan.proxy`, by the engine's fetchers, and by whether the site has
 * blocked the basic tier before.
 *
 * The enhanced tier is HTTP that imitates a browser (if `impit` is installed), then the browser itself; without either,
 * plain HTTP through the enhanced proxies. @param needsEnhanced true to skip the basic tier of `auto`, because the site
 * has blocked it
 *
 * @throws TrawlError `SCRAPE_PROXY_SELECTION_ERROR`
 */
export function listStrategies(plan: FetchPlan, fetchers: Fetchers, needsEnhanced: boolean): readonly FetchStrategy[] {
  const last = lastLists.get(plan)
  if (last?.needsEnhanced === needsEnhanced && areSame(last.fetchers, fetchers)) return last.strategies
  const strategies = makeStrategies(plan, fetchers, needsEnhanced)
  lastLists.set(plan, { fetchers, needsEnhanced, strategies })
  return strategies
}

/** The last list of each plan, because all pages of a job have the same frozen one. */
const lastLists = new WeakMap<
  FetchPlan,
  { readonly fetchers: Fetchers; readonly needsEnhanced: boolean; readonly strategies: readonly FetchStrategy[] }
>()

const areSame = (one: Fetchers, other: Fetchers): boolean =>
  one.http === other.http &&
  one.renderer === other.renderer &&
  one.enhancedHttp === other.enhancedHttp &&
  one.routes === other.routes

function makeStrategies(plan: FetchPlan, fetchers: Fetchers, needsEnhanced: boolean): readonly FetchStrategy[] {
  const { proxy = 'auto' } = plan
  const enhanced = proxy === 'basic' ? [] : listEnhanced(plan, fetchers, proxy === 'enhanced')
  const isPlain = proxy === 'basic' || (proxy === 'auto' && (!needsEnhanced || enhanced.length === 0))
  const strategies = isPlain ? [createBasic(plan, fetchers), ...enhanced] : enhanced
  return strategies.map((strategy, index) => ({
    ...strategy,
    plan: { ...plan, ...strategy.plan },
    isFallback: index > 0,
    isLast: index === strategies.length - 1,
    hasOtherProxies: strategies
      .slice(index + 1)
      .some(({ hasProxies, routeKind }) => hasProxies && routeKind !== strategy.routeKind),
  }))
}

interface StrategyStart extends Omit<FetchStrategy, 'plan' | 'isFallback' | 'isLast' | 'hasOtherProxies'> {
  /** Fields that replace those of the page's own plan. */
  readonly plan: Partial<FetchPlan>
}

function createBasic(plan: FetchPlan, fetchers: Fetchers): StrategyStart {
  const { allowsBrowser } = FETCHER_CHOICES[plan.fetcher ?? 'auto']
  return {
    kind: 'basic',
    routeKind: 'basic',
    fetchers: { http: fetchers.http, renderer: allowsBrowser ? fetchers.renderer : undefined },
    plan: {},
    isEnhanced: false,
    ...checkProxies('basic', plan, fetchers.routes),
  }
}

function listEnhanced(plan: FetchPlan, fetchers: Fetchers, isRequested: boolean): StrategyStart[] {
  const { http, renderer, enhancedHttp, routes } = fetchers
  const { fetcher = 'auto', needsBrowser = [], emulation = defaultEmulation } = plan
  const proxies = checkProxies('enhanced', plan, routes)
  const disguise = { emulation: { ...emulation, isAnonymous: true } }
  const make = (more: Partial<StrategyStart>): StrategyStart => ({
    kind: 'enhanced',
    routeKind: proxies.hasProxies ? 'enhanced' : 'basic',
    fetchers: { http: enhancedHttp ?? http, renderer },
    plan: disguise,
    isEnhanced: true,
    ...proxies,
    ...more,
  })
  const strategies: StrategyStart[] = []
  // Enhanced HTTP imitates a desktop browser and has no profile for phones.
  const isForHttp = fetcher !== 'browser' && needsBrowser.length === 0 && !emulation.mobile
  if (enhancedHttp && isForHttp) strategies.push(make({}))
  if (renderer && FETCHER_CHOICES[fetcher].allowsBrowser) {
    // If the browser is missing, HTTP may replace it only when enhanced proxies make a difference, or on request.
    const isPreferred = isRequested || proxies.hasProxies
    const choice = isPreferred
      ? { prefersBrowser: '`proxy` is enhanced' }
      : { needsBrowser: [...needsBrowser, 'proxy'] }
    strategies.push(make({ plan: { ...disguise, ...choice } }))
  }
  if (strategies.length > 0) return strategies
  // Without enhanced HTTP and a browser, only the proxies differ from the basic tier.
  if (proxies.hasProxies) return [make({ plan: {} })]
  const warning = "`proxy: 'enhanced'` had no effect: this engine has no `proxies.enhanced`, no browser and no `impit`."
  return isRequested ? [make({ plan: {}, isEnhanced: false, warning })] : []
}

/**
 * Checks which proxies of a kind a page can use in its country. @returns a warning if no proxy is assigned to the
 * country but others can be used @throws TrawlError if none can be used
 */
function checkProxies(
  kind: ProxyKind,
  { emulation }: FetchPlan,
  routes: ProxyRoutes | undefined,
): { readonly hasProxies: boolean; readonly warning?: string } {
  const country = emulation?.country
  const hasProxies = routes?.has(kind, country) ?? false
  if (country === undefined || routes?.coversCountry(country) !== false) return { hasProxies }
  if (!hasProxies && !routes.has('basic', country)) {
    const message = `No proxy is available for \`location.country\` ${country}: list some in \`proxies.byCountry\`, or in \`proxies.${kind}\` for all countries`
    throw new TrawlError('SCRAPE_PROXY_SELECTION_ERROR', message)
  }
  return {
    hasProxies,
    warning: `No proxy is assigned to ${country}: the page was fetched through one that may be in another country.`,
  }
}
