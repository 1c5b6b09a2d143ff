import { randomUUID } from 'node:crypto'
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright'
import { TrawlError } from '../../../base/errors.js'
import { withoutCredentials } from '../../../base/url.js'
import { type AdGuard, createAdGuard } from '../ad-block/ad-guard.js'
import { type BrowserPlan, hasActionsOrCaptures } from '../../../kernel/fetch/browser-plan.js'
import type { Dial } from '../../../base/network/dial.js'
import { type DocumentWatch, isMainDocumentRequest, watchDocuments } from '../page/document-watch.js'
import { defaultEmulation } from '../../../kernel/fetch/user-agent.js'
import { buildContextOptions, buildHiddenPageMetrics, buildUserAgentOverride } from './emulate-device.js'
import type { FetchLimits, FetchPlan, UsageMeter } from '../../../kernel/fetch/fetcher.js'
import { checkHeaderSize } from '../../../base/http/header-limit.js'
import {
  interceptRequests,
  type Interceptor,
  type PageExchanges,
  refuseLogins,
  stopIcons,
} from '../page/intercept-requests.js'
import { keepForms } from '../page/keep-forms.js'
import { type FrameTree, openFrameTree } from '../page/frame-tree.js'
import type { IsolatedWorld, PageWorld } from '../browser-page.js'
import { createIsolatedWorld, createPageWorld } from '../page/isolated-world.js'
import type { RunningBrowser } from '../process/running-browser.js'
import { type LeftDocuments, watchLeftDocuments } from './left-documents.js'
import { logInToProxy } from './log-in-to-proxy.js'
import { type NetworkWatch, watchNetwork } from './network-watch.js'
import { controlScripts, type PageScripts } from './script-guard.js'
import { pageFunction } from '../injected/page-functions.js'
import { openPageProxy, type PageProxy } from '../proxy/page-proxy.js'
import type { OwnerLookup } from '../proxy/socket-owner.js'
import { openWithStorage, type StoredContext } from '../profiles/open-with-storage.js'
import type { StorageState } from '../profiles/profile.js'
import { readCallerHeaders } from './caller-headers.js'
import type { RequestFilter } from '../ad-block/request-filter.js'
import { setCookies, describeSkippedCookies } from '../profiles/set-cookies.js'
import { hideSecrets } from '../../../content/html/hide-secrets.js'
import type { RequestSigner } from '../../../base/http/request-signer.js'
import { signRequests } from '../page/sign-requests.js'
import { sendHeaders, watchOrigins } from '../page/send-headers.js'
import { watchWindows, type WindowWatch } from '../page/window-watch.js'

/** A page of the browser, set up and still empty. */
export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly proxy: PageProxy
  readonly network: NetworkWatch
  readonly documents: DocumentWatch
  readonly left: LeftDocuments
  /** The secret name of the events with which the activity monitor inside the page is queried. */
  readonly monitorName: string
  readonly world: IsolatedWorld
  readonly pageWorld: PageWorld
  readonly scripts: PageScripts
  /** Opens the documents in the frames of the page; undefined for a page without frames. */
  readonly openFrames: () => Promise<FrameTree> | undefined
  /** Origins of the http and https documents that the page had, frames included. */
  readonly origins: ReadonlySet<string>
  /** True if the page has no databases of its profile, because the browser refused them. */
  readonly lacksDatabases: boolean
  /** The windows and downloads that actions opened; undefined for a page without actions. */
  readonly windows: WindowWatch | undefined
  readonly warnings: readonly string[]
}

const LACKS_DATABASES = 'The page was loaded without the databases of its profile, which the browser refused.'

