import { concatBytes } from '../../../base/concurrency/concat-bytes.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import { yieldIfHeld, yieldTurn } from '../../../base/concurrency/yield-turn.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { pageFunction } from '../injected/page-functions.js'
import { TrawlError } from '../../../base/errors.js'
import { type MoreSign, moreWarnings } from '../../../base/text/more-of-list.js'
import { toSentence } from '../../../base/text/to-sentence.js'
import type { UnseenMarks } from '../../../base/text/unseen-marks.js'
import type { RawActionResults } from '../../../kernel/fetch/action.js'
import { traitsOf } from '../../../kernel/fetch/action-options.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { type BrowserPlan, hasActionsOrCaptures } from '../../../kernel/fetch/browser-plan.js'
import { type ChallengedPage, showsPassableChallenge, waitForChallenge } from '../navigation/wait-for-challenge.js'
import type { FetchedPage, ListGrowth } from '../../../kernel/fetch/fetched-page.js'
import type { Declined } from '../../../kernel/fetch/fetcher.js'
import { correctEncoding } from '../navigation/correct-encoding.js'
import { describeResponse, findShownResponse } from '../navigation/describe-response.js'
import { assertReceived, hasStopped, loadDocument, untilLoaded } from '../navigation/load-document.js'
import type { OpenPage } from '../navigation/open-page.js'
import { guardScripts, type ScriptGuard, stopWarnings } from '../navigation/script-guard.js'
import { loadLazyParts, settlePage, showVisitor } from '../navigation/settle-page.js'
import {
  hasMoreText,
  isLoadingPlaceholder,
  maxShellText,
  scanPageTextInParts,
} from '../../../content/rendering/scan-page-text.js'
import { ACTION_SETTLE_MS, type RenderTask, createRenderTask, pause, type RenderOptions } from './render-task.js'
import { expandPage, warnOfGrowth } from './expand-page.js'
import { listUnseen } from './list-unseen.js'
import { recordAnswers } from './record-answers.js'
import { runActions } from './run-actions.js'
import { runScripts } from './run-scripts.js'
import type { BrowserPageContext } from '../browser-page.js'
import type { CapturePlan, Captures, CapturesByType } from '../../../kernel/fetch/capture.js'

/** Timeout for images and other resources of a page with actions or captures, such as a screenshot. Milliseconds. */
const MAX_LOAD_MS = 5_000
/**
 * Maximum number of times that a page is read again while it only shows a placeholder, and the interval in
 * milliseconds. On a busy machine a page may be idle for longer than the automatic wait before a script sends its first
 * request.
 */
const MAX_PLACEHOLDER_READS = 4
const PLACEHOLDER_POLL_MS = 250

/** The document that was read: its HTML in pieces, and the same HTML as the body to return. */
interface Rendered {
  readonly html: readonly string[]
  readonly body: Uint8Array
  /** Number of frames that are not in the HTML, because they could not be read. */
  readonly lostFrames: number
  /** Texts of it that nobody sees; absent if the page does not answer. */
  readonly unseen?: UnseenMarks
}

/** The state of a page that has settled. */
interface Settled {
  /** True if the page loads more content each time it is scrolled to its end. */
  readonly isEndless: boolean
  /** True if the page was checked for a challenge. */
  readonly isChecked: boolean
  /** Says that the encoding of the page was guessed. */
  readonly encodingWarning: string | undefined
}

/** A page as the browser shows it. */
export type RenderedPage = Omit<FetchedPage, 'fetcher'>

/**
 * Loads a URL in an open page of the browser, waits until the page has settled, runs its actions and reads its content.
 *
 * @returns declined for content that is not HTML
 * @throws TrawlError; an error of Playwright when the page or its browser is gone; the signal's reason
 */
