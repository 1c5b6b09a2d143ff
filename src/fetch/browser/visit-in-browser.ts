import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../errors.js'
import { waitForChallenge, isGuarded } from '../challenge/wait-for-challenge.js'
import { isCrash } from '../browser-page/browser-errors.js'
import type { PageContext } from '../browser-page.js'
import { type BrowserPlan, hasActionsOrCaptures } from '../browser-plan.js'
import { withTimeout } from '../../concurrency/deadline.js'
import { describeAnswer, findShown } from '../navigation/describe-answer.js'
import type { FetchedPage } from '../fetched-page.js'
import type { Declined } from '../fetcher.js'
import { loadDocument } from '../navigation/load-document.js'
import type { OpenPage } from '../navigation/open-page.js'
import { pageFunction } from '../../injected/page-functions.js'
import { isLoadingPlaceholder } from '../rendering/scan-page-text.js'
import { readPageHtml } from './read-page-html.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { runActions } from './run-actions.js'
import { showsBytes } from './shows-bytes.js'
import { loadLazyParts, settlePage } from '../navigation/settle-page.js'
import { takeCaptures } from './take-captures.js'
import { type MoreSign, moreWarnings } from '../../text/more-of-list.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

export interface VisitOptions {
  /** The URL asked for, without credentials. */
  readonly url: URL
  readonly browserPlan: BrowserPlan
  /** Redirects, and bytes of the page's HTML. */
  readonly limits: { readonly redirects: number; readonly bodyBytes: number }
  /** How much of the page's time is left. Milliseconds, at least 1. */
  readonly leftMs: () => number
  /** For a page with `blockAds`. */
  readonly filter: RequestFilter | undefined
  readonly now: () => number
  readonly signal: AbortSignal
}

/** How long pictures and the like may hold up a page that wants to be seen. Milliseconds. */
const MAX_LOAD_MS = 5_000
/** After an action, a page is given less time to settle than after it was loaded. Milliseconds. */
const ACTION_SETTLE_MS = 3_000
/** What an action sets off, e.g. the sending of a form, begins a moment after it. Milliseconds. */
const MOMENT_MS = 100
/** Another page that an action leads to may take so long to come. Milliseconds. */
const MAX_ARRIVAL_MS = 10_000
/**
 * Between the arrival of a script and what it asks for, a busy machine may leave a page alone for longer than the automatic
 * wait takes for rest. One that shows no more than a word of patience is looked at so often again.
 */
const MAX_LOOKS = 4
const LOOK_MS = 250
/** A page may go elsewhere while it is read; so often it is read again. */
const MAX_READINGS = 4

/**
 * Loads a page into an open one, lets it become what it is to be, and takes its content.
 *
 * @returns a page without its `fetcher`; declined for what is not HTML
 * @throws TrawlError; what Playwright throws when the page or its browser is gone; the signal's reason
 */
