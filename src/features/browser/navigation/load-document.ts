import { isHtmlType, joinHeader } from '../../../base/http/header-values.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response, Route } from 'playwright'
import { TrawlError } from '../../../base/errors.js'
import { isWebUrl, parseUrl } from '../../../base/url.js'
import type { IsolatedWorld } from '../browser-page.js'
import { isMainDocumentRequest } from '../page/document-watch.js'
import { isDownload, netErrorOf, toBrowserError } from '../page/browser-errors.js'
import { followSignals } from '../../../base/concurrency/deadline.js'
import type { Declined } from '../../../kernel/fetch/fetcher.js'
import type { OpenPage } from './open-page.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

/**
 * Maximum share of the page's remaining time for which scripts may delay the tree of a document of which no more is received.
 */
const SCRIPT_TIME_SHARE = 0.4
/** Interval of the checks whether a page has stopped its own loading. Milliseconds. */
const STOP_POLL_MS = 250

/**
 * Loads a document until its tree is complete, or has waited too long for a script. Images may still be loading.
 *
 * @returns the reason why the browser cannot show the resource as a page; undefined if it shows it
 * @throws TrawlError with the code that the HTTP fetcher would use; the signal's reason
 */
export async function loadDocument(
  opened: OpenPage,
  url: URL,
  leftMs: number,
  signal: AbortSignal,
): Promise<Declined | undefined> {
  const { page, documents } = opened
  try {
    await untilAborted(page.goto(url.href, { waitUntil: 'commit', timeout: 0 }), signal)
  } catch (error) {
    signal.throwIfAborted()
    if (documents.unshown !== undefined) await showUnshown(opened, signal)
    else return refuseDocument(opened, url, error)
  }
  const type = headerOf(documents.answers.at(-1), 'content-type')
  if (type !== undefined && !isHtmlType(type)) return { declined: `does not show ${type} as a page` }
  await untilParsed(opened, leftMs, signal)
  return undefined
}

/**
 * Waits until the tree of the document is complete, or has waited too long for a script.
 *
 * @throws TrawlError with the code that the HTTP fetcher would use; the signal's reason
 */
export async function untilParsed(opened: OpenPage, leftMs: number, signal: AbortSignal): Promise<void> {
  const { documents, world } = opened
  using bound = followSignals(signal)
  const giveUp = async (): Promise<void> => {
    // A page that stops its own loading has no end for the browser.
    const hasEnded = documents.hasEnded || (await world.evaluate('document.readyState')) !== 'loading'
    if (hasEnded) bound.abort(undefined)
  }
  const patience = setTimeout(() => void giveUp().catch(() => undefined), leftMs * SCRIPT_TIME_SHARE)
  try {
    await untilLoaded(opened, 'domcontentloaded', bound.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!bound.signal.aborted) throw error
  } finally {
    clearTimeout(patience)
  }
  assertReceived(opened)
}

/**
 * Explains why a document was not loaded.
 *
 * @returns the reason why the browser cannot show the resource as a page
 * @throws TrawlError with the code that the HTTP fetcher would use
 */
function refuseDocument({ documents, proxy }: OpenPage, url: URL, error: unknown): Declined {
  if (isDownload(error)) return { declined: 'would download it' }
  const what = netErrorOf(error)
  if (what === undefined) throw error
  const last = documents.latest
  const next = nextHop(last)
  if (next && !isWebUrl(next)) {
    const message = `\`${url.host}\` redirects to a ${next.protocol} address, not to a web page`
    throw new TrawlError('SCRAPE_REDIRECT_ERROR', message, { url: url.href, cause: error })
  }
  const declined = withoutDocument.get(what)
  if (declined !== undefined) return { declined }
  throw toBrowserError(error, next?.href ?? last?.url() ?? url.href, proxy)
}

/**
 * Shows the page's last response as an empty document, if it has an error status and no body. A whole browser shows a page
 * of its own in place of it. The site is not asked again.
 *
 * @throws the signal's reason
 */
