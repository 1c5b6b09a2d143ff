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
}

interface Timer {
  leftMs: number
  startedAtMs: number
  handle: NodeJS.Timeout | undefined
  readonly done: () => void
}

/** Starts a clock. It keeps the process alive while a call of `after` is due. */
export function createPageClock(): PageClock {
  const timers = new Set<Timer>()
  let holds = 0
  let heldBeforeMs = 0
  let heldSinceMs = 0

  const run = (timer: Timer): void => {
    timer.startedAtMs = performance.now()
    timer.handle = setTimeout(() => {
      timers.delete(timer)
      timer.done()
    }, timer.leftMs)
  }
  const stop = (timer: Timer): void => {
    clearTimeout(timer.handle)
    timer.leftMs = Math.max(0, timer.leftMs - (performance.now() - timer.startedAtMs))
  }

  return {
    after(ms, done) {
      const timer: Timer = { leftMs: ms, startedAtMs: 0, handle: undefined, done }
      timers.add(timer)
      if (holds === 0) run(timer)
      return () => {
        clearTimeout(timer.handle)
        timers.delete(timer)
      }
    },
    async pauseDuring(turn) {
      if (holds++ === 0) {
        heldSinceMs = performance.now()
        for (const timer of timers) stop(timer)
      }
      try {
        return await turn
      } finally {
        if (--holds === 0) {
          heldBeforeMs += performance.now() - heldSinceMs
          for (const timer of timers) run(timer)
        }
      }
    },
    advance(ms) {
      heldBeforeMs -= ms
      for (const timer of timers) {
        if (holds === 0) stop(timer)
        timer.leftMs = Math.max(0, timer.leftMs - ms)
        if (holds === 0) run(timer)
      }
    },
    get pausedMs() {
      return heldBeforeMs + (holds > 0 ? performance.now() - heldSinceMs : 0)
    },
  }
}

/** Starts a countdown of `ms` by a page's clock. The returned function gives the time left. Milliseconds, at least 1. */
export function startCountdown(ms: number, clock: PageClock): () => number {
  const startedAtMs = performance.now() - clock.pausedMs
  return () => Math.max(1, Math.round(ms - (performance.now() - clock.pausedMs - startedAtMs)))
}
