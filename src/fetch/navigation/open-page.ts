import { randomUUID } from 'node:crypto'
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright'
import { TrawlError } from '../../errors.js'
import { withoutCredentials } from '../../url.js'
import { type AdGuard, createAdGuard } from '../ad-block/ad-guard.js'
import { type BrowserPlan, hasActionsOrCaptures } from '../browser-plan.js'
import type { Dial } from '../dial.js'
import { type DocumentWatch, isMainDocumentRequest, watchDocuments } from '../browser-page/document-watch.js'
import {
  defaultEmulation,
  buildUserAgentOverride,
  buildHiddenPageMetrics,
  buildContextOptions,
} from '../identity/emulation.js'
import type { FetchLimits, FetchPlan, UsageMeter } from '../fetcher.js'
import { checkHeaderSize } from '../network/header-limit.js'
import { interceptRequests } from '../browser-page/intercept-requests.js'
import { createIsolatedWorld, type IsolatedWorld } from '../browser-page/isolated-world.js'
import type { RunningBrowser } from '../browser-process/launch-browser.js'
import { type NetworkWatch, watchNetwork } from './network-watch.js'
import { pageFunction } from '../../injected/page-functions.js'
import { openPageProxy, type PageProxy } from '../network/page-proxy.js'
import type { StorageState } from '../profiles/profile.js'
import { readCallerHeaders } from '../identity/caller-headers.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { setCookies, describeSkippedCookies } from '../profiles/set-cookies.js'
import { sendHeaders, watchOrigins } from '../browser-page/send-headers.js'

/** A page of the browser, set up and still empty. */
export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly proxy: PageProxy
  readonly network: NetworkWatch
  readonly documents: DocumentWatch
  readonly monitorName: string
  readonly world: IsolatedWorld
  /** Origins of all documents that the page had, frames included, as far as they are http or https. */
  readonly origins: ReadonlySet<string>
  readonly warnings: readonly string[]
}

export interface OpenPageOptions {
  readonly url: URL
  readonly plan: FetchPlan
  readonly browserPlan: BrowserPlan
  readonly running: RunningBrowser
  readonly dial: Dial
  readonly limits: FetchLimits
  /** The engine's, where it was given one. */
  readonly userAgent: string | undefined
  readonly filter: RequestFilter | undefined
  /** What the page's storage holds at the start. */
  readonly storage: StorageState | undefined
  readonly meter: UsageMeter | undefined
  /** Ends the page: it crashed, or is too large. */
  readonly fail: (error: Error) => void
  /** Told of everything that must be closed, as soon as it is open. */
  readonly own: (close: () => void | Promise<void>) => void
}

