import { messageOf, TrawlError } from '../../base/errors.js'
import type { FetchedPage } from './fetched-page.js'
import type { Declined, FetchPlan, PageRequest, PlainFetcher } from './fetcher.js'
import type { Renderer } from './renderer.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import { detectChallenge } from '../../content/challenge/detect-challenge.js'
import { hydrate, type HydratedPage, type HydratePage } from '../../content/hydration/hydrate.js'
import { holdsData, isHtml, needsBrowser, replacesPlaceholder } from '../../content/rendering/needs-browser.js'
import { needsHttp2 } from '../../base/http/http-errors.js'
import { startCountdown, createPageClock } from '../../base/concurrency/pausable-clock.js'
import {
  hasMoreText,
  maxShellText,
  scanPageText,
  scanPageTextInParts,
  showsNothing,
} from '../../content/rendering/scan-page-text.js'

/** Fetchers that may be used for one page. */
export interface PageFetchers {
  readonly http: PlainFetcher
  /** Absent where no browser is to be used. */
  readonly renderer?: Renderer
  /** Extracts a page's text from its embedded data. @default on this thread */
  readonly hydrate?: HydratePage<FetchedPage>
}

/**
 * Fetches a page over HTTP where that suffices, otherwise with the browser.
 *
 * With `auto`, HTTP comes first. The browser is used when an option needs it (`plan.needsBrowser`), when earlier pages
 * of the job with this URL template needed it, or when the page fetched over HTTP shows that its scripts load its text
 * ({@link needsBrowser}) and that text is not in its embedded data ({@link hydrate}). Of the two pages, the one with
 * more text is returned, or else the embedded data, if that has more. If the browser is missing or fails, the page fetched
 * over HTTP is returned with a warning, and with the text of its embedded data.
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
  const { http, renderer, hydrate: fill = hydrateHere } = fetchers
  const hydratePage = async (page: FetchedPage) => mergeText(page, await fill(page, signal))
  const context: EscalationContext = { request, plan, signal, http, hydrate: hydratePage }
  const { fetcher = 'auto', needsBrowser: options = [] } = plan
  if (options.length > 0) {
    const named = options.map((name) => `\`${name}\``).join(', ')
    const reason = `${named} ${options.length > 1 ? 'need' : 'needs'} a browser`
    return fetcher === 'http' || !renderer
      ? refuse(request, `${reason}, and this engine's \`fetcher\` is 'http'`)
      : fetchInBrowser(context, renderer, reason)
  }
  if (fetcher === 'browser' && !renderer) return refuse(request, "The engine's `fetcher` is 'browser', and it has none")
  if (fetcher === 'http' || !renderer) return fetchOverHttpOnly(context)
  if (fetcher === 'browser') return fetchInBrowser(context, renderer, "the engine's `fetcher` is 'browser'")
  if (plan.prefersBrowser !== undefined) return fetchInBrowserIfInstalled(context, renderer, plan.prefersBrowser)
  if (request.rendering?.predict(request.url) === 'browser') {
    return fetchInBrowser(context, renderer, 'earlier pages with this URL template needed a browser')
  }
  return escalate(context, renderer)
}

interface EscalationContext {
  readonly request: PageRequest
  readonly plan: FetchPlan
  readonly signal: AbortSignal
  readonly http: PlainFetcher
  readonly hydrate: (page: FetchedPage) => Promise<HydratedPage<FetchedPage> | undefined>
}

async function refuse({ url }: PageRequest, message: string): Promise<never> {
  throw new TrawlError('SCRAPE_NO_BROWSER', message, { url })
}

const hydrateHere: HydratePage<FetchedPage> = async (page) => hydrate(page)

/**
 * Copies the body with the hydrated text into the fetched page. A hydrating thread returns only some of a page's
 * fields.
 */
const mergeText = (
  page: FetchedPage,
  found: HydratedPage<FetchedPage> | undefined,
): HydratedPage<FetchedPage> | undefined =>
  found && { ...found, page: { ...page, body: found.page.body, hydratedFrom: found.source } }

/** Adds that the browser had to stop the page, and could not find more. */
function withStopped(plain: FetchedPage, { warnings = [] }: FetchedPage, { stopWarnings }: Renderer): FetchedPage {
  const stopped = warnings.filter((warning) => stopWarnings.includes(warning))
  return stopped.length === 0 ? plain : { ...plain, warnings: [...(plain.warnings ?? []), ...stopped] }
}

const isDeclined = (page: FetchedPage | Declined): page is Declined => 'declined' in page

