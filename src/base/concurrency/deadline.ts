import { setMaxListeners } from 'node:events'
import { TrawlError } from '../errors.js'
import { withoutCredentials, parseUrl } from '../url.js'
import { onAbort } from './on-abort.js'
import { createPageClock, type PageClock, startCountdown } from './pausable-clock.js'

/** A signal that follows others until it is disposed of. */
export interface Follower extends Disposable {
  readonly signal: AbortSignal
  abort(reason: unknown): void
}

/** The deadline of a page. */
export interface Deadline extends Follower {
  /** Clock of the deadline: paused while the page waits in a queue. */
  readonly clock: PageClock
  /** Time until the deadline, by its clock. Milliseconds, at least 1. */
  leftMs(): number
}

/**
 * Follows other signals: the first abort, reason included, becomes this one's. Disposing removes the listeners.
 *
 * `AbortSignal.any` would do the same and, on Node 20, keep an entry on a long-lived signal for every page of a job.
 */
export const followSignals = (...parents: readonly AbortSignal[]): Follower => new SignalFollower(parents)

class SignalFollower implements Follower {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #parents: readonly AbortSignal[]
  readonly #listener: ParentListener

  constructor(parents: readonly AbortSignal[]) {
    this.signal = this.#controller.signal
    this.#parents = parents
    this.#listener = {
      follower: this,
      handleEvent() {
        this.follower?.follow()
      },
    }
    for (const parent of parents) {
      if (parent.aborted) this.abort(parent.reason)
      onAbort(parent, this.#listener)
    }
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  follow(): void {
    this.abort(this.explain(this.#parents.find(({ aborted }) => aborted)?.reason))
  }

  /** Adds to the reason of a parent what is known here. */
  protected explain(reason: unknown): unknown {
    return reason
  }

  [Symbol.dispose](): void {
    for (const parent of this.#parents) parent.removeEventListener('abort', this.#listener)
    this.#listener.follower = undefined
  }
}

/**
 * A listener that can let go of its follower. Node keeps the listeners of a signal in a list, and a listener that was removed
 * still refers to the next one. Once a removed one has been moved to the old generation, nothing frees those after it before
 * the next full collection: on the signal of a job, these are the pages that have ended since.
 */
interface ParentListener {
  follower: SignalFollower | undefined
  handleEvent(): void
}

/**
 * Follows a signal for a limited time. Disposing stops the timer and removes the listener.
 *
 * @param makeReason creates the abort reason for the end of `timeoutMs`. @default undefined, for an `AbortError`
 */
export const withTimeout = (parent: AbortSignal, timeoutMs: number, makeReason?: () => unknown): Follower =>
  new TimedFollower(parent, timeoutMs, makeReason)

class TimedFollower extends SignalFollower {
  readonly #timer: NodeJS.Timeout

  constructor(parent: AbortSignal, timeoutMs: number, makeReason: (() => unknown) | undefined) {
    super([parent])
    this.#timer = setTimeout(() => this.abort(makeReason?.()), timeoutMs)
  }

  override [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    super[Symbol.dispose]()
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
export const openDeadline = (
  url: string,
  timeoutMs: number,
  parent?: AbortSignal,
  clock: PageClock = createPageClock(),
): Deadline => new PageDeadline(url, timeoutMs, parent, clock)

class PageDeadline extends SignalFollower implements Deadline {
  readonly clock: PageClock
  readonly leftMs: () => number
  readonly #stop: () => void

  constructor(url: string, timeoutMs: number, parent: AbortSignal | undefined, clock: PageClock) {
    super(parent ? [parent] : [])
    this.clock = clock
    this.leftMs = startCountdown(timeoutMs, clock)
    // Node 20 warns of a leak from the eleventh listener on.
    setMaxListeners(0, this.signal)
    this.#stop = clock.after(timeoutMs, () => this.abort(this.explain(describeTimeout(url, timeoutMs))))
  }

  /** A deadline around this one, as that of all attempts at a page, has no clock that knows what the page is at. */
  protected override explain(reason: unknown): unknown {
    const { activity } = this.clock
    return activity === undefined ? reason : nameUnfinished(reason, activity)
  }

  override [Symbol.dispose](): void {
    this.#stop()
    super[Symbol.dispose]()
  }
}

function describeTimeout(url: string, timeoutMs: number): TrawlError {
  const parsed = parseUrl(url)
  const bareUrl = parsed ? withoutCredentials(parsed).href : url
  const message = `The page took longer than its \`timeout\` of ${timeoutMs} ms`
  return new TrawlError('SCRAPE_TIMEOUT', message, { url: bareUrl })
}

const UNFINISHED = ' had not ended'

/** Names what had not ended when the time of a page was up. @returns any other reason, or one that names it, as it is */
export function nameUnfinished(reason: unknown, activity: string): unknown {
  if (!(reason instanceof TrawlError) || reason.code !== 'SCRAPE_TIMEOUT') return reason
  if (reason.message.endsWith(UNFINISHED)) return reason
  const message = `${reason.message}: ${activity}${UNFINISHED}`
  return new TrawlError('SCRAPE_TIMEOUT', message, { url: reason.url, cause: reason })
}
