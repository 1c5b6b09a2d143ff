import { TrawlError } from '../errors.js'
import type { PageFetchers } from './fetch-with-escalation.js'
import { defaultEmulation } from './identity/emulation.js'
import type { Fetchers } from './engine-fetchers.js'
import type { FetchPlan } from './fetcher.js'
import type { ProxyKind, ProxyRoutes } from './proxy-route.js'

/** One way of getting a page. */
export interface FetchStrategy {
  readonly kind: ProxyKind
  /** Whose proxies it goes through: where there are no enhanced ones, the basic ones. */
  readonly routeKind: ProxyKind
  readonly fetchers: PageFetchers
  /** What differs from the page's own plan. */
  readonly plan: Partial<FetchPlan>
  /** Whether there is more to it than to the plain way, which is what is paid for. */
  readonly isEnhanced: boolean
  /** Whether there are proxies of its kind. */
  readonly hasProxies: boolean
  /** Taken only where those before it were blocked. */
  readonly isFallback: boolean
  readonly isLast: boolean
  readonly warning?: string
}

/**
 * The ways to a page, in their order: by `plan.proxy`, by what there is in the engine, and by what is known of the site.
 *
 * Enhanced is first HTTP in the manner of a browser, where that is installed, then the browser itself; without either it
 * is plain HTTP through the enhanced proxies.
 *
 * @throws TrawlError `SCRAPE_PROXY_SELECTION_ERROR`
 */
export function listStrategies(plan: FetchPlan, fetchers: Fetchers, needsEnhanced: boolean): readonly FetchStrategy[] {
  const { proxy = 'auto' } = plan
  const enhanced = proxy === 'basic' ? [] : listEnhanced(plan, fetchers, proxy === 'enhanced')
  const isPlain = proxy === 'basic' || (proxy === 'auto' && (!needsEnhanced || enhanced.length === 0))
  const ways = isPlain ? [makeBasic(plan, fetchers), ...enhanced] : enhanced
  return ways.map((way, index) => ({ ...way, isFallback: index > 0, isLast: index === ways.length - 1 }))
}

type WayStart = Omit<FetchStrategy, 'isFallback' | 'isLast'>

function makeBasic(plan: FetchPlan, { http, browser, routes }: Fetchers): WayStart {
  return {
    kind: 'basic',
    routeKind: 'basic',
    fetchers: { http, browser },
    plan: {},
    isEnhanced: false,
    ...judgeProxies('basic', plan, routes),
  }
}

function listEnhanced(plan: FetchPlan, fetchers: Fetchers, isAsked: boolean): WayStart[] {
  const { http, browser, enhancedHttp, routes } = fetchers
  const { fetcher = 'auto', needsBrowser = [], emulation = defaultEmulation } = plan
  const proxies = judgeProxies('enhanced', plan, routes)
  const disguise = { emulation: { ...emulation, isAnonymous: true } }
  const make = (more: Partial<WayStart>): WayStart => ({
    kind: 'enhanced',
    routeKind: proxies.hasProxies ? 'enhanced' : 'basic',
    fetchers: { http: enhancedHttp ?? http, browser },
    plan: disguise,
    isEnhanced: true,
    ...proxies,
    ...more,
  })
  const ways: WayStart[] = []
  // It is a desktop browser's.
  const isForHttp = fetcher !== 'browser' && needsBrowser.length === 0 && !emulation.mobile
  if (enhancedHttp && isForHttp) ways.push(make({}))
  if (browser && fetcher !== 'http') {
    // Plain HTTP again is worth the asking only through other proxies.
    const isPreferred = isAsked || proxies.hasProxies
    const choice = isPreferred
      ? { prefersBrowser: '`proxy` is enhanced' }
      : { needsBrowser: [...needsBrowser, 'proxy'] }
    ways.push(make({ plan: { ...disguise, ...choice } }))
  }
  if (ways.length > 0) return ways
  // Without a client of its own kind, enhanced is no more than its proxies.
  if (proxies.hasProxies) return [make({ plan: {} })]
  const warning =
    "`proxy: 'enhanced'` came to the plain way: this engine has no `proxies.enhanced`, no browser and no impit."
  return isAsked ? [make({ plan: {}, isEnhanced: false, warning })] : []
}

/** Whether there are proxies of a kind where the page is to be seen from. @throws TrawlError where that is nowhere near */
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
