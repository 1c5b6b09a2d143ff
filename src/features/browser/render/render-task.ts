import type { Variables } from '../../../base/runtime/ask-secret.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../../base/errors.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import type { PageClock } from '../../../base/concurrency/pausable-clock.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { isCrash } from '../page/browser-errors.js'
import type { BrowserPageContext } from '../browser-page.js'
import { takeScreenshot } from '../page/take-screenshot.js'
import type { CapturesByType } from '../../../kernel/fetch/capture.js'
import type { BrowserPlan } from '../../../kernel/fetch/browser-plan.js'
import { describeResponse, findShownResponse } from '../navigation/describe-response.js'
import { showUnshown } from '../navigation/load-document.js'
import type { OpenPage } from '../navigation/open-page.js'
import { type SettleOptions, settlePage } from '../navigation/settle-page.js'
import { type PageHtml, readPageHtml } from './read-page-html.js'

export interface RenderOptions {
  /** The URL that was requested, without credentials. */
  readonly url: URL
  readonly browserPlan: BrowserPlan
  /** Maximum number of redirects, and maximum size of the page's HTML in bytes. */
  readonly limits: { readonly redirects: number; readonly bodyBytes: number }
  /** Time until the page's deadline. Milliseconds, at least 1. */
  readonly leftMs: () => number
  /** The page's clock. */
  readonly clock: PageClock
  /** The filter of a page with `blockAds`; undefined for other pages. */
  readonly filter: RequestFilter | undefined
  /** Captures that the plan may name. */
  readonly captures: CapturesByType
  readonly now: () => number
  /** Variables that secrets of actions name. */
  readonly env?: Variables
  /** Secrets that were filled in so far. */
  readonly typed?: Set<string>
  readonly signal: AbortSignal
}

/** An open page of the browser, with the options and tools for reading it. */
export interface RenderTask {
  readonly opened: OpenPage
  readonly options: RenderOptions
  readonly settling: SettleOptions
  readonly context: BrowserPageContext
  /** Reads the page's HTML as {@link readPageHtml} does. */
  readonly readHtml: () => Promise<PageHtml>
}

/** Limit of the automatic wait after an action; after loading it is longer. Milliseconds. */
export const ACTION_SETTLE_MS = 3_000
/**
 * Delay before the wait after an action, because its effects, such as the request of a form, do not begin at once.
 * Milliseconds.
 */
const ACTION_EFFECT_MS = 100
/** Timeout for a navigation that an action started. Milliseconds. */
const MAX_NAVIGATION_MS = 10_000
/** Maximum attempts to read a page, which fail when it navigates meanwhile. */
const MAX_READ_ATTEMPTS = 4

/** @param withFrames false to leave out the documents in frames */
export function createRenderTask(opened: OpenPage, options: RenderOptions, withFrames = true): RenderTask {
  const { page, world, pageWorld, network, monitorName } = opened
  const readable = withFrames ? opened : { ...opened, openFrames: () => undefined }
  const { signal, leftMs } = options
  const readHtml = () => untilAborted(readShownHtml(readable, options, settling), signal)
  const settling = { page, world, network, monitorName, leftMs, signal }
  const context: BrowserPageContext = {
    page,
    world,
    pageWorld,
    signal,
    leftMs,
    settle: () => settleAfterAction(opened, settling),
    readHtml: async () => (await readHtml()).pieces.join(''),
    takeScreenshot: (how) => takeScreenshot(context, how),
  }
  return { opened, options, settling, context, readHtml }
}

/** Waits for a time. Rejects with the signal's reason when it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

async function settleAfterAction({ documents }: OpenPage, settling: SettleOptions): Promise<void> {
  const { signal } = settling
  await pause(ACTION_EFFECT_MS, signal)
  await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
  if (!documents.isNavigating) return
  using bound = withTimeout(signal, MAX_NAVIGATION_MS)
  await documents.untilArrived(bound.signal)
  await settlePage({ ...settling, maxMs: ACTION_SETTLE_MS })
}

async function readShownHtml(opened: OpenPage, options: RenderOptions, settling: SettleOptions): Promise<PageHtml> {
  const { page, documents } = opened
  const { url: requestedUrl, limits } = options
  for (let attempts = 1; ; attempts++) {
    try {
      await showUnshown(opened, options.signal)
      const shown = findShownResponse(opened, requestedUrl, limits.redirects)
      const { url, contentType } = describeResponse(shown, shown.headers(), documents, requestedUrl)
      const html = await readPageHtml(opened, { url, maxLength: limits.bodyBytes, contentType })
      // The page may have gone on meanwhile, and what was read is a page of the browser.
      if (documents.unshown !== undefined && attempts < MAX_READ_ATTEMPTS) continue
      findShownResponse(opened, requestedUrl, limits.redirects)
      return html
    } catch (error) {
      if (error instanceof TrawlError || attempts === MAX_READ_ATTEMPTS || page.isClosed() || isCrash(error))
        throw error
      await settlePage(settling)
    }
  }
}
