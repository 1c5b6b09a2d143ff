import { WaitingQueue } from './waiting-queue.js'

/** Lets producers wait until a job's queue has room for more rows. */
export class CapacitySignal {
  readonly #waiting = new WaitingQueue()

  /** Makes all waiting producers check again if there is room. To be called after every change that may have made room. */
  recheck(): void {
    this.#waiting.wakeAll()
  }

  /** Waits until `hasRoom` resolves to true. @throws the signal's reason, at the first check after it was aborted */
  async wait(hasRoom: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      // Registered before the check, so that a change during the check is not missed.
      const change = new Promise<void>((resolve) => this.#waiting.add(resolve))
      if (await hasRoom()) return
      await change
    }
  }
}