export async function renderPage(opened: OpenPage, options: RenderOptions): Promise<RenderedPage | Declined> {
  const { documents, scripts } = opened
  const isWhole = (): boolean => documents.cutOffBy === undefined && (documents.isParsed || documents.hasEnded)
  const arrival = { isShown: () => documents.answers.length > 0 && !documents.isNavigating, isWhole }
  using guard = guardScripts(scripts, options.leftMs, options.signal, arrival)
  if (runsCode(options.browserPlan)) guard.stage = 'acting'
  const guarded = createRenderTask(opened, { ...options, signal: guard.signal })
  try {
    return await renderGuarded(guarded, guard)
  } catch (error) {
    const { stoppedBy } = guard
    if (options.signal.aborted || !stoppedBy || isFeatureFailure(error)) throw error
    refuseWithout(options)
    const warning = stoppedBy === 'time' && hasOnlyToLoad(opened, options) ? STILL_LOADING : stopWarnings[stoppedBy]
    await untilAborted(guard.untilStopped(), options.signal)
    const found = await renderStopped(createRenderTask(opened, options, stoppedBy === 'script'), warning)
    if (found) return found
    if (stoppedBy === 'script')
      throw new TrawlError('SCRAPE_BROWSER_ERROR', 'A script of the page did not end, and kept it from being read')
    return await untilAborted(new Promise<never>(() => undefined), options.signal)
  }
}

const isFeatureFailure = (error: unknown): boolean => error instanceof TrawlError && error.code === 'FEATURE_FAILED'

/** Refuses a page that was stopped, whose content has nothing of what a feature did, or would have done. @throws TrawlError `FEATURE_FAILED` */
function refuseWithout({ browserPlan: { scripts = [] }, url }: RenderOptions): void {
  const lost = scripts.find(({ isOptional }) => isOptional !== true)
  if (!lost) return
  const message = `feature \`${lost.feature}\` failed: scripts of its page did not end, and were stopped`
  throw new TrawlError('FEATURE_FAILED', message, { url: url.href })
}

const STILL_LOADING = 'The page was still loading scripts when its content was read.'

/** Tests for a page that waits for scripts of its document, and of which nothing else is wanted than what is there. */
const hasOnlyToLoad = ({ documents, page }: OpenPage, { browserPlan }: RenderOptions): boolean =>
  !documents.isParsed &&
  browserPlan.waitForMs === 0 &&
  !hasActionsOrCaptures(browserPlan) &&
  page.mainFrame().childFrames().length === 0

/** Tests for code that changes the page. */
const runsCode = ({ actions, scripts }: BrowserPlan): boolean => actions.length > 0 || scripts !== undefined

async function renderGuarded(task: RenderTask, guard: ScriptGuard): Promise<RenderedPage | Declined> {
  const { opened, options } = task
  const { url, browserPlan, limits, leftMs, signal } = options
  const recorder = browserPlan.expand?.recordsAnswers === true ? await recordAnswers(opened) : undefined
  const declined = await loadDocument(opened, url, leftMs(), signal)
  if (declined) return declined
  const settled = await settle(task)
  const { documents, left } = opened
  left.isActing =
    browserPlan.scripts !== undefined || browserPlan.actions.some((action) => traitsOf(action).isPassive !== true)
  const actions =
    browserPlan.actions.length > 0
      ? await runActions(
          browserPlan.actions,
          task.context,
          { maxBytes: limits.bodyBytes, env: options.env, typed: options.typed, askedUrl: url },
          options.clock,
        )
      : undefined
  const problems = browserPlan.scripts && (await runScripts(browserPlan.scripts, task.context, options.clock))
  const { stage } = guard
  guard.stage = 'acting'
  left.isActing = browserPlan.expand !== undefined
  const growth = browserPlan.expand && (await expandPage(task, { ...browserPlan.expand, recorder }))
  left.isActing = false
  guard.stage = stage
  assertReceived(opened)
  const isWhole = documents.isParsed || !documents.hasEnded
  const loadWarning = await untilAborted(describeLoading(opened), signal)
  if (guard.stage === 'loading') guard.stage = 'reading'
  const rendered = await readRendered(task, settled)
  if ('declined' in rendered) return rendered
  const whole = isWhole ? rendered : await preferSource(task, rendered)
  const { isEndless, encodingWarning } = settled
  // The encoding of a source is guessed when it is read.
  const guessed = whole === rendered ? encodingWarning : undefined
  return await describePage(task, whole, { isEndless, loadWarning, guessed, actions, growth, problems })
}

