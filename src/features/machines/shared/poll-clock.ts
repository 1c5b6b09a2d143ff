/** Longest time between two polls while there is something to ask. Milliseconds. */
const POLL_MS = 500
/** Shortest time between two polls, however often other engines call. Milliseconds. */
const MIN_POLL_MS = 100

/** Demand for polls. `waiting`: a caller waits for the answer, which keeps the process alive. */
type PollDemand = 'none' | 'idle' | 'waiting'

/** Asks a server twice a second, and sooner when it is told to, one poll at a time. */
export class PollClock {
  readonly #poll: () => Promise<void>
  readonly #demand: () => PollDemand
  #timer: NodeJS.Timeout | undefined
  #isPolling = false
  #isHurried = false
  #isClosed = false
  #polledAtMs = -Infinity

  /** @param poll must not reject */
  constructor(poll: () => Promise<void>, demand: () => PollDemand) {
    this.#poll = poll
    this.#demand = demand
  }

  /** Polls as soon as the least interval allows. */
  hurry(): void {
    this.#isHurried = true
    this.schedule()
  }

  /** Plans the next poll; to be called when the demand has changed. */
  schedule(): void {
    clearTimeout(this.#timer)
    const demand = this.#demand()
    if (this.#isClosed || this.#isPolling || demand === 'none') return
    const dueMs = this.#polledAtMs + (this.#isHurried ? MIN_POLL_MS : POLL_MS)
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, dueMs - performance.now()))
    if (demand === 'idle') this.#timer.unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#isPolling = true
    this.#isHurried = false
    await this.#poll()
    this.#polledAtMs = performance.now()
    this.#isPolling = false
    this.schedule()
  }
}
