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

/** What came of one way: a page that may be a guard's answer. */
interface Answer {
  readonly page: FetchedPage
  readonly verdict: BlockVerdict | undefined
}

/** One page on its way in. */
interface Visit {
  readonly request: PageRequest
  readonly plan: FetchPlan
  readonly fetchers: Fetchers
  readonly signal: AbortSignal
  readonly site: string
  /** How much of the page's time is left. Milliseconds. */
  readonly leftMs: () => number
}

/** Proxies that may let a page down before it fails. */
const MAX_FAILURES = 3
/** Exits that are shown to a site for one page, where all before were blocked. */
const MAX_EXITS = 2

/**
 * Brings a page in: by `proxy: 'basic'` in the plain way, by `'enhanced'` in the manner of a browser and through the
 * enhanced proxies, by `'auto'` plainly and once more enhanced where that was blocked.
 *
 * An answer that certainly is a guard's and not the page is never given. One that may be (a bare 403, say) is given with
 * a warning. What a proxy does wrong is tried again through another one.
 *
 * @param signal the page's deadline; see `openDeadline`
 * @throws TrawlError `SCRAPE_BLOCKED` when nothing got through; `SCRAPE_PROXY_SELECTION_ERROR`; one of the other
 * `SCRAPE_…` codes; whatever `signal` was aborted with
 * @see docs/compatibility.md#proxies
 */
export async function fetchPage(
  request: PageRequest,
  plan: FetchPlan,
  fetchers: Fetchers,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { access } = fetchers
  const site = new URL(request.url).hostname
  const leftMs = countDown(plan.timeoutMs, request.clock ?? createPageClock())
  const visit: Visit = { request, plan, fetchers, signal, site, leftMs }
  const met: BlockVerdict[] = []
  let doubtful: FetchedPage | undefined
  let guarded: FetchedPage | undefined
  for (const way of listStrategies(plan, fetchers, access?.needsEnhanced(site) ?? false)) {
    if (way.isFallback && !isWorthwhile(way, met)) continue
    const answer = await tryWay(visit, way, met)
    if (!answer) continue
    const { page, verdict } = answer
    if (!verdict) {
      // What stands guard before a site's pages may well let its robots.txt through.
      const isLesson = (plan.proxy ?? 'auto') === 'auto' && (way.kind === 'basic' || met.length > 0)
      if (isLesson && !plan.mayBeBlocked) access?.record(site, way.kind)
      return describe(page, met)
    }
    if (verdict.isCertain) guarded ??= page
    else doubtful = page
  }
  const suspicion = met.findLast(({ isCertain }) => !isCertain)
  if (doubtful && suspicion)
    return warn(describe(doubtful, met), `The site may keep programs out (${suspicion.evidence}).`)
  if (guarded && plan.mayBeBlocked) return describe(guarded, met)
  const ways = met.length > 1 ? `, ${met.length} times` : ''
  const verdict = met.at(-1)
  const what = verdict ? describeBlock(verdict) : 'was not reached'
  throw new TrawlError('SCRAPE_BLOCKED', `The site ${what}${ways}`, {
    url: withoutCredentials(new URL(request.url)).href,
  })
}

/** A refusal without a guard's mark may be meant for everybody: only another exit would tell. */
const isWorthwhile = ({ hasProxies }: FetchStrategy, met: readonly BlockVerdict[]): boolean =>
  hasProxies || met.some(({ isCertain }) => isCertain)

/** Undefined where a fallback itself fails: then what came before it stands. */
async function tryWay(visit: Visit, way: FetchStrategy, met: BlockVerdict[]): Promise<Answer | undefined> {
  const avoid = new Set<string>()
  let answer: Answer | undefined
  for (let failures = 0, exits = 0; ;) {
    const route = findRoute(visit, way, avoid)
    // Every exit has been tried.
    if (!route && avoid.size > 0) return answer
    try {
      answer = await tryRoute(visit, way, route)
    } catch (error) {
      visit.signal.throwIfAborted()
      const isProxyFault = route !== undefined && error instanceof TrawlError && error.code === 'SCRAPE_PROXY_ERROR'
      if (isProxyFault) route.report('failed')
      failures += 1
      if (isProxyFault && failures < MAX_FAILURES && hasOther(visit, way, avoid.add(route.key))) continue
      if (way.isFallback && met.length > 0) return undefined
      throw error
    }
    const { verdict } = answer
    route?.report(verdict ? 'blocked' : 'passed')
    if (!verdict) return answer
    met.push(verdict)
    exits += 1
    const isClear = verdict.isCertain || answer.page.statusCode === TOO_MANY_REQUESTS
    if (!route || !isClear || !way.isLast || exits === MAX_EXITS) return answer
    avoid.add(route.key)
  }
}

async function tryRoute(visit: Visit, way: FetchStrategy, route: ProxyRoute | undefined): Promise<Answer> {
  const { plan, signal } = visit
  const request = route ? { ...visit.request, route } : visit.request
  const fetchers = { ...way.fetchers, hydrate: visit.fetchers.hydrate }
  const page = await fetchWithEscalation(request, { ...plan, ...way.plan, timeoutMs: visit.leftMs() }, fetchers, signal)
  const verdict = detectChallenge(page)
  // Where no browser was found after all, only the proxies are left of it.
  const isEnhanced = way.isEnhanced && (way.hasProxies || page.fetcher !== 'http')
  const marked = isEnhanced ? { ...page, proxy: 'enhanced' as const } : page
  return { page: way.warning === undefined ? marked : warn(marked, way.warning), verdict }
}

function findRoute(
  { plan, fetchers, site }: Visit,
  way: FetchStrategy,
  avoid: ReadonlySet<string>,
): ProxyRoute | undefined {
  const session = plan.browser?.profile?.name
  return fetchers.routes?.find({ kind: way.routeKind, country: plan.emulation?.country, site, session, avoid })
}

const hasOther = (visit: Visit, way: FetchStrategy, avoid: ReadonlySet<string>): boolean =>
  findRoute(visit, way, avoid) !== undefined

const describe = (page: FetchedPage, met: readonly BlockVerdict[]): FetchedPage =>
  met.length === 0
    ? page
    : { ...page, blocks: met.map(({ evidence, vendor }) => (vendor ? { vendor, evidence } : { evidence })) }

const warn = (page: FetchedPage, warning: string): FetchedPage => ({
  ...page,
  warnings: [...(page.warnings ?? []), warning],
})