/** Share of the time that is left in which the tree of a page without scripts becomes complete, and then is read. */
const STOPPED_SHARE = 0.3

/**
 * Reads a page that was stopped: as far as its tree goes, or the source that was received where it has more text or
 * the tree cannot be read. Undefined if there is neither.
 */
async function renderStopped(task: RenderTask, loadWarning: string): Promise<RenderedPage | undefined> {
  const { opened, options } = task
  const { leftMs, signal } = options
  using parsing = withTimeout(signal, leftMs() * STOPPED_SHARE)
  await untilLoaded(opened, 'domcontentloaded', parsing.signal).catch(() => signal.throwIfAborted())
  using reading = withTimeout(signal, leftMs() * STOPPED_SHARE)
  const rendered = await untilAborted(read(task), reading.signal).catch(() => undefined)
  signal.throwIfAborted()
  const found = await preferSource(task, rendered)
  if (!found) return undefined
  return await describePage(task, found, { isEndless: false, loadWarning, isStopped: true })
}

/**
 * Waits until the page has settled and no challenge is shown, loads the parts that load in view or for a visitor, and
 * waits for `waitFor`.
 */
async function settle(task: RenderTask): Promise<Settled> {
  const { opened, options, settling } = task
  const { browserPlan, leftMs, signal } = options
  const needsRendering = hasActionsOrCaptures(browserPlan)
  if (needsRendering) await waitForResources(task)
  let quiet = await settlePage(settling)
  const { isReloaded, warning: encodingWarning } = await correctEncoding(opened, leftMs, signal)
  if (isReloaded) {
    if (needsRendering) await waitForResources(task)
    quiet = await settlePage(settling)
  }
  if (quiet.awaitsVisitor) quiet = await showVisitor(settling, quiet, !runsCode(browserPlan))
  let { hasMore } = quiet
  // Each check costs a round trip. A page of status 200 is therefore checked on the HTML that is read anyway, unless
  // actions or captures come first.
  const isChecked = needsRendering || opened.documents.answers.at(-1)?.status() !== 200
  if (isChecked && (await waitForChallenge(toChallenged(task), settling, leftMs()))) hasMore = true
  const isEndless = hasMore && (await loadLazyParts(settling))
  if (needsRendering) await hideAds(task)
  if (browserPlan.waitForMs > 0) {
    await pause(browserPlan.waitForMs, signal)
    await settlePage(settling)
  }
  return { isEndless, isChecked, encodingWarning }
}

const toChallenged = ({ opened, options }: RenderTask): ChallengedPage => ({
  opened,
  url: options.url,
  maxRedirects: options.limits.redirects,
})

/**
 * Reads the page. Reads it again after a challenge has passed, a placeholder was replaced or a consent question was
 * answered.
 */
async function readRendered(task: RenderTask, { isChecked }: Settled): Promise<Rendered | Declined> {
  const { opened, options, settling } = task
  const { browserPlan, filter, leftMs, signal } = options
  const needsRendering = hasActionsOrCaptures(browserPlan)
  let rendered = await read(task)
  if (isBinaryAsHtml(rendered.html[0] ?? '')) return { declined: 'received a file that the server declares to be HTML' }
  if (!isChecked && showsPassableChallenge(toChallenged(task), rendered.body)) {
    if (await waitForChallenge(toChallenged(task), settling, leftMs())) rendered = await read(task)
  }
  if (!needsRendering && browserPlan.waitForMs === 0) rendered = await readPastPlaceholder(task, rendered)
  if (needsRendering || !filter || !(await mayAskConsent(filter, rendered.html))) return rendered
  if (!(await filter.answerConsent(opened, signal))) return rendered
  await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  return await read(task)
}

/** Returns a warning of a page whose tree is not complete. */
async function describeLoading({ documents, world }: OpenPage): Promise<string | undefined> {
  if (documents.isParsed) return undefined
  if (await hasStopped(world)) {
    // The tree may have become complete meanwhile.
    return documents.isParsed
      ? undefined
      : 'A script of the page ended its loading: the rest of the page may be missing.'
  }
  return documents.hasEnded ? STILL_LOADING : undefined
}

