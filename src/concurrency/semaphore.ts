import { enqueueWaiter } from './enqueue-waiter.js'

/** So many places, taken in the order in which they are asked for. */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(size: number) {
    this.#free = size
  }

  /** Waits for a place and takes it. @throws the signal's reason, when it aborts first */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await enqueueWaiter(this.#waiting, signal)
  }

  give(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    // The place changes hands without being free in between.
    this.#waiting.delete(next)
    next()
  }
}
