/** Callers that wait, first come, first served. */
export class WaitingQueue {
  readonly #wakers = new Set<() => void>()

  get size(): number {
    return this.#wakers.size
  }

  /**
   * Waits until this caller is woken.
   *
   * @param onAbort called when the signal aborts the wait
   * @throws the signal's reason
   */
  wait(signal: AbortSignal, onAbort = (): void => undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#wakers.delete(wake)
        onAbort()
        reject(signal.reason)
      }
      signal.throwIfAborted()
      signal.addEventListener('abort', leave, { once: true })
      this.#wakers.add(wake)
    })
  }

  /** Adds a function that is called once, when its turn comes. */
  add(wake: () => void): void {
    this.#wakers.add(wake)
  }

  /** Removes a function that {@link add} has added. */
  delete(wake: () => void): void {
    this.#wakers.delete(wake)
  }

  /** Wakes the caller that has waited longest. @returns false when there is none */
  wakeNext(): boolean {
    const [wake] = this.#wakers
    if (!wake) return false
    this.#wakers.delete(wake)
    wake()
    return true
  }

  /** Wakes all callers that wait now; one that then waits again is woken by the next call. */
  wakeAll(): void {
    const wakers = [...this.#wakers]
    this.#wakers.clear()
    for (const wake of wakers) wake()
  }
}
