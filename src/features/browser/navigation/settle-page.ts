import type { Page } from 'playwright'
import { isNavigation } from '../page/browser-errors.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import type { IsolatedWorld } from '../browser-page.js'
import type { NetworkWatch } from './network-watch.js'
import { pageFunction, type QuietPage } from '../injected/page-functions.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

/** Limit of the automatic wait. Milliseconds. */
const MAX_SETTLE_MS = 8_000
/** Time without a change after which the tree counts as quiet. Milliseconds. */
const QUIET_MS = 60
/** Limit of the wait for a page that computes in slices without a break. Milliseconds. */
const MAX_BUSY_MS = 2_000
/**
 * Limit of the wait for a page whose timers change nothing, such as a poll. Longer than any timer that is waited for.
 * Milliseconds.
 */
const MAX_IDLE_MS = 3_000
const MAX_SCROLL_STEPS = 25
const SCROLL_STEP_MS = 60
const MAX_SCROLL_MS = 4_000
/** Maximum share of the page's remaining time for each wait, and for scrolling. */
const SETTLE_SHARE = 0.5
const SCROLL_SHARE = 0.25

export interface SettleOptions {
  readonly page: Page
  readonly world: IsolatedWorld
  readonly network: NetworkWatch
  /** The secret name of the events with which the activity monitor inside the page is queried. */
  readonly monitorName: string
  /** Time until the page's deadline. Milliseconds. */
  readonly leftMs: () => number
  /** Aborts the wait. */
  readonly signal: AbortSignal
  /** @default 8000 */
  readonly maxMs?: number
}

const NOTHING_MORE: QuietPage = { hasMore: false, awaitsVisitor: false }

/**
 * Performs the automatic wait: until no request is pending on which the text can depend, no timer is about to fire, the
 * tree has not changed for 60 ms, and the main thread is idle. A page without scripts and pending timers needs no wait. A page
 * that never becomes quiet is used as it is after eight seconds, or half of the time that it has left.
 *
 * @returns whether the page may load more once it is scrolled ({@link loadLazyParts}), or once a visitor is there
 *   ({@link showVisitor})
 * @throws whatever `signal` was aborted with
 */
export async function settlePage({
  page,
  world,
  network,
  monitorName,
  signal,
  leftMs,
  maxMs: longestMs = MAX_SETTLE_MS,
}: SettleOptions): Promise<QuietPage> {
  let quiet = NOTHING_MORE
  const maxMs = Math.min(longestMs, leftMs() * SETTLE_SHARE)
  using bound = withTimeout(signal, maxMs)
  try {
    for (let begun = -1; begun !== network.begun;) {
      begun = network.begun
      await network.untilIdle(bound.signal)
      quiet = await untilAborted(awaitTree(page, world, monitorName, maxMs), bound.signal)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!bound.signal.aborted) throw error
  } finally {
    network.countAnew()
  }
  return quiet
}

/** Waits until the tree is quiet, again if the page navigates meanwhile. */
async function awaitTree(page: Page, world: IsolatedWorld, name: string, maxMs: number): Promise<QuietPage> {
  const question = { name, quietMs: QUIET_MS, maxMs, maxBusyMs: MAX_BUSY_MS, maxIdleMs: MAX_IDLE_MS }
  for (let tries = 0; tries < 5; tries++) {
    try {
      return await world.call(pageFunction('waitUntilQuiet'), question)
    } catch (error) {
      if (page.isClosed() || !isNavigation(error)) throw error
      await page.waitForLoadState('domcontentloaded', { timeout: maxMs })
    }
  }
  return NOTHING_MORE
}

/** Limit of the wait for more text at the end of a page. Milliseconds. */
const MAX_GROWTH_MS = 1_000

/**
 * Shows a page that a visitor is there, and waits until it has settled if it has changed or requested something.
 *
 * @param quiet the page as it settled before
 * @param mayClick true if a page with next to no text may be clicked
 * @returns the page as it is then
 */
export async function showVisitor(options: SettleOptions, quiet: QuietPage, mayClick: boolean): Promise<QuietPage> {
  const { page, world, network, signal } = options
  const { begun } = network
  const hasChanged = await untilAborted(world.call(pageFunction('showVisitor'), mayClick), signal).catch(
    (error: unknown) => {
      if (signal.aborted || page.isClosed() || !isNavigation(error)) throw error
      return true
    },
  )
  return hasChanged || network.begun !== begun ? await settlePage({ ...options, maxMs: MAX_SETTLE_MS / 2 }) : quiet
}

/**
 * Loads the parts of a page that load only in view, and waits until the page has settled.
 *
 * @returns true if the page still grows when it is scrolled to its end
 */
export async function loadLazyParts(options: SettleOptions): Promise<boolean> {
  const { page, world, monitorName: name, leftMs, signal } = options
  const before = await untilAborted(
    ask(() => world.call(pageFunction('measureText'), undefined)),
    signal,
  )
  const maxMs = Math.min(MAX_SCROLL_MS, leftMs() * SCROLL_SHARE)
  const question = { name, maxSteps: MAX_SCROLL_STEPS, stepMs: SCROLL_STEP_MS, maxMs }
  await untilAborted(world.call(pageFunction('scrollThrough'), question), signal).catch((error: unknown) => {
    if (signal.aborted || page.isClosed() || !isNavigation(error)) throw error
  })
  await settlePage({ ...options, maxMs: MAX_SETTLE_MS / 2 })
  const after = await untilAborted(
    ask(() => world.call(pageFunction('measureText'), undefined)),
    signal,
  )
  // A page that did not grow while it was scrolled does not grow at its end either; do not wait for it.
  if (before === undefined || after === undefined || after <= before) return false
  return (
    (await untilAborted(
      ask(() => world.call(pageFunction('growsAtEnd'), { name, maxMs: MAX_GROWTH_MS })),
      signal,
    )) ?? false
  )

  /**
   * Awaits a call to the page; undefined if the page navigates meanwhile, because the result is about another document
   * then.
   */
  async function ask<Answer>(asking: () => Promise<Answer>): Promise<Answer | undefined> {
    return await asking().catch((error: unknown) => {
      if (signal.aborted || page.isClosed() || !isNavigation(error)) throw error
      return undefined
    })
  }
}
