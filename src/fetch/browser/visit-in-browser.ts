import { yieldTurn } from '../../concurrency/yield-turn.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import { pageFunction } from '../../injected/page-functions.js'
import { type MoreSign, moreWarnings } from '../../text/more-of-list.js'
import type { RawActionResults } from '../action.js'
import { hasActionsOrCaptures } from '../browser-plan.js'
import { type ChallengedPage, isGuarded, waitForChallenge } from '../challenge/wait-for-challenge.js'
import type { FetchedPage } from '../fetched-page.js'
import type { Declined } from '../fetcher.js'
import { describeResponse, findShownResponse } from '../navigation/describe-response.js'
import { loadDocument } from '../navigation/load-document.js'
import type { OpenPage } from '../navigation/open-page.js'
import { loadLazyParts, settlePage } from '../navigation/settle-page.js'
import { isLoadingPlaceholder } from '../rendering/scan-page-text.js'
import { ACTION_SETTLE_MS, type BrowserVisit, createVisit, pause, type VisitOptions } from './browser-visit.js'
import { runActions } from './run-actions.js'
import { showsBytes } from './shows-bytes.js'
import { takeCaptures } from './take-captures.js'

/** Limit for images and other resources of a page that will be shown, e.g. in a screenshot. Milliseconds. */
const MAX_LOAD_MS = 5_000
/**
 * A busy machine may leave a page idle, between the arrival of a script and its first request, for longer than the
 * automatic wait. A page that shows no more than a placeholder is read again so often, at this interval in milliseconds.
 */
const MAX_PLACEHOLDER_READS = 4
const PLACEHOLDER_POLL_MS = 250

/** The document as it was read, as text and as the body that is returned. */
interface Rendered {
  readonly html: string
  readonly body: Uint8Array
}

/** The state of a page that has settled. */
interface Settled {
  /** True where more is loaded each time the page is scrolled to its end. */
  readonly isEndless: boolean
  /** True where the page was looked at for a challenge already. */
  readonly isChecked: boolean
}

/**
 * Loads a page into an open one, waits until it has settled, and reads its content.
 *
 * @returns a page without its `fetcher`; declined for content that is not HTML
 * @throws TrawlError; an error of Playwright when the page or its browser is gone; the signal's reason
 */
export async function visitInBrowser(
  opened: OpenPage,
  options: VisitOptions,
): Promise<Omit<FetchedPage, 'fetcher'> | Declined> {
  const { url, browserPlan, limits, leftMs, signal } = options
  const loaded = await loadDocument(opened, url, leftMs(), signal)
  if ('declined' in loaded) return loaded
  const visit = createVisit(opened, options)
  const settled = await settle(visit)
  const actions =
    browserPlan.actions.length > 0 ? await runActions(browserPlan.actions, visit.context, limits.bodyBytes) : undefined
  const rendered = await readRendered(visit, settled)
  if ('declined' in rendered) return rendered
  return await describePage(visit, rendered, { isEndless: settled.isEndless, loadWarning: loaded.warning, actions })
}

/** Waits for the automatic wait, a challenge, parts that load in view, and `waitFor`. */
async function settle(visit: BrowserVisit): Promise<Settled> {
  const { opened, options, settling } = visit
  const { browserPlan, leftMs, signal } = options
  const isShown = hasActionsOrCaptures(browserPlan)
  if (isShown) await waitForResources(visit)
  let hasMore = await settlePage(settling)
  // A page of status 200 is checked when it is read, unless that is too late: each check costs a round trip.
  const isChecked = isShown || opened.documents.answers.at(-1)?.status() !== 200
  if (isChecked && (await waitForChallenge(toChallenged(visit), settling, leftMs()))) hasMore = true
  const isEndless = hasMore && (await loadLazyParts(settling))
  if (isShown) await hideAds(visit)
  if (browserPlan.waitForMs > 0) {
    await pause(browserPlan.waitForMs, signal)
    await settlePage(settling)
  }
  return { isEndless, isChecked }
}

const toChallenged = ({ opened, options }: BrowserVisit): ChallengedPage => ({
  opened,
  url: options.url,
  maxRedirects: options.limits.redirects,
})

