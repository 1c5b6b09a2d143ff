import { WaitingQueue } from './waiting-queue.js'

/** Limits how many callers do something at once; the others wait in the order in which they came. */
export class Semaphore {
  #free: number
  readonly #waiting = new WaitingQueue()

  constructor(size: number) {
    this.#free = size
  }

  /** Waits for a permit and takes it. @throws the signal's reason, when it aborts first */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await this.#waiting.wait(signal)
  }

  /** Returns a permit. It passes to the next caller without being free in between, so that nobody overtakes. */
  give(): void {
    if (!this.#waiting.wakeNext()) this.#free += 1
  }
}
