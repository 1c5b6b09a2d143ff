import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../errors.js'
import { withTimeout } from '../../concurrency/deadline.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { isCrash } from '../browser-page/browser-errors.js'
import type { BrowserPageContext } from '../browser-page.js'
import type { BrowserPlan } from '../browser-plan.js'
import { describeResponse, findShownResponse } from '../navigation/describe-response.js'
import type { OpenPage } from '../navigation/open-page.js'
import { type SettleOptions, settlePage } from '../navigation/settle-page.js'
import { readPageHtml } from './read-page-html.js'

export interface VisitOptions {
  /** The URL that was requested, without credentials. */
  readonly url: URL
  readonly browserPlan: BrowserPlan
  /** Redirects, and bytes of the page's HTML. */
  readonly limits: { readonly redirects: number; readonly bodyBytes: number }
  /** Time until the page's deadline. Milliseconds, at least 1. */
  readonly leftMs: () => number
  /** For a page with `blockAds`. */
  readonly filter: RequestFilter | undefined
  readonly now: () => number
  readonly signal: AbortSignal
}

/** A page that is open in the browser, and the options that it is read with. */
export interface BrowserVisit {
  readonly opened: OpenPage
  readonly options: VisitOptions
  readonly settling: SettleOptions
  readonly context: BrowserPageContext
}

/** After an action, a page is given less time to settle than after it was loaded. Milliseconds. */
export const ACTION_SETTLE_MS = 3_000
/** The effect of an action, e.g. a form that is sent, begins a moment after it. Milliseconds. */
const ACTION_EFFECT_MS = 100
/** Limit for the navigation that an action began. Milliseconds. */
const MAX_NAVIGATION_MS = 10_000
/** A page may navigate while it is read: it is read at most so often. */
const MAX_READINGS = 4

export function createVisit(opened: OpenPage, options: VisitOptions): BrowserVisit {
  const { page, world, network, monitorName } = opened
  const { signal, leftMs } = options
  const settling = { page, world, network, monitorName, signal }
  const context: BrowserPageContext = {
    page,
    signal,
    leftMs,
    settle: () => settleAfterAction(opened, settling),
    readHtml: () => untilAborted(readHtml(opened, options, settling), signal),
  }
  return { opened, options, settling, context }
}

/** Waits for a time. Rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

async function settleAfterAction({ documents }: OpenPage, settling: SettleOptions): Promise<void> {
  const { signal } = settling
  await pause(ACTION_EFFECT_MS, signal)
  await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  if (!documents.isLeaving) return
  using bound = withTimeout(signal, MAX_NAVIGATION_MS)
  await documents.untilArrived(bound.signal)
  await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
}

async function readHtml(opened: OpenPage, options: VisitOptions, settling: SettleOptions): Promise<string> {
  const { page, documents, world } = opened
  const { url: asked, limits } = options
  for (let readings = 1; ; readings++) {
    try {
      const shown = findShownResponse(documents, asked, page.url(), limits.redirects)
      const { url } = describeResponse(shown, {}, documents, asked)
      return await readPageHtml(page, world, { url, maxLength: limits.bodyBytes })
    } catch (error) {
      if (error instanceof TrawlError || readings === MAX_READINGS || page.isClosed() || isCrash(error)) throw error
      await settlePage(settling)
    }
  }
}