/** Fetches with the browser, or over HTTP if the browser declines, for example a file to download. */
async function fetchInBrowser(context: EscalationContext, renderer: Renderer, reason: string): Promise<FetchedPage> {
  const { request, plan, signal, http } = context
  const page = await renderer.fetch(request, plan, signal)
  if (!isDeclined(page)) return { ...page, fetcherReason: reason }
  if ((plan.browser?.actions.length ?? 0) > 0) {
    const message = `Actions need an HTML page, but the browser ${page.declined}`
    throw new TrawlError('SCRAPE_ACTIONS_NOT_SUPPORTED', message, { url: request.url })
  }
  return { ...(await http.fetch(request, plan, signal)), fetcherReason: `the browser ${page.declined}` }
}

/** Fetches with the browser, or over HTTP with a warning if no browser is installed. */
async function fetchInBrowserIfInstalled(
  context: EscalationContext,
  renderer: Renderer,
  reason: string,
): Promise<FetchedPage> {
  try {
    return await fetchInBrowser(context, renderer, reason)
  } catch (error) {
    if (!(error instanceof TrawlError && error.code === 'SCRAPE_NO_BROWSER')) throw error
    const plain = await context.http.fetch(context.request, context.plan, context.signal)
    const warning = `A browser is preferred because ${reason}, but the page was fetched without one: ${error.message}.`
    return { ...plain, fetcherReason: reason, warnings: [...(plain.warnings ?? []), warning.replace(/\.\.$/, '.')] }
  }
}

/** Fetches over HTTP alone. A page that needs a browser gets the text of its embedded data. */
async function fetchOverHttpOnly({
  request,
  plan,
  signal,
  http,
  hydrate: fill,
}: EscalationContext): Promise<FetchedPage> {
  const plain = await http.fetch(request, plan, signal)
  const need = plan.mayBeBlocked ? undefined : needsBrowser(plain)
  if ((need === undefined && !holdsData(plain)) || detectChallenge(plain)) return plain
  const hydrated = await fill(plain)
  if (need === undefined)
    return hydrated?.isSure && isTextOf(hydrated, plain, MIN_TIMES)
      ? withEmbeddedText(plain, HAS_LITTLE, hydrated)
      : plain
  return withEmbeddedText(
    plain,
    need,
    hydrated,
    hydrated ? '' : "`fastMode`, or the engine's `fetcher: 'http'`, allows none",
  )
}

/** Reason for reading the embedded data of a page that needs no browser. */
const HAS_LITTLE = 'it shows little text'

/**
 * Minimum length of the text of embedded data, as a multiple of the text that the page shows: a copy of that text has less. The second
 * is for data of which nothing says that it is the text of the page.
 */
const MIN_TIMES = 2
const MIN_TIMES_UNSURE = 4

/** Tests whether embedded data is the text of a page that shows little, and more than a copy of what it shows. */
const isTextOf = ({ page }: HydratedPage<FetchedPage>, { body }: FetchedPage, times: number): boolean =>
  scanPageText(page.body).ownLength > (1 + times) * scanPageText(body).ownLength

/** Beginning of the message of a missing package. */
const NEEDS_ONE = 'The page needs a browser, and '

/** Returns the page with the text of its embedded data, if any, and with a warning unless that text is complete. */
function withEmbeddedText(
  plain: FetchedPage,
  need: string,
  hydrated: HydratedPage<FetchedPage> | undefined,
  problem = '',
): FetchedPage {
  if (hydrated?.isSure) {
    return { ...hydrated.page, fetcherReason: `its text was read from its \`${hydrated.source}\`, although ${need}` }
  }
  const why = problem.startsWith(NEEDS_ONE)
    ? `, and ${problem.slice(NEEDS_ONE.length)}`
    : `; fetched without one: ${problem}`
  const warning = `The page seems to need a browser (${need})${problem === '' ? '' : why}`
  const incomplete = hydrated ? [mayBeIncomplete(hydrated.source)] : []
  const warnings = [...(plain.warnings ?? []), `${warning}.`.replace(/\.\.$/, '.'), ...incomplete]
  return { ...(hydrated?.page ?? plain), fetcherReason: need, warnings }
}

/** Returns the page with its embedded data, which has more text than the browser shows. */
const withMoreText = (
  page: FetchedPage,
  need: string,
  { page: filled, source }: HydratedPage<FetchedPage>,
): FetchedPage => ({
  ...filled,
  fetcherReason: `its \`${source}\` has more text than a browser shows, although ${need}`,
  warnings: [...(page.warnings ?? []), mayBeIncomplete(source)],
})

