import { WaitingQueue } from './waiting-queue.js'

/** Limits how many pages an engine works on at once, over all its jobs. */
export class PageSlots {
  readonly #size: number
  readonly #maxLent: number
  #taken = 0
  #lent = 0
  /** Pages that have lent their slots and need one again: they come before all others. */
  readonly #returning = new WaitingQueue()
  /** Jobs to notify when a slot is returned. */
  readonly #jobs = new WaitingQueue()
  /** Single pages, outside a job. */
  readonly #singles = new WaitingQueue()
  #isSinglesTurn = true

  /**
   * @param maxLent maximum number of pages that wait for the network without a slot, in addition to `size`. @default 0
   */
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

  /** Lends the slot of a page that only waits for the network. @returns false when the maximum is lent already */
  lend(): boolean {
    if (this.#lent >= this.#maxLent) return false
    this.#lent += 1
    this.give()
    return true
  }

  /**
   * Takes a slot for a page that has lent its own, before all who wait. @throws the signal's reason, when it aborts
   * first
   */
  async takeBack(signal: AbortSignal): Promise<void> {
    if (!this.take()) await this.#returning.wait(signal)
    this.#lent -= 1
  }

  /** Ends the loan of a page that does not need its slot any more. */
  forfeit(): void {
    this.#lent -= 1
  }

  /** Returns a slot: to a single page and to the jobs by turns, so that neither keeps the other waiting. */
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

  /** Calls `tell` once, when a slot is returned. */
  wait(tell: () => void): void {
    this.#jobs.add(tell)
  }

  forget(tell: () => void): void {
    this.#jobs.delete(tell)
  }

  /** Waits for a slot and takes it. @throws the signal's reason, when it aborts first */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#singles.size === 0 && this.take()) return
    await this.#singles.wait(signal)
  }

  /** A slot that no job has taken must not stay free while single pages wait. */
  #serveSingles(): void {
    if (this.#singles.size === 0) return
    setImmediate(() => {
      while (this.#singles.size > 0 && this.take()) this.#singles.wakeNext()
    })
  }
}
