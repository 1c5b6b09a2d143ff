/** The time that a page may take: it stands still while the page waits for its turn at what others use as well. */
export interface PageClock {
  /** Runs `done` when so much of the page's time has gone. Gives back what prevents it. */
  after(ms: number, done: () => void): () => void
  /** Waits for a turn, and holds the clock meanwhile. */
  hold<T>(turn: Promise<T>): Promise<T>
  /** How long it has stood still so far. Milliseconds. */
  readonly heldMs: number
}

interface Timer {
  leftMs: number
  startedAtMs: number
  handle: NodeJS.Timeout | undefined
  readonly done: () => void
}

/** A clock that runs. It keeps the process alive as long as something is to be run after a time. */
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

/** How much is left of a page's time, from now on: asked as often as one likes. Milliseconds, at least 1. */
export function countDown(ms: number, clock: PageClock): () => number {
  const startedAtMs = performance.now() - clock.heldMs
  return () => Math.max(1, Math.round(ms - (performance.now() - clock.heldMs - startedAtMs)))
}
