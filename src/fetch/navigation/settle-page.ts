import type { Page } from 'playwright'
import { isNavigation } from '../browser-page/browser-errors.js'
import { withTimeout } from '../../concurrency/deadline.js'
import type { IsolatedWorld } from '../browser-page/isolated-world.js'
import type { NetworkWatch } from './network-watch.js'
import { pageFunction } from '../../injected/page-functions.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** The automatic wait goes no further than this. Milliseconds. */
const MAX_SETTLE_MS = 8_000
/** Unchanged for so long, a tree is taken to be done. Milliseconds. */
const QUIET_MS = 60
/** For a page that computes without a break, in slices. Milliseconds. */
const MAX_BUSY_MS = 2_000
/** For a page whose timers change nothing, e.g. a poll. Longer than any timer that is waited for. Milliseconds. */
const MAX_IDLE_MS = 3_000
const MAX_SCROLL_STEPS = 25
const SCROLL_STEP_MS = 60

export interface SettleOptions {
  readonly page: Page
  readonly world: IsolatedWorld
  readonly network: NetworkWatch
  /** What the notes in the page are called. */
  readonly monitorName: string
  /** Ends the waiting; the page itself is the caller's to end. */
  readonly signal: AbortSignal
  /** @default 8000 */
  readonly maxMs?: number
}

/**
 * The automatic wait: until no request is under way that text can depend on, no timer of the page will soon be up, its
 * tree has not changed for a moment, and it has nothing left to compute. A page without scripts has nothing to wait
 * for. A page that never comes to rest is taken as it is after eight seconds.
 *
 * @returns whether there is more to the page, which comes once it is scrolled: see {@link loadLazyParts}
 * @throws whatever `signal` was aborted with
 */
export async function settlePage({
  page,
  world,
  network,
  monitorName: monitorName,
  signal,
  maxMs = MAX_SETTLE_MS,
}: SettleOptions): Promise<boolean> {
  let hasMore = false
  using bound = withTimeout(signal, maxMs)
  try {
    for (let begun = -1; begun !== network.begun;) {
      begun = network.begun
      await network.untilIdle(bound.signal)
      hasMore = await untilAborted(awaitTree(page, world, monitorName, maxMs), bound.signal)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!bound.signal.aborted) throw error
  }
  return hasMore
}

/** A page that goes elsewhere meanwhile takes the question with it: then it is asked again. */
async function awaitTree(page: Page, world: IsolatedWorld, name: string, maxMs: number): Promise<boolean> {
  const question = { name, quietMs: QUIET_MS, maxMs, maxBusyMs: MAX_BUSY_MS, maxIdleMs: MAX_IDLE_MS }
  for (let tries = 0; tries < 5; tries++) {
    try {
      return await world.call(pageFunction('waitUntilQuiet'), question)
    } catch (error) {
      if (page.isClosed() || !isNavigation(error)) throw error
      await page.waitForLoadState('domcontentloaded', { timeout: maxMs })
    }
  }
  return false
}

/** What comes at the end of a page that goes on may take so long. Milliseconds. */
const MAX_GROWTH_MS = 1_000

/**
 * Brings in what a page loads only once it comes into view, and lets it settle.
 *
 * @returns whether there is still more when it is scrolled to its end
 */
export async function loadLazyParts(options: SettleOptions): Promise<boolean> {
  const { page, world, signal } = options
  const before = await untilAborted(
    ask(() => world.call(pageFunction('measureText'), undefined)),
    signal,
  )
  const question = { maxSteps: MAX_SCROLL_STEPS, stepMs: SCROLL_STEP_MS }
  await untilAborted(world.call(pageFunction('scrollThrough'), question), signal).catch((error: unknown) => {
    if (signal.aborted || page.isClosed() || !isNavigation(error)) throw error
  })
  await settlePage({ ...options, maxMs: MAX_SETTLE_MS / 2 })
  const after = await untilAborted(
    ask(() => world.call(pageFunction('measureText'), undefined)),
    signal,
  )
  // What did not grow as it was scrolled through has no more at its end.
  if (before === undefined || after === undefined || after <= before) return false
  return (
    (await untilAborted(
      ask(() => world.call(pageFunction('growsAtEnd'), MAX_GROWTH_MS)),
      signal,
    )) ?? false
  )

  /** A page that goes elsewhere meanwhile is another one. */
  async function ask<Answer>(asking: () => Promise<Answer>): Promise<Answer | undefined> {
    return await asking().catch((error: unknown) => {
      if (signal.aborted || page.isClosed() || !isNavigation(error)) throw error
      return undefined
    })
  }
}
