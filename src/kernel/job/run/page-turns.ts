import { onAbort } from '../../../base/concurrency/on-abort.js'
import { boundDelay } from '../../../base/concurrency/timer-limit.js'
import type { JobParts } from './job-recorder.js'

/**
 * Maximum time for which a page that is being fetched keeps the pages leased after it from being processed. Milliseconds.
 */
const HOLD_TURN_MS = 5000

/** Creates the turns of the pages of a job with a guide; undefined for others. */
export const createPageTurns = ({
  strategy: { crawl, plan },
  tools: { waitNow: now },
  wake,
}: JobParts): PageTurns | undefined => {
  const guide = crawl?.guide
  return guide && new PageTurns({ size: () => Math.min(plan.throttle.maxConcurrency, guide.maxPagesAtOnce), now, wake })
}

/** A leased page that is not processed yet. */
interface Turn {
  readonly key: string
  readonly leasedAtMs: number
  /** Set when the page waits to be processed. */
  proceed?: () => void
  /** True while the page is being processed. */
  isGranted: boolean
}

/** Parts that the turns work with. */
interface PageTurnsOptions {
  /** Maximum number of pages leased and not processed. It changes only while a page is processed. */
  size(): number
  now(): number
  /** Called when a page may be leased that could not be before. */
  wake(): void
}

/**
 * Processes pages one by one, in the order in which they were leased, so that a job chooses its pages in the same order
 * whatever the latencies are.
 *
 * The next step depends on the queue alone: while there is room, and the queue has a row, a row is leased; otherwise the
 * first page that was leased is processed. With `size` pages, the choice of page n + `size` therefore depends on pages 1
 * to n and no others. A page gives its turn up when it is to be retried, or takes longer than five seconds.
 */
export class PageTurns {
  readonly #options: PageTurnsOptions
  /** Leased pages, in order of their leases. */
  readonly #turns: Turn[] = []
  #isLeasing = false
  #hasLeased = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: PageTurnsOptions) {
    this.#options = options
  }

  get #mayLease(): boolean {
    return !this.#isBusy && this.#turns.length < this.#options.size()
  }

  get #isBusy(): boolean {
    return this.#isLeasing || this.#turns.some(({ isGranted }) => isGranted)
  }

  /**
   * Returns true if a page is to be leased next. Otherwise the first page that waits is processed.
   *
   * @param hasRow returns true if the queue has a row
   * @param isReadingAhead true while sitemaps are being read: after the first page, the order would depend on how soon they
   *   answer
   */
  async isNext(hasRow: () => Promise<boolean>, isReadingAhead: boolean): Promise<boolean> {
    if (this.#hasLeased && isReadingAhead) return false
    if (this.#mayLease && (await hasRow())) return true
    this.grant()
    return false
  }

  /** Leases a page, if one may be leased now. @param lease returns undefined when no page can be leased */
  async lease<Row extends { readonly key: string }>(lease: () => Promise<Row | undefined>): Promise<Row | undefined> {
    if (!this.#mayLease) return undefined
    this.#isLeasing = true
    try {
      const row = await lease()
      if (row) {
        this.#hasLeased = true
        this.#turns.push({ key: row.key, leasedAtMs: this.#options.now(), isGranted: false })
      }
      return row
    } finally {
      this.#isLeasing = false
      this.#advance()
    }
  }

  /** Waits until a page may be processed. @returns false when the signal aborts before */
  async wait(key: string, signal: AbortSignal): Promise<boolean> {
    const turn = this.#turns.find((one) => one.key === key)
    if (!turn || signal.aborted) return !signal.aborted
    return new Promise((resolve) => {
      const cancel = (): void => resolve(false)
      turn.proceed = () => {
        signal.removeEventListener('abort', cancel)
        resolve(true)
      }
      onAbort(signal, cancel)
      this.#advance()
    })
  }

  /** Ends the turn of a page, processed or not. */
  end(key: string): void {
    const at = this.#turns.findIndex((turn) => turn.key === key)
    if (at >= 0) this.#turns.splice(at, 1)
    this.#advance()
  }

  /** Lets the first page proceed, because no page is leased before: the queue is empty, or the job is to lease none. */
  grant(): void {
    clearTimeout(this.#timer)
    if (this.#isBusy) return
    const nowMs = this.#options.now()
    for (const turn of this.#turns) {
      if (turn.proceed) {
        turn.isGranted = true
        return turn.proceed()
      }
      const leftMs = turn.leasedAtMs + HOLD_TURN_MS - nowMs
      if (leftMs <= 0) continue
      this.#timer = setTimeout(() => this.#advance(), boundDelay(leftMs))
      return
    }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  /** Takes the next step: processes a page when there is no room for another one, else has the job look for a row. */
  #advance(): void {
    if (this.#turns.length >= this.#options.size()) this.grant()
    else this.#options.wake()
  }
}
