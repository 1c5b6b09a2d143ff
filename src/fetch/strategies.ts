import { TrawlError } from '../errors.js'
import type { PageFetchers } from './fetch-with-escalation.js'
import { defaultEmulation } from './identity/emulation.js'
import type { Fetchers } from './engine-fetchers.js'
import type { FetchPlan } from './fetcher.js'
import type { ProxyKind, ProxyRoutes } from './proxy-route.js'

/** One strategy for fetching a page. */
export interface FetchStrategy {
  readonly kind: ProxyKind
  /** Kind of its proxies: basic ones where there are no enhanced ones. */
  readonly routeKind: ProxyKind
  readonly fetchers: PageFetchers
  /** Differences from the page's own plan. */
  readonly plan: Partial<FetchPlan>
  /** True where it is charged for as enhanced. */
  readonly isEnhanced: boolean
  /** True where there are proxies of its kind. */
  readonly hasProxies: boolean
  /** True where it is used only after those before it were blocked. */
  readonly isFallback: boolean
  readonly isLast: boolean
  readonly warning?: string
}

/**
 * Lists the strategies for a page, in order: by `plan.proxy`, by the engine's fetchers, and by what is known of the site.
 *
 * Enhanced means HTTP in the manner of a browser first, where that is installed, then the browser itself; without either, plain HTTP
 * through the enhanced proxies.
 *
 * @throws TrawlError `SCRAPE_PROXY_SELECTION_ERROR`
 */
export function listStrategies(plan: FetchPlan, fetchers: Fetchers, needsEnhanced: boolean): readonly FetchStrategy[] {
  const { proxy = 'auto' } = plan
  const enhanced = proxy === 'basic' ? [] : listEnhanced(plan, fetchers, proxy === 'enhanced')
  const isPlain = proxy === 'basic' || (proxy === 'auto' && (!needsEnhanced || enhanced.length === 0))
  const strategies = isPlain ? [makeBasic(plan, fetchers), ...enhanced] : enhanced
  return strategies.map((strategy, index) => ({
    ...strategy,
    isFallback: index > 0,
    isLast: index === strategies.length - 1,
  }))
}

type StrategyStart = Omit<FetchStrategy, 'isFallback' | 'isLast'>

function makeBasic(plan: FetchPlan, { http, browser, routes }: Fetchers): StrategyStart {
  return {
    kind: 'basic',
    routeKind: 'basic',
    fetchers: { http, browser },
    plan: {},
    isEnhanced: false,
    ...judgeProxies('basic', plan, routes),
  }
}

function listEnhanced(plan: FetchPlan, fetchers: Fetchers, isAsked: boolean): StrategyStart[] {
  const { http, browser, enhancedHttp, routes } = fetchers
  const { fetcher = 'auto', needsBrowser = [], emulation = defaultEmulation } = plan
  const proxies = judgeProxies('enhanced', plan, routes)
  const disguise = { emulation: { ...emulation, isAnonymous: true } }
  const make = (more: Partial<StrategyStart>): StrategyStart => ({
    kind: 'enhanced',
    routeKind: proxies.hasProxies ? 'enhanced' : 'basic',
    fetchers: { http: enhancedHttp ?? http, browser },
    plan: disguise,
    isEnhanced: true,
    ...proxies,
    ...more,
  })
  const strategies: StrategyStart[] = []
  // It imitates a desktop browser.
  const isForHttp = fetcher !== 'browser' && needsBrowser.length === 0 && !emulation.mobile
  if (enhancedHttp && isForHttp) strategies.push(make({}))
  if (browser && fetcher !== 'http') {
    // Plain HTTP again is of use only through other proxies.
    const isPreferred = isAsked || proxies.hasProxies
    const choice = isPreferred
      ? { prefersBrowser: '`proxy` is enhanced' }
      : { needsBrowser: [...needsBrowser, 'proxy'] }
    strategies.push(make({ plan: { ...disguise, ...choice } }))
  }
  if (strategies.length > 0) return strategies
  // Without a client of its own, enhanced is no more than its proxies.
  if (proxies.hasProxies) return [make({ plan: {} })]
  const warning =
    "`proxy: 'enhanced'` came to the plain way: this engine has no `proxies.enhanced`, no browser and no impit."
  return isAsked ? [make({ plan: {}, isEnhanced: false, warning })] : []
}

/** Tests whether there are proxies of a kind in the page's country. @throws TrawlError where that is nowhere near */
function judgeProxies(
  kind: ProxyKind,
  { emulation }: FetchPlan,
  routes: ProxyRoutes | undefined,
): Pick<FetchStrategy, 'hasProxies' | 'warning'> {
  const country = emulation?.country
  const hasProxies = routes?.has(kind, country) ?? false
  if (country === undefined || routes?.coversCountry(country) !== false) return { hasProxies }
  if (!hasProxies && !routes.has('basic', country)) {
    const message = `No proxy stands in \`location.country\` ${country}: name some in \`proxies.byCountry\`, or in \`proxies.${kind}\` for all countries`
    throw new TrawlError('SCRAPE_PROXY_SELECTION_ERROR', message)
  }
  return { hasProxies, warning: `No proxy stands in ${country}: the page was seen through one that stands elsewhere.` }
}
