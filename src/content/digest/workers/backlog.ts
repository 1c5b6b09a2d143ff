import { WaitingQueue } from '../../../base/concurrency/waiting-queue.js'

/** Time of a page in a thread before any was read. Milliseconds. */
const FIRST_PAGE_MS = 5
/** A page counts with at most this time: one slow page tells nothing about those that wait. Milliseconds. */
const MAX_PAGE_MS = 50
/** Weight of the last page in the average. */
const LAST_WEIGHT = 0.03

/** The pages that have been fetched and wait for a thread. */
export class Backlog {
  readonly #threads: { readonly now: number }
  #pageMs = FIRST_PAGE_MS
  #waitedMs = 0
  #waiting = 0
  readonly #jobs = new WaitingQueue()

  /** @param threads number of threads that read pages */
  constructor(threads: { readonly now: number }) {
    this.#threads = threads
  }

  /** True while no page waits: a page that comes now is read as soon as a thread has no other. */
  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  /** Average time for which the last pages waited. Milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Estimate of the time in which the threads read so many pages; 0 without threads. Milliseconds. */
  timeFor(pages: number): number {
    return this.#threads.now === 0 ? 0 : (pages * this.#pageMs) / this.#threads.now
  }

  /** Measures the time until a page has its turn. */
  async during<Turn>(turn: Promise<Turn>): Promise<Turn> {
    const startedAtMs = performance.now()
    this.#waiting += 1
    try {
      return await turn
    } finally {
      this.#waiting -= 1
      this.#waitedMs += (performance.now() - startedAtMs - this.#waitedMs) * LAST_WEIGHT
      this.#jobs.wakeAll()
    }
  }

  /** Records how long a thread took to read a page. */
  record(tookMs: number): void {
    this.#pageMs += (Math.min(tookMs, MAX_PAGE_MS) - this.#pageMs) * LAST_WEIGHT
  }

  /** Calls `wake` once, when a page that waited has its turn. */
  addWaiter(wake: () => void): void {
    this.#jobs.add(wake)
  }

  removeWaiter(wake: () => void): void {
    this.#jobs.delete(wake)
  }
}
