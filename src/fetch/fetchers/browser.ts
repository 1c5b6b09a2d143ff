import { TrawlError } from '../../errors.js'
import { withoutCredentials } from '../../url.js'
import type { AdFilterSource } from '../ad-block/ad-filter.js'
import { detachStack } from '../../concurrency/detach-stack.js'
import { isCrash, toBrowserError } from '../browser-page/browser-errors.js'
import type { BrowserOptions } from '../browser-process/browser-options.js'
import type { BrowserPlan } from '../browser-plan.js'
import { BrowserPool } from '../browser-process/browser-pool.js'
import { followSignals } from '../../concurrency/deadline.js'
import { createDirectDial } from '../network/connect.js'
import { createResolver, type EgressOptions } from '../network/egress.js'
import type { FetchedPage } from '../fetched-page.js'
import type { Declined, Fetcher, FetchLimits, FetchPlan, PageRequest } from '../fetcher.js'
import { createBrowserLauncher } from '../browser-process/launch-browser.js'
import { type OpenPage, openPage } from '../navigation/open-page.js'
import { openProfile } from '../profiles/open-profile.js'
import { countDown, createPageClock, type PageClock } from '../../concurrency/pausable-clock.js'
import type { ProfileStore } from '../profiles/profile.js'
import { readStorage } from '../profiles/read-storage.js'
import { untilAborted } from '../../concurrency/until-aborted.js'
import { visitInBrowser } from '../browser/visit-in-browser.js'

/** How pages are fetched by a browser. */
export interface BrowserFetcherOptions extends EgressOptions {
  readonly limits: FetchLimits
  readonly browser: BrowserOptions
  /** Sent where a page's headers name none. @default what the browser calls itself, and `trawl/<version>` */
  readonly userAgent?: string
  /** For pages with `blockAds`. @default nothing is blocked */
  readonly filter?: AdFilterSource | undefined
  readonly profiles?: ProfileStore | undefined
  /** The clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

const plainPlan: BrowserPlan = { waitForMs: 0, actions: [], captures: {}, blockAds: false }

/** How long a page may take to close. A browser that takes longer is of no more use. Milliseconds. */
const CLOSE_MS = 5_000
/** A browser without pages is closed after this time. Milliseconds. */
const IDLE_MS = 5_000

/**
 * Makes the fetcher that loads pages in a browser of this machine. The browser is looked for and started for the first
 * page, shared by all, replaced now and then, and closed when it has had nothing to do for a few seconds.
 *
 * Each page has a context and a proxy of its own, so that nothing is shared between pages and every connection, of
 * whatever kind, is under the egress policy and the limits.
 *
 * @see docs/compatibility.md#fetching
 */
export function createBrowserFetcher(options: BrowserFetcherOptions): Fetcher {
  const { browser: settings, limits, profiles, now = Date.now } = options
  const launcher = createBrowserLauncher(settings)
  const pool = new BrowserPool({
    launcher,
    maxPages: settings.maxPages,
    pagesPerBrowser: settings.pagesPerBrowser,
    idleMs: IDLE_MS,
  })
  const direct = createDirectDial(createResolver(options))
  const closing = new AbortController()
  const open = new Set<Promise<void>>()

  /** One try. Gives back its page at once; closing it goes on behind, while the next one opens. */
  async function tryOnce(
    request: PageRequest,
    plan: FetchPlan,
    clock: PageClock,
    leftMs: () => number,
    signal: AbortSignal,
  ) {
    const lease = await pool.lease(signal, (turn) => clock.hold(turn))
    const leasedAtMs = performance.now()
    using visit = followSignals(signal)
    const closers: (() => void | Promise<void>)[] = []
    let opening: Promise<OpenPage> | undefined
    const { browser: browserPlan = plainPlan } = plan
    const crashed = (): void => visit.abort(new Error('The browser has been closed'))
    lease.running.browser.once('disconnected', crashed)
    let isBroken = false
    try {
      const profile = await openProfile(browserPlan.profile, profiles, now(), visit.signal)
      const filter = browserPlan.blockAds ? await options.filter?.load(visit.signal) : undefined
      opening = openPage({
        url: new URL(request.url),
        plan,
        browserPlan,
        running: lease.running,
        dial: request.route?.dial ?? direct,
        limits,
        userAgent: options.userAgent,
        filter,
        meter: request.meter,
        storage: profile?.state,
        fail: visit.abort,
        own: (close) => void closers.push(close),
      })
      const opened: OpenPage = await untilAborted(opening, visit.signal)
      const page = await visitInBrowser(opened, {
        url: withoutCredentials(new URL(request.url)),
        browserPlan,
        limits,
        leftMs,
        filter,
        now,
        signal: visit.signal,
      }).catch((error: unknown) => {
        if (visit.signal.aborted || isCrash(error)) throw error
        throw toBrowserError(error, request.url, opened.proxy)
      })
      if ('declined' in page) return page
      if (!profile?.savesChanges) return withWarnings(page, profile?.warnings)
      const { state, warnings } = await untilAborted(readStorage({ ...opened, before: profile.state }), visit.signal)
      const unsaved = await profile.save(state)
      return withWarnings(page, [...profile.warnings, ...warnings, ...(unsaved === undefined ? [] : [unsaved])])
    } catch (error) {
      isBroken = !lease.running.browser.isConnected()
      throw error
    } finally {
      lease.running.browser.off('disconnected', crashed)
      lease.releaseSlot()
      request.meter?.rendered(performance.now() - leasedAtMs)
      const ended = closeAll(opening, closers)
        .catch(() => (isBroken = true))
        .then(() => lease.release(isBroken))
        .finally(() => open.delete(ended))
      open.add(ended)
    }
  }

  return {
    name: 'browser',
    isBrowser: true,
    async fetch(request, plan, signal): Promise<FetchedPage | Declined> {
      using visit = followSignals(signal, closing.signal)
      const { clock = createPageClock() } = request
      const leftMs = countDown(plan.timeoutMs, clock)
      for (let tries = 1; ; tries++) {
        try {
          visit.signal.throwIfAborted()
          const page = await detachStack(() => tryOnce(request, plan, clock, leftMs, visit.signal))
          return 'declined' in page ? page : { ...page, fetcher: 'browser' }
        } catch (error) {
          visit.signal.throwIfAborted()
          if (!isCrash(error)) throw error
          if (tries === 1) continue
          const message = 'The browser, or the page in it, crashed twice'
          throw new TrawlError('SCRAPE_BROWSER_CRASHED', message, {
            url: withoutCredentials(new URL(request.url)).href,
            cause: error,
          })
        }
      }
    },
    async close() {
      closing.abort(new TrawlError('ENGINE_CLOSED', 'The fetcher was closed'))
      await Promise.all(open)
      await pool.close()
      await launcher.close()
    },
  }
}

const withWarnings = <Page extends Pick<FetchedPage, 'warnings'>>(page: Page, more: readonly string[] = []): Page =>
  more.length === 0 ? page : { ...page, warnings: [...(page.warnings ?? []), ...more] }

/** Closes everything, last opened first, once there is no more to come. @throws Error when it takes too long */
async function closeAll(
  opening: Promise<unknown> | undefined,
  closers: readonly (() => void | Promise<void>)[],
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the page does not close')), CLOSE_MS)
  })
  const all = Promise.allSettled([opening]).then(() =>
    Promise.allSettled(closers.toReversed().map(async (close) => close())),
  )
  await Promise.race([all, late]).finally(() => clearTimeout(timer))
}
