/** So many places, taken in the order in which they are asked for. */
export class Places {
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
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.#waiting.delete(enter)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(enter)
    })
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