/** Reads the page, again after a challenge, a placeholder or a consent question. */
async function readRendered(visit: BrowserVisit, { isChecked }: Settled): Promise<Rendered | Declined> {
  const { opened, options, settling } = visit
  const { browserPlan, filter, leftMs, signal } = options
  const isShown = hasActionsOrCaptures(browserPlan)
  let rendered = await read(visit)
  if (showsBytes(rendered.html)) return { declined: 'shows the bytes of a file as a page' }
  if (!isChecked && isGuarded(toChallenged(visit), rendered.html, rendered.body)) {
    if (await waitForChallenge(toChallenged(visit), settling, leftMs())) rendered = await read(visit)
  }
  if (!isShown && browserPlan.waitForMs === 0) rendered = await readPastPlaceholder(visit, rendered)
  if (!isShown && filter?.mayAskConsent(rendered.html) && (await filter.answerConsent(opened.page, signal))) {
    await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
    rendered = await read(visit)
  }
  return rendered
}

async function read({ context }: BrowserVisit): Promise<Rendered> {
  const html = await context.readHtml()
  // This turn of the event loop has parsed the browser's message with the HTML, which may have megabytes.
  await yieldTurn()
  const rendered = { html, body: encode(html) }
  await yieldTurn()
  return rendered
}

/**
 * Encodes HTML as UTF-8 with a byte order mark, which states the encoding whatever the header says about what the server
 * sent. The mark is not joined as text: copying megabytes for it takes five times as long as encoding them.
 */
function encode(html: string): Uint8Array {
  const body = Buffer.allocUnsafeSlow(BOM.length + Buffer.byteLength(html))
  BOM.copy(body)
  body.write(html, BOM.length)
  return body
}

const BOM = Buffer.from('\uFEFF')

async function readPastPlaceholder(visit: BrowserVisit, first: Rendered): Promise<Rendered> {
  const { leftMs, signal } = visit.options
  const hasTime = (): boolean => leftMs() > PLACEHOLDER_POLL_MS * 4
  let latest = first
  for (let reads = 0; reads < MAX_PLACEHOLDER_READS && hasTime() && isLoadingPlaceholder(latest.body); reads++) {
    await pause(PLACEHOLDER_POLL_MS, signal)
    await settlePage(visit.settling)
    latest = await read(visit)
  }
  return latest
}

async function waitForResources({ opened, options }: BrowserVisit): Promise<void> {
  const { leftMs, signal } = options
  const loading = opened.page.waitForLoadState('load', { timeout: Math.min(MAX_LOAD_MS, leftMs()) })
  await untilAborted(loading, signal).catch(() => signal.throwIfAborted())
}

/** Answers consent questions and hides advertisements, for a page that will be shown. */
async function hideAds({ opened, options, settling }: BrowserVisit): Promise<void> {
  const { page, world } = opened
  const { filter, signal } = options
  if (!filter) return
  if (await filter.answerConsent(page, signal)) await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  const names = await untilAborted(world.call(pageFunction('listIdsAndClasses'), undefined), signal)
  const content = filter.styleFor(page.url(), names)
  // A page whose policy forbids the style keeps its advertisements.
  if (content !== undefined) await untilAborted(page.addStyleTag({ content }), signal).catch(() => undefined)
  signal.throwIfAborted()
}

interface Findings {
  readonly isEndless: boolean
  readonly loadWarning: string | undefined
  readonly actions: RawActionResults | undefined
}

async function describePage(
  visit: BrowserVisit,
  { body }: Rendered,
  { isEndless, loadWarning, actions }: Findings,
): Promise<Omit<FetchedPage, 'fetcher'>> {
  const { opened, options, context } = visit
  const { page, documents, proxy } = opened
  const { url, browserPlan, limits, filter, signal } = options
  const shown = findShownResponse(documents, url, page.url(), limits.redirects)
  const more = isEndless ? 'scroll' : await untilAborted(findMore(opened), signal)
  const captures = await untilAborted(takeCaptures(browserPlan.captures, context), signal)
  const headers = await untilAborted(shown.allHeaders(), signal)
  const warnings = [
    opened.warnings,
    more === undefined ? [] : moreWarnings[more],
    loadWarning ?? [],
    filter?.problems ?? [],
    proxy.isExhausted ? 'The page asked for more than `limits.wireBytes`, and was given no more.' : [],
  ].flat()
  return {
    ...describeResponse(shown, headers, documents, url),
    body,
    fetchedAtMs: options.now(),
    browserWaitMs: browserPlan.waitForMs,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(actions ? { actions } : {}),
    ...(Object.keys(captures).length > 0 ? { captures, capturePlan: browserPlan.captures } : {}),
  }
}

/** The content has been read by then: a page that does not answer gets no warning. */
const findMore = ({ world }: OpenPage): Promise<MoreSign | undefined> =>
  world.call(pageFunction('findMore'), undefined).catch(() => undefined)