interface OpenPageOptions {
  readonly url: URL
  readonly plan: FetchPlan
  readonly browserPlan: BrowserPlan
  /** Secrets that were filled in so far. */
  readonly typed: ReadonlySet<string>
  readonly running: RunningBrowser
  readonly dial: Dial
  readonly limits: FetchLimits
  /** The engine's user agent; undefined if the option is not set. */
  readonly userAgent: string | undefined
  readonly filter: RequestFilter | undefined
  /** The storage of the page's profile. */
  readonly storage: StorageState | undefined
  readonly meter: UsageMeter | undefined
  /** Finds the users of connections to the page's proxy. @default as the system reports them */
  readonly owners: OwnerLookup | undefined
  /** Answers to the requests of the page, or who is told of their responses. @default nothing */
  readonly exchanges?: PageExchanges
  /** Signs each request of the page. */
  readonly signer: RequestSigner | undefined
  /** Fails the page, because it crashed or is too large. */
  readonly fail: (error: Error) => void
  /** Registers a function that closes a resource of the page, as soon as the resource is open. It is passed why the page failed. */
  readonly own: (close: (reason: unknown) => void | Promise<void>) => void
}

/**
 * Maximum number of frames with a process of their own that are watched, and maximum number of origins that are
 * recorded.
 */
const MAX_WATCHED = 50

/**
 * Opens a browser context with one empty page, and applies the egress policy, limits, headers and emulation to it.
 * Nothing is loaded yet.
 */
export async function openPage(options: OpenPageOptions): Promise<OpenPage> {
  const { url, plan, browserPlan, running, limits, own, typed } = options
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
    owners: options.owners,
    own,
  })
  const monitorName = `_${randomUUID().replaceAll('-', '')}`
  const { context, lacksDatabases } = await openContext(options, proxy, agent, monitorName)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  if (proxy.credentials) await logInToProxy(session, proxy.server, proxy.credentials)
  // Popups are closed, because they would load without limits. Playwright dismisses dialogs by itself.
  context.on('page', (other) => void other.close().catch(() => undefined))
  const hide = (text: string): string => hideSecrets(text, typed)
  const windows = browserPlan.actions.length > 0 ? await watchWindows(page, session, hide) : undefined
  const documents = watchDocuments(page)
  const origins = collectOrigins(page)
  watchFailures(page, proxy, options)
  const pageUrl = (): string => documents.answers.at(-1)?.url() ?? url.href
  if (options.filter) guard = createAdGuard(page, session, options.filter, pageUrl)
  const refused = await setCookies(context, [...(options.storage?.cookies ?? []), ...caller.cookies])
  const mainUrls = (): string[] => [pageUrl(), ...(documents.latest ? [documents.latest.url()] : [])]
  const senders = await createSenders(session, caller.sends, mainUrls)
  // Last, so that nothing changes a signed request.
  const shared = [...(guard ? [guard] : []), ...(options.signer ? [signRequests(options.signer)] : [])]
  const forTabs = running.hasTabs ? [stopIcons, refuseLogins] : []
  const signers = options.signer ? [signRequests(options.signer)] : []
  const keepers = keepersOf(options, page)
  const ofPage = [...forTabs, ...keepers, ...(guard ? [guard] : []), ...senders, ...signers]
  await Promise.all([
    emulate(session, emulation, agent, hasActionsOrCaptures(browserPlan)),
    limitBytes(session, options),
    interceptRequests(session, ofPage, options.exchanges),
  ])
  watchFrames(page, async (frame) => {
    const frameSession = await context.newCDPSession(frame)
    await Promise.all([
      limitBytes(frameSession, options),
      interceptRequests(frameSession, [...keepers, ...shared], options.exchanges),
      windows?.addFrame(frameSession),
    ])
  })
  return {
    page,
    context,
    proxy,
    network: watchNetwork(page, hasActionsOrCaptures(browserPlan)),
    documents,
    left: watchLeftDocuments(session),
    monitorName,
    world: createIsolatedWorld(session, monitorName),
    pageWorld: createPageWorld(session),
    scripts: controlScripts(session, () => proxy.close()),
    openFrames: () =>
      page.mainFrame().childFrames().length === 0
        ? undefined
        : openFrameTree({
            page,
            context,
            session,
            worldName: monitorName,
            isStopped: (address) => guard?.stopsFrame(address) ?? false,
          }),
    origins,
    lacksDatabases,
    windows,
    warnings: [...describeSkippedCookies(refused), ...(lacksDatabases ? [LACKS_DATABASES] : [])],
  }
}

