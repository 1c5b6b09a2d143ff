import { WaitingQueue } from './waiting-queue.js'

/** Limits how many callers do something at once. The others wait, first come, first served. */
export class Semaphore {
  #free: number
  readonly #waiting = new WaitingQueue()

  constructor(size: number) {
    this.#free = size
  }

  /** Waits for a permit and acquires it. @throws the signal's reason, when it aborts first */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await this.#waiting.wait(signal)
  }

  /** Releases a permit. It goes straight to the caller that has waited longest, so that no other caller overtakes it. */
  release(): void {
    if (!this.#waiting.wakeNext()) this.#free += 1
  }
}
