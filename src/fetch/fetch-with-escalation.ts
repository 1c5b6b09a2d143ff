import { messageOf, TrawlError } from '../errors.js'
import type { FetchedPage } from './fetched-page.js'
import type { Declined, Fetcher, FetchPlan, PageRequest, PlainFetcher } from './fetcher.js'
import { followSignals } from '../concurrency/deadline.js'
import { detectChallenge } from './challenge/detect-challenge.js'
import { hydrate, type HydratedPage, type HydratePage } from './hydration/hydrate.js'
import { needsBrowser } from './rendering/needs-browser.js'
import { countDown, createPageClock } from '../concurrency/pausable-clock.js'
import { hasMoreText } from './rendering/scan-page-text.js'

/** Fetchers that may be used for one page. */
export interface PageFetchers {
  readonly http: PlainFetcher
  /** Absent where no browser is to be used. */
  readonly browser?: Fetcher | undefined
  /** @default on this thread */
  readonly hydrate?: HydratePage | undefined
}

/**
 * Fetches a page with the plainest fetcher that can.
 *
 * With `auto`, HTTP comes first. The browser is used when an option needs it (`plan.needsBrowser`), when the page that came by HTTP
 * shows that scripts bring its text ({@link needsBrowser}) and its embedded data does not have that text ({@link hydrate}), or when
 * the job has seen that pages of this URL template need it. Of two pages the one with the text is returned. A page that seems to
 * need a browser that is not there, or that fails on it, is the plain page with a warning, and with the text of its data.
 *
 * @param signal the page's deadline; see `openDeadline`
 * @throws TrawlError one of the `SCRAPE_…` codes; the signal's reason
 */
export function fetchWithEscalation(
  request: PageRequest,
  plan: FetchPlan,
  fetchers: PageFetchers,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { http, browser, hydrate: fill = hydrateHere } = fetchers
  const hydratePage = async (page: FetchedPage) => mergeText(page, await fill(page, signal))
  const visit: Escalation = { request, plan, signal, http, hydrate: hydratePage }
  const { fetcher = 'auto', needsBrowser: options = [] } = plan
  if (options.length > 0) {
    const named = options.map((name) => `\`${name}\``).join(', ')
    const reason = `${named} ${options.length > 1 ? 'need' : 'needs'} a browser`
    return fetcher === 'http' || !browser ? refuse(request, reason) : insistOnBrowser(visit, browser, reason)
  }
  if (fetcher === 'http' || !browser) return fetchPlain(visit)
  if (fetcher === 'browser') return insistOnBrowser(visit, browser, "the engine's `fetcher` is 'browser'")
  if (plan.prefersBrowser !== undefined) return preferBrowser(visit, browser, plan.prefersBrowser)
  if (request.rendering?.predict(request.url) === 'browser') {
    return insistOnBrowser(visit, browser, 'pages of this making needed a browser before')
  }
  return escalate(visit, browser)
}

interface Escalation {
  readonly request: PageRequest
  readonly plan: FetchPlan
  readonly signal: AbortSignal
  readonly http: PlainFetcher
  readonly hydrate: (page: FetchedPage) => Promise<HydratedPage | undefined>
}

async function refuse({ url }: PageRequest, reason: string): Promise<never> {
  throw new TrawlError('SCRAPE_NO_BROWSER', `${reason}, and this engine's \`fetcher\` is 'http'`, { url })
}

const hydrateHere: HydratePage = async (page) => hydrate(page)

/** Puts the text that was found into the page: hydration works on a part of its fields only. */
const mergeText = (page: FetchedPage, found: HydratedPage | undefined): HydratedPage | undefined =>
  found && { ...found, page: { ...page, body: found.page.body, hydratedFrom: found.source } }

const isDeclined = (page: FetchedPage | Declined): page is Declined => 'declined' in page

/** Fetches with the browser, or by HTTP where the browser declines, e.g. a file. */
async function insistOnBrowser(visit: Escalation, browser: Fetcher, reason: string): Promise<FetchedPage> {
  const { request, plan, signal, http } = visit
  const page = await browser.fetch(request, plan, signal)
  if (!isDeclined(page)) return { ...page, fetcherReason: reason }
  if ((plan.browser?.actions.length ?? 0) > 0) {
    const message = `Actions need a page to act on: the browser ${page.declined}`
    throw new TrawlError('SCRAPE_ACTIONS_NOT_SUPPORTED', message, { url: request.url })
  }
  return { ...(await http.fetch(request, plan, signal)), fetcherReason: `the browser ${page.declined}` }
}