/**
 * Returns the source of a page in place of its tree if it has more text: a script that does not load keeps what follows it
 * out of the tree.
 */
async function preferSource<Read extends Rendered | undefined>(
  { opened, options }: RenderTask,
  rendered: Read,
): Promise<Rendered | Read> {
  const { documents } = opened
  const { browserPlan, limits, signal } = options
  if (rendered && runsCode(browserPlan)) return rendered
  const source = await untilAborted(documents.answers.at(-1)?.body() ?? Promise.reject(), signal).catch(() => undefined)
  signal.throwIfAborted()
  if (source === undefined || source.length > limits.bodyBytes) return rendered
  for (const body of [source, rendered?.body ?? source]) await scanPageTextInParts(body)
  return rendered && !hasMoreText(source, rendered.body) ? rendered : { html: [], body: source, lostFrames: 0 }
}

/** A word across the end of a piece is shorter on both sides. Characters. */
const OVERLAP = 20

async function mayAskConsent(filter: RequestFilter, html: readonly string[]): Promise<boolean> {
  let end = ''
  for (const piece of html) {
    if (filter.mayAskConsent(piece) || filter.mayAskConsent(end + piece.slice(0, OVERLAP))) return true
    end = piece.slice(-OVERLAP)
    await yieldIfHeld()
  }
  return false
}

async function read({ readHtml, opened, options }: RenderTask): Promise<Rendered> {
  const { pieces: html, lostFrames } = await readHtml()
  const unseen = await listUnseen(opened, options)
  await yieldTurn()
  const body = await encode(html)
  // Asked for by the checks for a challenge and for a placeholder.
  await scanPageTextInParts(body, maxShellText(opened.documents.answers.at(-1)?.status() ?? 200))
  return { html, body, lostFrames, unseen }
}

/**
 * Encodes HTML as UTF-8 with a byte order mark, which takes precedence over the charset of the `Content-Type` header.
 * The mark is written as bytes: joining it to the string copies megabytes and takes five times as long as encoding.
 */
async function encode(html: readonly string[]): Promise<Uint8Array> {
  const parts: Buffer[] = [BOM]
  for (const piece of html) {
    parts.push(Buffer.from(piece))
    await yieldIfHeld()
  }
  return await concatBytes(parts)
}

const BOM = Buffer.from('\uFEFF')

async function readPastPlaceholder(task: RenderTask, first: Rendered): Promise<Rendered> {
  const { leftMs, signal } = task.options
  const hasTime = (): boolean => leftMs() > PLACEHOLDER_POLL_MS * 4
  let latest = first
  for (let reads = 0; reads < MAX_PLACEHOLDER_READS && hasTime() && isLoadingPlaceholder(latest.body); reads++) {
    await pause(PLACEHOLDER_POLL_MS, signal)
    await settlePage(task.settling)
    latest = await read(task)
  }
  return latest
}

async function waitForResources({ opened, options }: RenderTask): Promise<void> {
  const { leftMs, signal } = options
  using bound = withTimeout(signal, Math.min(MAX_LOAD_MS, leftMs()))
  await untilLoaded(opened, 'load', bound.signal).catch(() => signal.throwIfAborted())
}

/** Answers consent questions and hides advertisements before actions and captures. */
async function hideAds({ opened, options, settling }: RenderTask): Promise<void> {
  const { page, world } = opened
  const { filter, signal } = options
  if (!filter) return
  if (await filter.answerConsent(opened, signal)) await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  const names = await untilAborted(world.call(pageFunction('listIdsAndClasses'), undefined), signal)
  const content = filter.styleFor(page.url(), names)
  if (content === undefined) return
  // A page that navigates meanwhile shows its advertisements.
  await untilAborted(world.call(pageFunction('addStyle'), content), signal).catch(() => signal.throwIfAborted())
}

interface Findings {
  readonly isEndless: boolean
  /** Set if the tree of the page was incomplete. */
  readonly loadWarning?: string
  /** Set if the encoding of the page was guessed. */
  readonly guessed?: string
  readonly actions?: RawActionResults
  readonly growth?: ListGrowth
  /** Warnings of scripts of features. */
  readonly problems?: readonly string[]
  /** True if the page runs no scripts any more: nothing is asked of it. */
  readonly isStopped?: boolean
}