const mayBeIncomplete = (source: string): string => `Its text was read from its \`${source}\` and may be incomplete.`

/**
 * Adds the text of its embedded data to a page that the caller supplied, if the page shows that its scripts load its text, or has
 * hardly any. It may be a page as a browser has rendered it.
 *
 * @throws the signal's reason
 */
export async function fillGivenPage(
  page: FetchedPage,
  fill: HydratePage<FetchedPage>,
  signal: AbortSignal,
): Promise<FetchedPage> {
  await scanPageTextInParts(page.body, maxShellText(page.statusCode))
  const isBare = isHtml(page) && (needsBrowser(page) !== undefined || showsNothing(page.body))
  if (!isBare && !holdsData(page)) return page
  if (detectChallenge(page)) return page
  const filled = mergeText(page, await fill(page, signal))
  if (!filled || !(isBare || isTextOf(filled, page, filled.isSure ? MIN_TIMES : MIN_TIMES_UNSURE))) return page
  const warnings = [...(page.warnings ?? []), ...(filled.isSure ? [] : [mayBeIncomplete(filled.source)])]
  return { ...filled.page, warnings: warnings.length > 0 ? warnings : undefined }
}

/**
 * Share of a page's remaining time for the browser. The rest is for extracting the page fetched over HTTP, if the
 * browser is too slow.
 */
const BROWSER_SHARE = 0.85

/** Fetches over HTTP, and then with the browser if the page shows that it needs one. */
async function escalate(context: EscalationContext, renderer: Renderer): Promise<FetchedPage> {
  const { request, plan, signal, http, hydrate: fill } = context
  const { clock = createPageClock() } = request
  const leftMs = startCountdown(plan.timeoutMs, clock)
  const plain = await http.fetch(request, plan, signal).catch((error: unknown) => {
    if (needsHttp2(error)) return undefined
    throw error
  })
  if (!plain) {
    request.rendering?.record(request.url, true)
    return await fetchInBrowserIfInstalled(context, renderer, 'the server speaks no HTTP/1.1')
  }
  // An unchanged page has no body to inspect.
  if (plain.statusCode === 304) return plain
  const need = needsBrowser(plain)
  if (need === undefined) {
    if (plain.statusCode >= 300) return plain
    request.rendering?.recordPlain(request.url)
    const filled = holdsData(plain) && !detectChallenge(plain) ? await fill(plain) : undefined
    return filled?.isSure && isTextOf(filled, plain, MIN_TIMES) ? withEmbeddedText(plain, HAS_LITTLE, filled) : plain
  }
  const verdict = detectChallenge(plain)
  // A captcha stops a browser as well; the caller tries its next strategy.
  if (verdict?.isCertain && !verdict.mayPass) return plain
  const hydrated = verdict ? undefined : await fill(plain)
  const { rendering } = request
  if (hydrated?.isSure) {
    rendering?.recordPlain(request.url)
    return withEmbeddedText(plain, need, hydrated)
  }
  if (rendering?.predict(request.url) === 'http') {
    return {
      ...plain,
      fetcherReason: `${need}, but a browser found no more text on earlier pages with this URL template`,
    }
  }
  using attempt = followSignals(signal)
  // The page fetched over HTTP must still be extracted before the page's deadline.
  const stop = clock.after(leftMs() * BROWSER_SHARE, () => attempt.abort(new Error('the browser ran out of time')))
  try {
    const rendered = await renderer.fetch(request, plan, attempt.signal)
    if (isDeclined(rendered)) return { ...plain, fetcherReason: `${need}, and the browser ${rendered.declined}` }
    await scanPageTextInParts(rendered.body)
    const showsMore = hasMoreText(rendered.body, plain.body) || replacesPlaceholder(rendered, plain)
    const gained = rendered.statusCode <= plain.statusCode && showsMore
    // The text of a challenge says nothing about whether the site's pages need a browser.
    if (!verdict) rendering?.record(request.url, gained)
    const best = gained ? rendered : plain
    if (hydrated && hasMoreText(hydrated.page.body, best.body)) return withMoreText(best, need, hydrated)
    const leftPages = [...(plain.leftPages ?? []), ...(rendered.leftPages ?? [])]
    return gained
      ? { ...rendered, leftPages: leftPages.length > 0 ? leftPages : undefined, fetcherReason: need }
      : { ...withStopped(plain, rendered, renderer), fetcherReason: `${need}, but a browser found no more text` }
  } catch (error) {
    signal.throwIfAborted()
    const problem = messageOf(error)
    return withEmbeddedText(plain, need, hydrated, problem)
  } finally {
    stop()
  }
}