/** Fetches with the browser, or by HTTP with a warning where there is none. */
async function preferBrowser(visit: Escalation, browser: Fetcher, reason: string): Promise<FetchedPage> {
  try {
    return await insistOnBrowser(visit, browser, reason)
  } catch (error) {
    if (!(error instanceof TrawlError && error.code === 'SCRAPE_NO_BROWSER')) throw error
    const plain = await visit.http.fetch(visit.request, visit.plan, visit.signal)
    const warning = `A browser comes first, as ${reason}, and the page was taken without one: ${error.message}.`
    return { ...plain, fetcherReason: reason, warnings: [...(plain.warnings ?? []), warning.replace(/\.\.$/, '.')] }
  }
}

/** Fetches by HTTP alone, with the text of embedded data where scripts would show it. */
async function fetchPlain({ request, plan, signal, http, hydrate: fill }: Escalation): Promise<FetchedPage> {
  const plain = await http.fetch(request, plan, signal)
  const need = plan.mayBeBlocked ? undefined : needsBrowser(plain)
  if (need === undefined || detectChallenge(plain)) return plain
  const hydrated = await fill(plain)
  return hydrated ? fillIn(plain, need, hydrated) : plain
}

/** Fills in the text of embedded data, with a warning where it may not be all. */
function fillIn(plain: FetchedPage, need: string, hydrated: HydratedPage | undefined, trouble = ''): FetchedPage {
  if (hydrated?.isSure) {
    return { ...hydrated.page, fetcherReason: `its text is in its \`${hydrated.source}\`, though ${need}` }
  }
  const warning = `The page seems to need a browser (${need})${trouble === '' ? '' : `, and was taken without one: ${trouble}`}`
  const taken = hydrated ? [`What is in its \`${hydrated.source}\` was taken for its text, and may not be all.`] : []
  const warnings = [...(plain.warnings ?? []), `${warning}.`.replace(/\.\.$/, '.'), ...taken]
  return { ...(hydrated?.page ?? plain), fetcherReason: need, warnings }
}

/** Share of a page's remaining time that the browser has: the rest is for the digest of the plain page. */
const BROWSER_SHARE = 0.85

/** Fetches by HTTP, and with the browser after it where the page shows that it needs one. */
async function escalate(visit: Escalation, browser: Fetcher): Promise<FetchedPage> {
  const { request, plan, signal, http, hydrate: fill } = visit
  const { clock = createPageClock() } = request
  const leftMs = countDown(plan.timeoutMs, clock)
  const plain = await http.fetch(request, plan, signal)
  // The answer to a conditional request has no page to judge.
  if (plain.statusCode === 304) return plain
  const need = needsBrowser(plain)
  if (need === undefined) {
    if (plain.statusCode < 300) request.rendering?.recordPlain(request.url)
    return plain
  }
  const verdict = detectChallenge(plain)
  // A captcha stops a browser as well, and another strategy may do better.
  if (verdict?.isCertain && !verdict.mayPass) return plain
  const hydrated = verdict ? undefined : await fill(plain)
  const { rendering } = request
  if (hydrated?.isSure) {
    rendering?.recordPlain(request.url)
    return fillIn(plain, need, hydrated)
  }
  if (rendering?.predict(request.url) === 'http') {
    return { ...plain, fetcherReason: `${need}, but a browser found no more on pages of this making` }
  }
  using attempt = followSignals(signal)
  // The page that came by HTTP must still be digested within the page's deadline.
  const stop = clock.after(leftMs() * BROWSER_SHARE, () => attempt.abort(new Error('there was no time left')))
  try {
    const rendered = await browser.fetch(request, plan, attempt.signal)
    if (isDeclined(rendered)) return { ...plain, fetcherReason: `${need}, and the browser ${rendered.declined}` }
    const gained = rendered.statusCode <= plain.statusCode && hasMoreText(rendered.body, plain.body)
    // A challenge says nothing about the pages behind it.
    if (!verdict) rendering?.record(request.url, gained)
    return gained
      ? { ...rendered, fetcherReason: need }
      : { ...plain, fetcherReason: `${need}, but a browser found no more` }
  } catch (error) {
    signal.throwIfAborted()
    const trouble = messageOf(error)
    return fillIn(plain, need, hydrated, trouble)
  } finally {
    stop()
  }
}