async function describePage(
  task: RenderTask,
  { body, lostFrames, unseen }: Rendered,
  { isEndless, loadWarning, guessed, actions, growth, problems = [], isStopped = false }: Findings,
): Promise<RenderedPage> {
  const { opened, options, context } = task
  const { documents, left, proxy } = opened
  const { url, browserPlan, limits, filter, signal } = options
  const shown = findShownResponse(opened, url, limits.redirects)
  const more = growth || isStopped ? undefined : isEndless ? 'scroll' : await untilAborted(findMore(opened), signal)
  const captures = isStopped
    ? {}
    : await untilAborted(takeCaptures(browserPlan.captures, options.captures, context), signal)
  const headers = await untilAborted(shown.allHeaders(), signal)
  await untilAborted(left.settle(), signal)
  const leftPages = left.read(documents)
  const warnings = [
    opened.warnings,
    opened.windows?.describe() ?? [],
    more === undefined ? [] : moreWarnings[more],
    (growth && warnOfGrowth(growth)) ?? [],
    loadWarning ?? [],
    guessed ?? [],
    problems.map(toSentence),
    lostFrames > 0 ? warnOfFrames(lostFrames) : [],
    filter?.problems ?? [],
    proxy.isExhausted ? 'The page requested more than `limits.wireBytes`; the rest was not loaded.' : [],
  ].flat()
  const isCaptured = Object.keys(captures).length > 0
  return {
    ...describeResponse(shown, headers, documents, url),
    body,
    unseen,
    fetchedAtMs: options.now(),
    leftPages: leftPages.length > 0 ? leftPages : undefined,
    browserWaitMs: isStopped ? 0 : browserPlan.waitForMs,
    warnings: warnings.length > 0 ? warnings : undefined,
    growth,
    actions,
    captures: isCaptured ? captures : undefined,
    capturePlan: isCaptured ? browserPlan.captures : undefined,
  }
}

const warnOfFrames = (lost: number): string =>
  `The content of ${lost === 1 ? 'a frame' : `${lost} frames`} is missing: it could not be read.`

/**
 * Finds signs that a list is incomplete. A page that fails to answer gets no warning, because its content has already
 * been read.
 */
const findMore = ({ world }: OpenPage): Promise<MoreSign | undefined> =>
  world.call(pageFunction('findMore'), undefined).catch(() => undefined)

/**
 * Length of the start of a page in which `<body>` is searched for, and of the start of its body in which control
 * characters are counted. Characters.
 */
const START_LENGTH = 20_000
const SAMPLE_LENGTH = 2000
/**
 * Maximum share of control characters in text. In compressed data about a tenth of all bytes are control characters.
 */
const MAX_CONTROLS = 0.03

// oxlint-disable-next-line no-control-regex -- these never occur in text
const CONTROLS = /[\x01-\x08\x0b\x0e-\x1f\x7f]/g

/**
 * Tests whether a browser shows the bytes of a binary file as an HTML page. It does so when a server declares a PDF
 * file or an image to be HTML.
 */
export function isBinaryAsHtml(html: string): boolean {
  const start = html.slice(0, START_LENGTH)
  const at = start.search(/<body[\s>]/i)
  if (at === -1) return false
  const text = start
    .slice(at)
    .replace(/^<body[^>]*>/i, '')
    .trimStart()
  if (/^%PDF-\d|^\{\\rtf\d|^%!PS-Adobe/.test(text)) return true
  const sample = text.slice(0, SAMPLE_LENGTH)
  const controls = sample.match(CONTROLS)?.length ?? 0
  return controls > 8 && controls > sample.length * MAX_CONTROLS
}

/** Takes the captures of a plan, in the order of their formats. */
async function takeCaptures(plan: CapturePlan, known: CapturesByType, context: BrowserPageContext): Promise<Captures> {
  const taken: [string, unknown][] = []
  for (const [type, capture] of known) {
    const options = plan[type]
    if (options !== undefined) taken.push([type, await capture.take(context, options)])
  }
  return Object.fromEntries(taken)
}
