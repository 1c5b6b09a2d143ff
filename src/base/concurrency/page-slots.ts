import { WaitingQueue } from './waiting-queue.js'

/**
 * Limits how many pages an engine works on at once, over all of its jobs. Each page holds one slot. A page that only
 * waits for the network may lend its slot to another page, and reacquires one when the response has arrived.
 */
export class PageSlots {
  readonly #size: number
  readonly #maxLent: number
  #taken = 0
  #lent = 0
  /** Pages that have lent their slots and wait for one again. They come before all others. */
  readonly #returning = new WaitingQueue()
  /** Callbacks of jobs to notify when a slot is released. */
  readonly #jobs = new WaitingQueue()
  /** Single pages, outside a job, that wait for a slot. */
  readonly #singles = new WaitingQueue()
  #isSinglesTurn = true

  /**
   * @param size maximum number of pages that hold a slot
   * @param maxLent maximum number of pages without a slot, in addition to `size`, because they have lent it. @default 0
   */
  constructor(size: number, maxLent = 0) {
    this.#size = size
    this.#maxLent = maxLent
  }

  get hasFree(): boolean {
    return this.#taken < this.#size
  }

  tryAcquire(): boolean {
    if (!this.hasFree) return false
    this.#taken += 1
    return true
  }

  /** Lends the slot of a page that only waits for the network. @returns false when the maximum number of slots is lent already */
  lend(): boolean {
    if (this.#lent >= this.#maxLent) return false
    this.#lent += 1
    this.release()
    return true
  }

  /**
   * Acquires a slot for a page that has lent its own, before all others that wait.
   * @throws the signal's reason, if it aborts first
   */
  async reacquire(signal: AbortSignal): Promise<void> {
    if (!this.tryAcquire()) await this.#returning.wait(signal)
    this.#lent -= 1
  }

  /** Ends the loan of a page that needs no slot any more, so that another page can lend its slot. */
  endLoan(): void {
    this.#lent -= 1
  }

  /** Releases a slot. It goes to single pages and to jobs in turn, so that neither keeps the other waiting. */
  release(): void {
    // The slot goes straight to the waiting page, without being free in between, so that no other page overtakes it.
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
    if (this.#singles.size > 0) this.#serveSingles()
  }

  /** Calls `wake` once, when a slot is released. */
  addWaiter(wake: () => void): void {
    this.#jobs.add(wake)
  }

  removeWaiter(wake: () => void): void {
    this.#jobs.delete(wake)
  }

  /** Waits for a slot and acquires it, for a single page. @throws the signal's reason, when it aborts first */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#singles.size === 0 && this.tryAcquire()) return
    await this.#singles.wait(signal)
  }

  /** Gives slots that no job has acquired to single pages that wait. */
  #serveSingles(): void {
    setImmediate(() => {
      while (this.#singles.size > 0 && this.tryAcquire()) this.#singles.wakeNext()
    })
  }
}