export async function visitInBrowser(
  opened: OpenPage,
  options: VisitOptions,
): Promise<Omit<FetchedPage, 'fetcher'> | Declined> {
  const { page, network, documents, notesName, world, proxy } = opened
  const { url, browserPlan, limits, filter, leftMs, signal } = options
  const settling = { page, world, network, notesName, signal }
  const pass = (): Promise<boolean> => waitForChallenge(opened, url, limits.redirects, settling, leftMs())
  const isLookedAt = hasActionsOrCaptures(browserPlan)

  const loaded = await loadDocument(opened, url, leftMs(), signal)
  if ('declined' in loaded) return loaded
  if (isLookedAt) await awaitPictures()
  let hasMore = await settlePage(settling)
  // A page of status 200 is asked only when it is read, unless that is too late: each question costs a round trip.
  const isAsked = isLookedAt || documents.answers.at(-1)?.status() !== 200
  if (isAsked && (await pass())) hasMore = true
  const isEndless = hasMore && (await loadLazyParts(settling))
  if (isLookedAt) await clearView()
  if (browserPlan.waitForMs > 0) await waitLonger()

  const stage: PageContext = {
    page,
    signal,
    leftMs,
    settle: settleAgain,
    readHtml: () => untilAborted(readHtml(), signal),
  }
  const actions =
    browserPlan.actions.length > 0 ? await runActions(browserPlan.actions, stage, limits.bodyBytes) : undefined
  let html = await stage.readHtml()
  if (showsBytes(html)) return { declined: 'shows the bytes of a file as a page' }
  if (!isAsked && isGuarded(opened, url, limits.redirects, html) && (await pass())) html = await stage.readHtml()
  if (!isLookedAt && browserPlan.waitForMs === 0) html = await untilShown(html)
  if (!isLookedAt && filter?.mayAskConsent(html) && (await filter.answerConsent(page, signal))) {
    await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
    html = await stage.readHtml()
  }
  const shown = findShown(documents, url, page.url(), limits.redirects)
  const more = isEndless ? 'scroll' : await untilAborted(askForMore(), signal)
  const captures = await untilAborted(takeCaptures(browserPlan.captures, stage), signal)
  const headers = await untilAborted(shown.allHeaders(), signal)
  const warnings = [
    opened.warnings,
    more === undefined ? [] : moreWarnings[more],
    loaded.warning ?? [],
    filter?.problems ?? [],
    proxy.isExhausted ? 'The page asked for more than `limits.wireBytes`, and was given no more.' : [],
  ].flat()
  return {
    ...describeAnswer(shown, headers, documents, url),
    // A byte order mark says what the text is in, whatever the header says of what the server sent.
    body: new TextEncoder().encode(`\uFEFF${html}`),
    fetchedAtMs: options.now(),
    browserWaitMs: browserPlan.waitForMs,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(actions ? { actions } : {}),
    ...(Object.keys(captures).length > 0 ? { captures, capturePlan: browserPlan.captures } : {}),
  }

  /** The content has come in by now: a page that cannot be asked has no warning. */
  async function askForMore(): Promise<MoreSign | undefined> {
    return await world.call(pageFunction('findMore'), undefined).catch(() => undefined)
  }

  async function untilShown(first: string): Promise<string> {
    let latest = first
    for (let looks = 0; looks < MAX_LOOKS && leftMs() > LOOK_MS * 4 && isLoadingPlaceholder(latest); looks++) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
      await settlePage(settling)
      latest = await stage.readHtml()
    }
    return latest
  }

  async function settleAgain(): Promise<void> {
    await sleep(MOMENT_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
    if (!documents.isLeaving) return
    using bound = withTimeout(signal, MAX_ARRIVAL_MS)
    await documents.untilArrived(bound.signal)
    await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  }

  /** Takes away what would lie over the page, or on it, for who looks at it. */
  async function clearView(): Promise<void> {
    if (!filter) return
    if (await filter.answerConsent(page, signal)) await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
    const content = filter.styleFor(
      page.url(),
      await untilAborted(world.call(pageFunction('listIdsAndClasses'), undefined), signal),
    )
    // A page that forbids styles of others keeps its advertisements in view.
    if (content !== undefined) await untilAborted(page.addStyleTag({ content }), signal).catch(() => undefined)
    signal.throwIfAborted()
  }

  async function awaitPictures(): Promise<void> {
    const loading = page.waitForLoadState('load', { timeout: Math.min(MAX_LOAD_MS, leftMs()) })
    await untilAborted(loading, signal).catch(() => signal.throwIfAborted())
  }

  async function waitLonger(): Promise<void> {
    await sleep(browserPlan.waitForMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    await settlePage(settling)
  }

  async function readHtml(): Promise<string> {
    for (let readings = 1; ; readings++) {
      try {
        const { url: at } = describeAnswer(findShown(documents, url, page.url(), limits.redirects), {}, documents, url)
        return await readPageHtml(page, world, { url: at, maxLength: limits.bodyBytes })
      } catch (error) {
        if (error instanceof TrawlError || readings === MAX_READINGS || page.isClosed() || isCrash(error)) throw error
        await settlePage(settling)
      }
    }
  }
}
