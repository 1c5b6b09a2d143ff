import { messageOf, TrawlError } from '../../base/errors.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { withoutCredentials } from '../../base/url.js'
import type { AdFilterSource } from './ad-block/ad-filter.js'
import { isCrash, isPageCrash, toBrowserError } from './page/browser-errors.js'
import type { BrowserOptions } from './process/browser-options.js'
import type { BrowserPlan } from '../../kernel/fetch/browser-plan.js'
import type { NamedFetcher } from '../../kernel/fetch/feature-fetcher.js'
import type { ExchangeObserver } from '../../base/http/observe-exchanges.js'
import { openExchanges } from './page/open-exchanges.js'
import type { CapturesByType } from '../../kernel/fetch/capture.js'
import { BrowserPool } from './process/browser-pool.js'
import { type Follower, followSignals, withTimeout } from '../../base/concurrency/deadline.js'
import type { Dial } from '../../base/network/dial.js'
import { createDirectDial } from '../../base/network/connect.js'
import { createResolver, type EgressOptions } from '../../base/network/egress.js'
import type { OwnerLookup } from './proxy/socket-owner.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { Declined, FetchLimits, FetchPlan, PageRequest } from '../../kernel/fetch/fetcher.js'
import { createBrowserLauncher } from './process/launch-browser.js'
import type { RunningBrowser } from './process/running-browser.js'
import { type OpenPage, openPage } from './navigation/open-page.js'
import { openProfile, type OpenProfile } from './profiles/open-profile.js'
import type { Variables } from '../../base/runtime/ask-secret.js'
import { startCountdown, createPageClock, type PageClock } from '../../base/concurrency/pausable-clock.js'
import type { RequestSigner } from '../../base/http/request-signer.js'
import { CookieJar, type PageCookies, type StoredCookie } from '../../base/http/cookies.js'
import type { ProfileStore } from './profiles/profile.js'
import { readStorage } from './profiles/read-storage.js'
import { stopWarnings } from './navigation/script-guard.js'
import type { Renderer } from '../../kernel/fetch/renderer.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { hideTyped } from './render/hide-typed.js'
import { type RenderedPage, renderPage } from './render/render-page.js'

