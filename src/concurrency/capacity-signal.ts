/** Who waits until there is room for more in a job's queue. */
export class CapacitySignal {
  readonly #waiting = new Set<() => void>()

  /** Something has changed: who waits looks again. */
  look(): void {
    for (const look of this.#waiting) look()
  }

  /** Waits until there is room. @throws the signal's reason, at the next look after it was aborted */
  async await(hasRoom: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      // Looked for before it is asked: what ends in between is not missed.
      const change = new Promise<void>((resolve) => {
        const look = (): void => {
          this.#waiting.delete(look)
          resolve()
        }
        this.#waiting.add(look)
      })
      if (await hasRoom()) return
      await change
    }
  }
}
