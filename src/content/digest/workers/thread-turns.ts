import { RecentMap } from '../../../base/collections/recent-map.js'
import { FairSemaphore } from '../../../base/concurrency/fair-semaphore.js'
import { resolveUrl } from '../../../base/url.js'
import type { Backlog } from './backlog.js'
import type { ThreadCount } from './thread-count.js'
import { QUICK_MS, TAKEN_BACK } from './thread.js'

/**
 * Estimated time of the pages that threads have before they begin them. Milliseconds. A thread that had only the next page
 * was idle for a sixth of a crawl whose pages take 1 ms, and whenever the service around the engine computed for longer.
 */
const AHEAD_MS = 20

/** Maximum number of these pages for each thread. */
const MAX_AHEAD = 16

/** A page or another task for a thread. */
interface Turn {
  readonly url: string
  readonly signal: AbortSignal
  /** Asked for a page that tells when it begins: true if it may be sent before that. @default false */
  readonly mayGoAhead?: () => boolean
}

/** The turns of web hosts in the threads: pages wait here, so that their timeouts do not include the waiting time. */
export class ThreadTurns {
  readonly #turns: FairSemaphore
  readonly #backlog: Backlog
  /** True for a web host whose last page was read quickly. */
  readonly #quickHosts = new RecentMap<string, boolean>(1000)
  readonly #threads: ThreadCount
  /** Number of pages that were sent to a thread without a turn, and that it has not begun. */
  #ahead = 0

  constructor(threads: ThreadCount, backlog: Backlog) {
    this.#threads = threads
    this.#turns = new FairSemaphore(threads.now)
    this.#backlog = backlog
  }

  /** Adapts the turns to the number of threads. */
  resize(): void {
    this.#turns.resize(this.#threads.now)
  }

  /** Lets all that wait, or come later, run at once. For shutdown. */
  removeLimit(): void {
    this.#turns.removeLimit()
  }

  /**
   * Waits for the turn of a page's host. The turn ends with `run`, or at the call of `onBegin` where pages of the host are
   * quick: the thread then has the next page before it has read this one, and does not wait for this thread in between.
   * Some milliseconds of such pages are sent without a wait for their begin, and taken back when a task takes long.
   */
  async run<Result>(turn: Turn, run: (onBegin: () => void) => Promise<Result>): Promise<Result> {
    const host = resolveUrl(turn.url)?.host ?? ''
    for (;;) {
      try {
        return await this.#runOnce(turn, host, run)
      } catch (error) {
        if (error !== TAKEN_BACK) throw error
        this.#quickHosts.set(host, false)
      }
    }
  }

  async #runOnce<Result>(
    { signal, mayGoAhead }: Turn,
    host: string,
    run: (onBegin: () => void) => Promise<Result>,
  ): Promise<Result> {
    let release: (() => void) | undefined = await this.#backlog.during(this.#turns.acquire(host, signal))
    let begunAtMs: number | undefined
    let isAhead = false
    const end = (): void => {
      release?.()
      release = undefined
    }
    const endWait = (): void => {
      if (isAhead) this.#ahead -= 1
      isAhead = false
    }
    const onBegin = (): void => {
      endWait()
      begunAtMs ??= performance.now()
      if (this.#quickHosts.get(host)) end()
    }
    try {
      const running = run(onBegin)
      if (this.#quickHosts.get(host) && this.#hasRoomAhead() && mayGoAhead?.()) {
        isAhead = true
        this.#ahead += 1
        end()
      }
      return await running
    } finally {
      endWait()
      if (begunAtMs !== undefined) {
        const tookMs = performance.now() - begunAtMs
        this.#quickHosts.set(host, tookMs <= QUICK_MS)
        this.#backlog.record(tookMs)
      }
      end()
    }
  }

  #hasRoomAhead(): boolean {
    return this.#ahead < MAX_AHEAD * this.#threads.now && this.#backlog.timeFor(this.#ahead + 1) <= AHEAD_MS
  }
}