const keepersOf = ({ url, plan, browserPlan, typed }: OpenPageOptions, page: Page): Interceptor[] => {
  const hosts = plan.headerScope?.hosts
  return browserPlan.actions.length > 0 ? [keepForms(url, { typed, hosts, shown: () => page.url() })] : []
}

type UserAgentOverride = ReturnType<typeof buildUserAgentOverride>

async function openContext(
  { plan, storage, running, own }: OpenPageOptions,
  proxy: PageProxy,
  agent: UserAgentOverride,
  monitorName: string,
): Promise<StoredContext> {
  const open = (origins: StorageState['origins']): Promise<BrowserContext> =>
    running.browser.newContext({
      ...buildContextOptions(plan.emulation ?? defaultEmulation, agent),
      storageState: origins.length === 0 ? undefined : { cookies: [], origins },
      ignoreHTTPSErrors: plan.skipTlsVerification,
      acceptDownloads: false,
      // A service worker would outlive its page, and answer requests in place of the site.
      serviceWorkers: 'block',
      // Chromium bypasses proxies for loopback by default; the egress policy must decide about it as well.
      proxy: { server: proxy.server, bypass: '<-loopback>' },
    })
  const opened = await openWithStorage(open, storage)
  const { context } = opened
  own(() => context.close())
  context.setDefaultTimeout(0)
  await context.addInitScript(pageFunction('installActivityMonitor'), monitorName)
  // Only a browser started by this process has the switches that force WebRTC through the page's proxy.
  if (!running.isOwn) await context.addInitScript(pageFunction('removePeerConnections'))
  return opened
}

function collectOrigins(page: Page): ReadonlySet<string> {
  const origins = new Set<string>()
  page.on('framenavigated', (frame) => {
    const { origin } = new URL(frame.url(), 'about:blank')
    if (origin.startsWith('http') && origins.size < MAX_WATCHED) origins.add(origin)
  })
  return origins
}

/** Fails the page when it crashes, or when its document has too many headers or bytes. */
function watchFailures(page: Page, proxy: PageProxy, { url, limits, meter, fail }: OpenPageOptions): void {
  page.on('response', (response) => {
    meter?.sent()
    // The browser itself limits the headers of subresources, to 256 KiB.
    if (!isMainDocumentRequest(page, response.request())) return
    const headers = Object.entries(response.headers())
    const fault = checkHeaderSize(headers, limits.headerBytes, new URL(response.url()))
    if (fault) fail(fault)
  })
  page.on('crash', () => fail(new Error('The page crashed')))
  page.on('requestfailed', (request) => {
    // A page without a subresource is still useful.
    if (!proxy.isExhausted || !isMainDocumentRequest(page, request)) return
    const message = `The page is larger than \`limits.wireBytes\` (${limits.wireBytes} bytes)`
    fail(new TrawlError('SCRAPE_BODY_TOO_LARGE', message, { url: withoutCredentials(url).href }))
  })
}

/** Creates the interceptors that add a caller's headers to requests in their scope. */
async function createSenders(
  session: CDPSession,
  sends: ReturnType<typeof readCallerHeaders>['sends'],
  mainUrls: () => readonly string[],
): Promise<Interceptor[]> {
  if (sends.length === 0) return []
  const origins = await watchOrigins(session, mainUrls)
  return sends.map(({ scope, headers }) => sendHeaders(scope, headers, origins))
}

async function emulate(
  session: CDPSession,
  emulation: typeof defaultEmulation,
  agent: UserAgentOverride,
  isShown: boolean,
): Promise<void> {
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', agent),
    session.send('Emulation.setAutomationOverride', { enabled: emulation.isAnonymous !== true }),
    // Playwright's touch screens have one touch point.
    emulation.mobile && session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
    !isShown && session.send('Emulation.setDeviceMetricsOverride', buildHiddenPageMetrics(emulation)),
  ])
}

/** Fails the page when one body is larger after decompression than `limits.bodyBytes`. */
async function limitBytes(session: CDPSession, { limits, fail }: OpenPageOptions): Promise<void> {
  const { bodyBytes } = limits
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

/**
 * Watches frames of other sites, which may have processes of their own that the page's session does not report.
 *
 * @param watch rejects for a frame without a process of its own, or that is gone
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
