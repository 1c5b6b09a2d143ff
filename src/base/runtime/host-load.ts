import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Measures how much work the calling thread has. */
export class HostLoad {
  #last: EventLoopUtilization | undefined = read()

  /**
   * Returns the share of the time since the last call in which the thread's event loop was at work.
   *
   * @returns undefined where the runtime does not measure it
   */
  take(): number | undefined {
    const before = this.#last
    this.#last = read()
    if (before === undefined || this.#last === undefined) return undefined
    const active = this.#last.active - before.active
    const whole = active + this.#last.idle - before.idle
    return whole > 0 ? active / whole : undefined
  }
}

/** Reads the times. A runtime that does not measure them has no such function, or gives nothing, or zeros. */
function read(): EventLoopUtilization | undefined {
  const times = performance.eventLoopUtilization?.() as EventLoopUtilization | undefined
  return times?.active === undefined ? undefined : times
}
