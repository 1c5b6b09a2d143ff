/** Clock of a page's time. It is paused while the page waits in a queue for a shared resource. */
export interface PageClock {
  /** Calls `done` after this much of the page's time. @returns a function that cancels the call */
  after(ms: number, done: () => void): () => void
  /** Waits for a turn in a queue, and pauses the clock meanwhile. */
  hold<T>(turn: Promise<T>): Promise<T>
  /** Total pause so far. Milliseconds. */
  readonly heldMs: number
}

interface Timer {
  leftMs: number
  startedAtMs: number
  handle: NodeJS.Timeout | undefined
  readonly done: () => void
}

/** Starts a clock. It keeps the process alive as long as it has a call to make. */
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
    async hold(turn) {
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
    get heldMs() {
      return heldBeforeMs + (holds > 0 ? performance.now() - heldSinceMs : 0)
    },
  }
}

/** Returns a function that gives the rest of `ms` from now on, by a page's clock. Milliseconds, at least 1. */
export function countDown(ms: number, clock: PageClock): () => number {
  const startedAtMs = performance.now() - clock.heldMs
  return () => Math.max(1, Math.round(ms - (performance.now() - clock.heldMs - startedAtMs)))
}
