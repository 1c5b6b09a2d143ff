import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Time for which the threads are measured before their number is decided anew. Milliseconds. */
const SPAN_MS = 1000
/**
 * Time for which the spare thread must be needed before it begins, in all such spans together. A new thread compiles the code
 * anew, which takes 1.6 s of processor time for pages of one generator, and 5 s for pages of many sites: crawls of 5 and of
 * 15 seconds were a twelfth and a twentieth slower with it. A long one gains a tenth. Milliseconds.
 */
const NEEDED_MS = 10_000
/** Share of the time that the host's thread may be at work when the spare thread begins, and while it goes on. */
const HOST_IS_FREE = 0.6
const HOST_IS_BUSY = 0.7
/**
 * Time that all threads together have pages when the spare one begins, and while it goes on, as a share of the time of the
 * usual ones.
 */
const THREADS_ARE_BUSY = 0.9
const THREADS_ARE_FREE = 0.6
/** Share of all cores that the process may use when the spare thread begins: its other threads may have much to do. */
const CORES_ARE_BUSY = 0.9

/** Numbers of threads. */
export interface ThreadNumbers {
  readonly threads: number
  /**
   * One more thread than this reads pages on the core of the host's thread, while all of them are busy and that one is not.
   * @default false
   */
  readonly spareThread?: boolean
}

/** The number of threads that read pages at once. It changes with the work of the host's thread if there is a spare one. */
export class ThreadCount {
  readonly #usual: number
  readonly #hasSpare: boolean
  #isSpareAtWork = false
  /** Time for which the spare thread was needed, since the usual ones last had time left. Milliseconds. */
  #neededMs = 0
  #sinceMs = performance.now()
  readonly #host = new HostLoad()
  #busyMs = 0
  #cpu = process.cpuUsage()

  constructor({ threads, spareThread = false }: ThreadNumbers) {
    this.#usual = threads
    this.#hasSpare = spareThread && threads > 0
  }

  get now(): number {
    return this.#usual + (this.#isSpareAtWork ? 1 : 0)
  }

  /**
   * Decides the number anew, at most once in {@link SPAN_MS}.
   *
   * @param busyMs time for which the threads have had pages so far, all together
   *
   * @returns true if it has changed
   */
  update(busyMs: number): boolean {
    if (!this.#hasSpare) return false
    const nowMs = performance.now()
    const tookMs = nowMs - this.#sinceMs
    if (tookMs < SPAN_MS) return false
    const host = this.#host.take() ?? 1
    const busy = (busyMs - this.#busyMs) / tookMs / this.#usual
    const { user, system } = process.cpuUsage(this.#cpu)
    const cores = (user + system) / 1000 / tookMs / (this.#usual + 1)
    this.#sinceMs = nowMs
    this.#busyMs = busyMs
    this.#cpu = process.cpuUsage()
    const before = this.#isSpareAtWork
    const isNeeded = host < HOST_IS_FREE && busy > THREADS_ARE_BUSY && cores < CORES_ARE_BUSY
    if (busy < THREADS_ARE_FREE) this.#neededMs = 0
    else if (isNeeded) this.#neededMs += tookMs
    this.#isSpareAtWork = before
      ? host < HOST_IS_BUSY && busy > THREADS_ARE_FREE
      : isNeeded && this.#neededMs >= NEEDED_MS
    return this.#isSpareAtWork !== before
  }
}

/** Measures how much work the calling thread has. */
class HostLoad {
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