/** Opens a context with one page in it, under all rules that hold for the page: nothing of the web is loaded yet. */
export async function openPage(options: OpenPageOptions): Promise<OpenPage> {
  const { url, plan, browserPlan, running, limits, fail, own } = options
  const { emulation = defaultEmulation } = plan
  const caller = readCallerHeaders(url, plan)
  const agent = buildUserAgentOverride(running, emulation, caller.userAgent ?? options.userAgent)

  let guard: AdGuard | undefined
  const proxy = await openPageProxy({
    dial: options.dial,
    admits: async (hostname) => (await guard?.admits(hostname)) ?? true,
    wireBytes: limits.wireBytes,
    meter: options.meter,
    otherUser: running.user,
  })
  own(() => proxy.close())
  const context = await running.browser.newContext({
    ...buildContextOptions(emulation, agent),
    ...(options.storage === undefined ? {} : { storageState: { cookies: [], origins: options.storage.origins } }),
    ignoreHTTPSErrors: plan.skipTlsVerification,
    acceptDownloads: false,
    // They would outlive the page that they are for, and answer for the site.
    serviceWorkers: 'block',
    // Loopback is no exception: what is refused there is for the policy to say.
    proxy: { server: proxy.server, bypass: '<-loopback>' },
  })
  own(() => context.close())
  context.setDefaultTimeout(0)
  const monitorName = `_${randomUUID().replaceAll('-', '')}`
  await context.addInitScript(pageFunction('installActivityMonitor'), monitorName)
  // The switches that keep what they send to the page's proxy are those of a browser that was started here.
  if (!running.isOwn) await context.addInitScript(pageFunction('removePeerConnections'))
  const page = await context.newPage()
  const documents = watchDocuments(page)
  page.on('response', (response) => {
    options.meter?.sent()
    // Of what a page loads beside itself the browser takes no more than 256 KiB of headers.
    if (!isMainDocumentRequest(page, response.request())) return
    const answered = Object.entries(response.headers())
    const fault = checkHeaderSize(answered, limits.headerBytes, new URL(response.url()))
    if (fault) fail(fault)
  })
  const origins = new Set<string>()
  page.on('framenavigated', (frame) => {
    const { origin } = new URL(frame.url(), 'about:blank')
    if (origin.startsWith('http') && origins.size < MAX_WATCHED) origins.add(origin)
  })
  page.on('crash', () => fail(new Error('The page crashed')))
  // A page is one page: what it opens beside itself would load without bounds. Its dialogs Playwright dismisses.
  context.on('page', (other) => void other.close().catch(() => undefined))
  const pageUrl = (): string => documents.answers.at(-1)?.url() ?? url.href
  const session = await context.newCDPSession(page)
  if (options.filter) guard = createAdGuard(page, session, options.filter, pageUrl)
  const refused = await setCookies(context, [...(options.storage?.cookies ?? []), ...caller.cookies])
  const mainUrls = (): string[] => [pageUrl(), ...(documents.latest ? [documents.latest.url()] : [])]
  const senderOrigins = caller.sends.length > 0 ? await watchOrigins(session, mainUrls) : undefined
  const senders = senderOrigins
    ? caller.sends.map(({ scope, headers }) => sendHeaders(scope, headers, senderOrigins))
    : []
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', agent),
    session.send('Emulation.setAutomationOverride', { enabled: emulation.isAnonymous !== true }),
    // Playwright's touch screens know one finger.
    emulation.mobile && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    !hasActionsOrCaptures(browserPlan) &&
      session.send('Emulation.setDeviceMetricsOverride', buildHiddenPageMetrics(emulation)),
    limitBytes(session, limits.bodyBytes, fail),
    interceptRequests(session, [...(guard ? [guard] : []), ...senders]),
  ])
  watchFrames(page, async (frame) => {
    const ofFrame = await context.newCDPSession(frame)
    await Promise.all([limitBytes(ofFrame, limits.bodyBytes, fail), guard && interceptRequests(ofFrame, [guard])])
  })
  const network = watchNetwork(page, hasActionsOrCaptures(browserPlan))
  page.on('requestfailed', (request) => {
    // What a page loads beside itself it may do without.
    if (!proxy.isExhausted || !isMainDocumentRequest(page, request)) return
    const message = `The page is larger than \`limits.wireBytes\` (${limits.wireBytes} bytes)`
    fail(new TrawlError('SCRAPE_BODY_TOO_LARGE', message, { url: withoutCredentials(url).href }))
  })
  const world = createIsolatedWorld(session, monitorName)
  return {
    page,
    context,
    proxy,
    network,
    documents,
    monitorName: monitorName,
    world,
    origins,
    warnings: describeSkippedCookies(refused),
  }
}

async function limitBytes(session: CDPSession, bodyBytes: number, fail: (error: Error) => void): Promise<void> {
  const received = new Map<string, number>()
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const bytes = (received.get(requestId) ?? 0) + dataLength
    received.set(requestId, bytes)
    if (bytes <= bodyBytes) return
    const message = `A body is larger after decompression than \`limits.bodyBytes\` (${bodyBytes} bytes)`
    fail(new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', message))
  })
  session.on('Network.loadingFinished', ({ requestId }) => received.delete(requestId))
  session.on('Network.loadingFailed', ({ requestId }) => received.delete(requestId))
  await session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 })
}

/** Frames of one page, in processes of their own, that are watched: more are not made for reading. */
const MAX_WATCHED = 50

/**
 * A frame of another site may have a process of its own, which the page's session does not tell of.
 *
 * @param watch rejects for a frame that has none, or is gone
 */
function watchFrames(page: Page, watch: (frame: Frame) => Promise<void>): void {
  const watched = new WeakMap<Frame, string>()
  let count = 0
  page.on('framenavigated', (frame) => {
    const { origin } = new URL(frame.url(), 'about:blank')
    if (frame === page.mainFrame() || watched.get(frame) === origin || count >= MAX_WATCHED) return
    watched.set(frame, origin)
    watch(frame).then(
      () => (count += 1),
      () => undefined,
    )
  })
}
