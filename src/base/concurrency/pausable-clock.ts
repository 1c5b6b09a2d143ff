/** Clock that measures the time spent on a page. It is paused while the page waits in a queue for a shared resource. */
export interface PageClock {
  /** Calls `done` when the clock has run for this many milliseconds. @returns a function that cancels the call */
  after(ms: number, done: () => void): () => void
  /** Pauses the clock until the promise settles. Returns the result of the promise. */
  pauseDuring<T>(turn: Promise<T>): Promise<T>
  /** Adds time that was spent on the page elsewhere, by another clock. */
  advance(ms: number): void
  /** Total time for which the clock was paused so far, less the time that was added. Milliseconds. */
  readonly pausedMs: number
  /** The step that the page's time is spent on, which the message of its deadline names. */
  activity: string | undefined
}

interface Timer {
  leftMs: number
  startedAtMs: number
  handle: NodeJS.Timeout | undefined
  readonly done: () => void
}

/** Starts a clock. It keeps the process alive while a call of `after` is due. */
export const createPageClock = (): PageClock => new PausableClock()

class PausableClock implements PageClock {
  activity: string | undefined
  readonly #timers = new Set<Timer>()
  #holds = 0
  #heldBeforeMs = 0
  #heldSinceMs = 0

  after(ms: number, done: () => void): () => void {
    const timer: Timer = { leftMs: ms, startedAtMs: 0, handle: undefined, done }
    this.#timers.add(timer)
    if (this.#holds === 0) this.#run(timer)
    return () => {
      clearTimeout(timer.handle)
      this.#timers.delete(timer)
    }
  }

  async pauseDuring<T>(turn: Promise<T>): Promise<T> {
    if (this.#holds++ === 0) {
      this.#heldSinceMs = performance.now()
      for (const timer of this.#timers) stop(timer)
    }
    try {
      return await turn
    } finally {
      if (--this.#holds === 0) {
        this.#heldBeforeMs += performance.now() - this.#heldSinceMs
        for (const timer of this.#timers) this.#run(timer)
      }
    }
  }

  advance(ms: number): void {
    this.#heldBeforeMs -= ms
    for (const timer of this.#timers) {
      if (this.#holds === 0) stop(timer)
      timer.leftMs = Math.max(0, timer.leftMs - ms)
      if (this.#holds === 0) this.#run(timer)
    }
  }

  get pausedMs(): number {
    return this.#heldBeforeMs + (this.#holds > 0 ? performance.now() - this.#heldSinceMs : 0)
  }

  #run(timer: Timer): void {
    timer.startedAtMs = performance.now()
    timer.handle = setTimeout(() => {
      this.#timers.delete(timer)
      timer.done()
    }, timer.leftMs)
  }
}

function stop(timer: Timer): void {
  clearTimeout(timer.handle)
  timer.leftMs = Math.max(0, timer.leftMs - (performance.now() - timer.startedAtMs))
}

/** Starts a countdown of `ms` by a page's clock. The returned function gives the time left. Milliseconds, at least 1. */
export function startCountdown(ms: number, clock: PageClock): () => number {
  const startedAtMs = performance.now() - clock.pausedMs
  return () => Math.max(1, Math.round(ms - (performance.now() - clock.pausedMs - startedAtMs)))
}