export async function showUnshown(opened: OpenPage, signal: AbortSignal): Promise<void> {
  const { unshown } = opened.documents
  // The body must not be empty, or the browser would show its own page again.
  if (unshown) await showAnswer(opened, unshown, { contentType: 'text/html', body: '\n' }, signal)
}

/**
 * Shows a response with another body or type. The site is not asked again.
 *
 * @throws the signal's reason
 */
export async function showAnswer(
  { page }: OpenPage,
  shown: Response,
  { contentType, body }: { readonly contentType: string; readonly body: Buffer | string },
  signal: AbortSignal,
): Promise<void> {
  const kept = Object.entries(shown.headers()).filter(([name]) => !ofBody.has(name))
  const headers = { ...Object.fromEntries(kept), 'content-type': contentType }
  const url = shown.url()
  const pattern = '**/*'
  const answer = async (route: Route, request: Request): Promise<void> => {
    const isDocument = isMainDocumentRequest(page, request) && request.url() === url
    const answered = isDocument ? route.fulfill({ status: shown.status(), headers, body }) : route.fallback()
    await answered.catch(() => undefined)
  }
  await untilAborted(page.route(pattern, answer), signal)
  await untilAborted(page.goto(url, { waitUntil: 'commit', timeout: 0 }), signal)
  await untilAborted(page.unroute(pattern, answer), signal)
}

/** Headers that describe the body of a response. */
const ofBody: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'set-cookie', 'transfer-encoding'])

/**
 * Checks that the shown document was received to its end. A browser shows one that was cut off, or cannot be decoded, as
 * far as it goes.
 *
 * @throws TrawlError with the code that the HTTP fetcher would use
 */
export function assertReceived({ page, documents, proxy }: OpenPage): void {
  const { cutOffBy } = documents
  if (cutOffBy !== undefined)
    throw toBrowserError(new Error(cutOffBy), documents.answers.at(-1)?.url() ?? page.url(), proxy)
}

/**
 * Waits for an event of the document's loading, or until the page has stopped its own loading: a script that calls
 * `window.stop()` or goes to a download ends the document without these events.
 *
 * @throws the signal's reason
 */
export async function untilLoaded(
  { page, documents, world }: OpenPage,
  event: 'domcontentloaded' | 'load',
  signal: AbortSignal,
): Promise<void> {
  using bound = followSignals(signal)
  try {
    const loaded = page.waitForLoadState(event, { timeout: 0 })
    await untilAborted(Promise.race([loaded, untilStopped(bound.signal)]), signal)
  } finally {
    bound.abort(undefined)
  }

  async function untilStopped(ended: AbortSignal): Promise<void> {
    do await sleep(STOP_POLL_MS, undefined, { signal: ended })
    while (documents.isNavigating || (documents.cutOffBy === undefined && !(await hasStopped(world))))
  }
}

/**
 * Tests whether the shown document has ended, by itself or because the page stopped it. False if the page navigates
 * meanwhile, or is gone.
 */
export const hasStopped = async (world: IsolatedWorld): Promise<boolean> =>
  (await world.evaluate('document.readyState').catch(() => undefined)) === 'complete'

/** Responses that a browser shows nothing of, by its names of network errors: those of status 204, 205, 304, and 407. */
const withoutDocument: ReadonlyMap<string | undefined, string> = new Map([
  ['ERR_ABORTED', 'received a response without content'],
  ['ERR_UNEXPECTED_PROXY_AUTH', 'received a response that asks for a log-in to a proxy'],
])

/** Returns the target of a redirect; undefined for any other response. */
function nextHop(answer: Response | undefined): URL | undefined {
  const location = headerOf(answer, 'location')
  return answer && location !== undefined ? parseUrl(location, answer.url()) : undefined
}

/** Returns a header of a response; Playwright joins repeated ones with line breaks. */
function headerOf(answer: Response | undefined, name: string): string | undefined {
  const lines = answer?.headers()[name]
  return lines === undefined ? undefined : joinHeader(name, lines.split('\n'))
}
