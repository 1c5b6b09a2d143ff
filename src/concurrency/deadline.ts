import { setMaxListeners } from 'node:events'
import { TrawlError } from '../errors.js'
import { withoutCredentials, parseUrl } from '../url.js'
import { onAbort } from './on-abort.js'
import { createPageClock, type PageClock } from './pausable-clock.js'

/** A signal that follows others until it is disposed of. */
export interface Follower extends Disposable {
  readonly signal: AbortSignal
  abort(reason: unknown): void
}

/** The deadline of a page. */
export interface Deadline extends Follower {
  /** Clock of the deadline: paused while the page waits in a queue. */
  readonly clock: PageClock
}

/**
 * Follows other signals: the first abort, reason included, becomes this one's. Disposing removes the listeners.
 *
 * `AbortSignal.any` would do the same and, on Node 20, keep an entry on a long-lived signal for every page of a job.
 */
export function followSignals(...parents: readonly AbortSignal[]): Follower {
  const controller = new AbortController()
  const abort = (reason: unknown) => controller.abort(reason)
  const follow = new Releasable(() => abort(parents.find(({ aborted }) => aborted)?.reason))
  for (const parent of parents) {
    if (parent.aborted) abort(parent.reason)
    onAbort(parent, follow)
  }
  const dispose = () => {
    for (const parent of parents) parent.removeEventListener('abort', follow)
    follow.release()
  }
  return { signal: controller.signal, abort, [Symbol.dispose]: dispose }
}

/**
 * A listener that can let go of its function. Node keeps the listeners of a signal in a list, and a listener that was removed
 * still refers to the next one. Once a removed one has been moved to the old generation, nothing frees those after it before
 * the next full collection: on the signal of a job, these are the pages that have ended since.
 */
class Releasable {
  #call: (() => void) | undefined

  constructor(call: () => void) {
    this.#call = call
  }

  handleEvent(): void {
    this.#call?.()
  }

  release(): void {
    this.#call = undefined
  }
}

/**
 * Follows a signal for a limited time. Disposing stops the timer and removes the listener.
 *
 * @param makeReason creates the abort reason for the end of `timeoutMs`. @default undefined, for an `AbortError`
 */
export function withTimeout(parent: AbortSignal, timeoutMs: number, makeReason?: () => unknown): Follower {
  const follower = followSignals(parent)
  const timer = setTimeout(() => follower.abort(makeReason?.()), timeoutMs)
  return {
    ...follower,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      follower[Symbol.dispose]()
    },
  }
}

/**
 * Opens the deadline of a page. All work for the page runs under it.
 *
 * @param timeoutMs from now, by the page's clock
 * @param parent aborts the page too, e.g. when its job is cancelled
 * @param clock the page's clock, for a deadline that covers a part of its time. @default a new clock
 * @returns a signal aborted with `SCRAPE_TIMEOUT`, or with the parent's reason; dispose of it when the page is done
 */
export function openDeadline(
  url: string,
  timeoutMs: number,
  parent?: AbortSignal,
  clock: PageClock = createPageClock(),
): Deadline {
  const follower = followSignals(...(parent ? [parent] : []))
  // Node 20 warns of a leak from the eleventh listener on.
  setMaxListeners(0, follower.signal)
  const stop = clock.after(timeoutMs, () => {
    const parsed = parseUrl(url)
    const bareUrl = parsed ? withoutCredentials(parsed).href : url
    const message = `The page took longer than its \`timeout\` of ${timeoutMs} ms`
    follower.abort(new TrawlError('SCRAPE_TIMEOUT', message, { url: bareUrl }))
  })
  return {
    ...follower,
    clock,
    [Symbol.dispose]: () => {
      stop()
      follower[Symbol.dispose]()
    },
  }
}