/** Options of the fetcher that loads pages in a browser. */
export interface BrowserFetcherOptions extends EgressOptions {
  readonly limits: FetchLimits
  readonly browser: BrowserOptions
  /** User agent of pages whose headers set none. @default the user agent of the browser, and `trawl/<version>` */
  readonly userAgent?: string
  /** The filter for pages with `blockAds`. @default nothing is blocked */
  readonly filter?: AdFilterSource
  readonly profiles?: ProfileStore
  /** Captures that plans may name. @default none */
  readonly captures?: CapturesByType
  /** Variables that secrets of actions name. @default none */
  readonly env?: Variables
  /** Fetchers of features, some of which answer the requests of pages. @default none */
  readonly own?: readonly NamedFetcher[]
  /** Observer of the responses of pages. @default none */
  readonly observer?: ExchangeObserver
  /** Signs each request of a page. @default none is signed */
  readonly signer?: RequestSigner
  /** Finds the users of connections to the pages' proxies. @default as the system reports them */
  readonly owners?: OwnerLookup
  /** The clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

const plainPlan: BrowserPlan = { waitForMs: 0, actions: [], captures: {}, blockAds: false }

/** Timeout for closing a page; after it, the browser is replaced. Milliseconds. */
const CLOSE_MS = 5_000
/** Maximum time for reading the storage of a page for its profile; half of what the page has left, if that is less. Milliseconds. */
const STORAGE_MS = 10_000
/** Time after which a browser without pages is closed. Milliseconds. */
const IDLE_MS = 5_000

/** State that all pages of a fetcher share. */
interface Shared {
  readonly options: BrowserFetcherOptions
  readonly pool: BrowserPool
  readonly direct: Dial
  readonly now: () => number
  /** Pages that are being closed. */
  readonly closing: Set<Promise<void>>
}

/** One page to fetch, with its deadline. */
interface PageTask {
  readonly request: PageRequest
  readonly plan: FetchPlan
  readonly clock: PageClock
  /** Time until the page's deadline. Milliseconds. */
  readonly leftMs: () => number
  readonly signal: AbortSignal
  /** Opens the page in a browser of its own. */
  readonly isAlone: boolean
}

/** One attempt to fetch a page: the leased browser, and the resources opened for the page. */
interface BrowserAttempt {
  readonly running: RunningBrowser
  /** Aborts with the page's signal, and when the browser exits or the page fails. */
  readonly follower: Follower
  /** Functions that close the resources of the page, in the order of opening. */
  readonly closers: ((reason: unknown) => void | Promise<void>)[]
  opening?: Promise<OpenPage>
}

/**
 * Creates the fetcher that loads pages in a browser of this machine. The browser is found and started for the first
 * page, shared by all pages, replaced after `pagesPerBrowser` pages, and closed after some seconds without a page.
 *
 * Each page has its own browser context and proxy: pages share no state, and the egress policy and the limits apply to
 * connections of every kind.
 *
 * @see docs/compatibility/fetching.md#fetching
 */
export function createBrowserFetcher(options: BrowserFetcherOptions): Renderer {
  const { browser: settings, now = Date.now } = options
  const launcher = createBrowserLauncher(settings)
  const { maxPages, pagesPerBrowser } = settings
  const pool = new BrowserPool({ launcher, maxPages, pagesPerBrowser, idleMs: IDLE_MS })
  const direct = createDirectDial(createResolver(options))
  const shared: Shared = { options, pool, direct, now, closing: new Set() }
  const end = new AbortController()
  return {
    name: 'browser',
    stopWarnings: Object.values(stopWarnings),
    fetch: (request, plan, signal) => fetchWithCrashRetry(shared, request, plan, [signal, end.signal]),
    async close() {
      end.abort(new TrawlError('ENGINE_CLOSED', 'The fetcher was closed'))
      await Promise.all(shared.closing)
      await pool.close()
      await launcher.close()
    },
  }
}

/**
 * Fetches a page, and once more after a crash. A page whose browser crashed is retried alone in another one: any page of that
 * browser may have been the cause, and only the one that crashes again when it is alone fails.
 */
async function fetchWithCrashRetry(
  shared: Shared,
  request: PageRequest,
  plan: FetchPlan,
  signals: readonly AbortSignal[],
): Promise<FetchedPage | Declined> {
  using follower = followSignals(...signals)
  const { signal } = follower
  const { clock = createPageClock() } = request
  const leftMs = startCountdown(plan.timeoutMs, clock)
  let isAlone = false
  for (let crashes = 0; ; crashes++) {
    try {
      signal.throwIfAborted()
      const task: PageTask = { request, plan, clock, leftMs, signal, isAlone }
      const page = await detachStack(() => fetchOnce(shared, task))
      return 'declined' in page ? page : { ...page, fetcher: 'browser' }
    } catch (error) {
      signal.throwIfAborted()
      if (!isCrash(error)) throw error
      const isCause = isAlone || isPageCrash(error)
      isAlone ||= !isPageCrash(error)
      if (crashes === 0 || !isCause) continue
      throw new TrawlError('SCRAPE_BROWSER_CRASHED', 'The browser, or the page in it, crashed twice', {
        url: withoutCredentials(new URL(request.url)).href,
        cause: error,
      })
    }
  }
}

/** Fetches a page in a leased browser. The page is closed in the background, while the next one opens. */
async function fetchOnce({ pool, closing, ...shared }: Shared, task: PageTask): Promise<RenderedPage | Declined> {
  const { request, clock, signal, isAlone } = task
  const lease = await pool.lease(signal, { hold: (turn) => clock.pauseDuring(turn), isAlone })
  const leasedAtMs = performance.now()
  using follower = followSignals(signal)
  const { running } = lease
  const attempt: BrowserAttempt = { running, follower, closers: [] }
  const onDisconnected = (): void => follower.abort(new Error('The browser has been closed'))
  running.browser.once('disconnected', onDisconnected)
  let isBroken = false
  try {
    return await loadPage(shared, task, attempt)
  } finally {
    isBroken = !running.browser.isConnected()
    running.browser.off('disconnected', onDisconnected)
    lease.releaseSlot()
    request.meter?.rendered(performance.now() - leasedAtMs)
    const closed = closeAll(attempt)
      .catch(() => (isBroken = true))
      .then(() => lease.release(isBroken))
      .finally(() => closing.delete(closed))
    closing.add(closed)
  }
}

/** Opens a page with the storage of its profile, loads and reads it, and saves the storage. */
async function loadPage(
  {
    options,
    direct,
    now,
  }: { readonly options: BrowserFetcherOptions; readonly direct: Dial; readonly now: () => number },
  task: PageTask,
  attempt: BrowserAttempt,
): Promise<RenderedPage | Declined> {
  const { request, plan, clock, leftMs } = task
  const { limits, profiles, userAgent, owners, signer, captures = new Map() } = options
  const { browser: browserPlan = plainPlan } = plan
  const { signal } = attempt.follower
  const url = new URL(request.url)
  const profile =
    browserPlan.profile && profiles ? await openProfile(browserPlan.profile, profiles, now(), signal) : undefined
  const cookies = profile ? undefined : listAlive(request.cookies, now())
  const typed = new Set(browserPlan.secrets)
  const filter = browserPlan.blockAds ? await options.filter?.load(signal) : undefined
  attempt.opening = openPage({
    url,
    plan,
    browserPlan,
    typed,
    running: attempt.running,
    dial: request.route?.dial ?? direct,
    limits,
    userAgent,
    filter,
    meter: request.meter,
    storage: profile ? profile.state : cookies && { cookies, origins: [] },
    owners,
    signer,
    exchanges: openExchanges(options, { plan, now, signal }),
    fail: (reason) => attempt.follower.abort(reason),
    own: (close) => void attempt.closers.push(close),
  })
  const opened: OpenPage = await untilAborted(attempt.opening, signal)
  const tools = { filter, captures, now, env: options.env, typed }
  const renderOptions = { url: withoutCredentials(url), browserPlan, limits, leftMs, clock, ...tools, signal }
  const rendered = await renderPage(opened, renderOptions).catch(async (error: unknown) => {
    await tellOfLeft(opened, request, signal)
    if (signal.aborted || isCrash(error)) throw error
    throw toBrowserError(error, request.url, opened.proxy)
  })
  const page = hideTyped(rendered, typed)
  if ('declined' in page) return page
  if (!profile && request.cookies && (request.cookies.areShared || !isSuccessStatus(page.statusCode)))
    await keepCookies(opened, { kept: request.cookies, before: cookies }, signal)
  const isKept =
    profile?.savesChanges && ((await browserPlan.profile?.mayKeep?.({ ...page, fetcher: 'browser' })) ?? true)
  if (!profile || !isKept) return withWarnings(page, profile?.warnings)
  return withWarnings(page, [...profile.warnings, ...(await saveProfile(opened, profile, task, signal))])
}

/** Maximum time for the sources of what a page that failed had left before. Milliseconds. */
const LEFT_MS = 1_000

/** Hands out the links of the documents that led on to one that failed. */
async function tellOfLeft({ left, documents }: OpenPage, { onLeft }: PageRequest, signal: AbortSignal): Promise<void> {
  if (!onLeft || documents.answers.length === 0) return
  using bound = withTimeout(signal, LEFT_MS)
  await untilAborted(left.settle(), bound.signal).catch(() => undefined)
  for (const page of left.read(documents)) onLeft(page)
}

/** Lists cookies that have not expired: a browser refuses others. */
const listAlive = ({ jar }: PageCookies = {}, nowMs: number): StoredCookie[] | undefined =>
  jar?.list().filter(({ expires }) => expires < 0 || expires * 1000 > nowMs)

/** Keeps the cookies of a page for others that share them, and those of one that failed for the next attempt at it. */
async function keepCookies(
  { context }: OpenPage,
  { kept, before = [] }: { readonly kept: PageCookies; readonly before: readonly StoredCookie[] | undefined },
  signal: AbortSignal,
): Promise<void> {
  const found = await untilAborted(context.cookies(), signal).catch(() => undefined)
  if (!found) return
  kept.jar ??= new CookieJar()
  await kept.jar.merge(before, found)
}

/**
 * Saves the storage of a page in its profile. The page is not lost with it: what the page's scripts stored may have no
 * form as text, or may take too long to read, and the browser may crash.
 *
 * @param signal of this attempt to fetch the page
 * @returns warnings
 */
async function saveProfile(
  opened: OpenPage,
  profile: OpenProfile,
  task: PageTask,
  signal: AbortSignal,
): Promise<string[]> {
  const limitMs = Math.round(Math.min(STORAGE_MS, task.leftMs() / 2))
  using limited = withTimeout(signal, limitMs, () => new Error(`it took longer than ${limitMs} ms to read`))
  try {
    const reading = readStorage({ ...opened, before: profile.state })
    const { state, warnings } = await untilAborted(reading, limited.signal)
    const unsaved = await profile.save(state)
    return [...warnings, ...(unsaved === undefined ? [] : [unsaved])]
  } catch (error) {
    task.signal.throwIfAborted()
    const [why] = messageOf(error).split('\n', 1)
    return [`The storage of the page was not saved in the profile: ${why}.`]
  }
}

const withWarnings = (page: RenderedPage, more: readonly string[] = []): RenderedPage =>
  more.length === 0 ? page : { ...page, warnings: [...(page.warnings ?? []), ...more] }

/**
 * Closes all resources of an attempt in reverse order, once opening has ended.
 *
 * @throws Error when closing takes too long
 */
async function closeAll({ opening, closers, follower }: BrowserAttempt): Promise<void> {
  const close = (): Promise<unknown> =>
    Promise.allSettled(
      closers
        .splice(0)
        .toReversed()
        .map(async (one) => one(follower.signal.reason)),
    )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // Opening never ends for some pages whose browser was killed: what is open then keeps the process alive.
      void close()
      reject(new Error('the page does not close'))
    }, CLOSE_MS)
  })
  await Promise.race([Promise.allSettled([opening]).then(close), late]).finally(() => clearTimeout(timer))
}

/**
 * Runs `run` on an async stack of its own. Playwright captures the full async stack on each call: ten frames of a job, for some
 * two dozen calls a page.
 */
const detachStack = <T>(run: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    // Not `then(resolve, reject)`: V8 follows the stack through the resolving functions themselves.
    run().then(
      (value) => resolve(value),
      (error: unknown) => reject(error),
    )
  })
