import { WaitingQueue } from './waiting-queue.js'

/** The pages that an engine may work on at once, over all its jobs. */
export class PageSlots {
  readonly #size: number
  readonly #maxLent: number
  #taken = 0
  #lent = 0
  /** Pages whose wait is over, each to be given a place before all others. */
  readonly #returning = new WaitingQueue()
  /** Jobs that are to be told when a place is given back. */
  readonly #jobs = new WaitingQueue()
  /** Single pages, each to be given a place in its turn. */
  readonly #singles = new WaitingQueue()
  #isSinglesTurn = true

  /** @param maxLent pages that may wait for the network beside those, without a place. @default 0 */
  constructor(size: number, maxLent = 0) {
    this.#size = size
    this.#maxLent = maxLent
  }

  get hasFree(): boolean {
    return this.#taken < this.#size
  }

  take(): boolean {
    if (!this.hasFree) return false
    this.#taken += 1
    return true
  }

  /** Lends the place of a page that only waits for the network; false when as many are lent as may be. */
  lend(): boolean {
    if (this.#lent >= this.#maxLent) return false
    this.#lent += 1
    this.give()
    return true
  }

  /** Takes a place again for a page that has lent its own, before all who wait. @throws the signal's reason, when it aborts first */
  async takeBack(signal: AbortSignal): Promise<void> {
    if (!this.take()) await this.#returning.wait(signal)
    this.#lent -= 1
  }

  /** Gives up the place of a page that has lent it, and does not need it any more. */
  forfeit(): void {
    this.#lent -= 1
  }

  /** Gives a place back: to a single page and to the jobs by turns, so that neither keeps the other waiting. */
  give(): void {
    // The slot passes on without being free in between, so that nobody overtakes.
    if (this.#returning.wakeNext()) return
    if (this.#singles.size > 0 && (this.#isSinglesTurn || this.#jobs.size === 0)) {
      this.#isSinglesTurn = false
      this.#singles.wakeNext()
      return
    }
    this.#isSinglesTurn = true
    this.#taken -= 1
    // A job that gets no slot waits again, behind the others.
    this.#jobs.wakeAll()
    this.#serveSingles()
  }

  /** Calls `tell` once, when a place is given back. */
  wait(tell: () => void): void {
    this.#jobs.add(tell)
  }

  forget(tell: () => void): void {
    this.#jobs.delete(tell)
  }

  /** Waits for a place and takes it. @throws the signal's reason, when it aborts first */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#singles.size === 0 && this.take()) return
    await this.#singles.wait(signal)
  }

  /** A place that the jobs were told of and did not want must not stay empty while single pages wait. */
  #serveSingles(): void {
    if (this.#singles.size === 0) return
    setImmediate(() => {
      while (this.#singles.size > 0 && this.take()) this.#singles.wakeNext()
    })
  }
}
