import type { StartWorker } from '../../../base/runtime/worker-thread.js'
import { Thread, type ThreadHeap } from './thread.js'

/** Settings of the threads. */
export interface ThreadOptions extends ThreadHeap {
  /** The number of threads that get tasks. */
  readonly count: { readonly now: number }
}

/** The living threads, started as they are needed. */
export class ThreadGroup {
  readonly #start: StartWorker
  readonly #count: ThreadOptions['count']
  readonly #maxHeapMib: number
  readonly #maxYoungMib: number | undefined
  readonly #shared = new Set<Thread>()
  /** Threads of single pages. */
  readonly #large = new Set<Thread>()
  /** Maximum number of shared threads that the machine gives the process. */
  #most = Infinity
  /** Time for which the threads that have ended had tasks. Milliseconds. */
  #endedBusyMs = 0
  #isClosed = false

  constructor(start: StartWorker, { count, maxHeapMib, maxYoungMib }: ThreadOptions) {
    this.#start = start
    this.#count = count
    this.#maxHeapMib = maxHeapMib
    this.#maxYoungMib = maxYoungMib
  }

  get isReady(): boolean {
    return this.#inUse.some(({ isReady }) => isReady)
  }

  get areHeld(): boolean {
    return this.#isFull && this.#inUse.every(({ isHeld }) => isHeld)
  }

  get busyMs(): number {
    return [...this.#shared, ...this.#large].reduce((sum, thread) => sum + thread.busyMs, this.#endedBusyMs)
  }

  /** Starts a thread that pages share. @throws the error of starting it */
  open(): Thread {
    return this.#open(this.#shared, this.#maxHeapMib)
  }

  /**
   * Chooses the thread of a task: an idle one, a new one, or the one with the fewest tasks.
   *
   * @param heapMib heap of a thread for this task alone. @default a thread that pages share
   *
   * @throws the signal's reason; the error of starting a thread where there is none
   */
  choose(signal: AbortSignal, heapMib?: number): Thread {
    // A body may take some time to copy.
    signal.throwIfAborted()
    if (this.#isClosed) throw new Error('the threads were closed')
    if (heapMib !== undefined) return this.#open(this.#large, heapMib)
    const [best] = this.#inUse.sort(
      (one, other) => Number(one.isHeld) - Number(other.isHeld) || one.tasks - other.tasks,
    )
    if (best && (best.tasks === 0 || this.#isFull)) return best
    try {
      return this.open()
    } catch (error) {
      if (best === undefined) throw error
      this.#most = this.#shared.size
      return best
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#shared, ...this.#large]
    await Promise.all(all.map((thread) => thread.end(new Error('the threads were closed'))))
  }

  get #isFull(): boolean {
    return this.#shared.size >= Math.min(this.#count.now, this.#most)
  }

  /** The threads that get tasks. Any other ends after some time without one. */
  get #inUse(): Thread[] {
    return [...this.#shared].slice(0, this.#count.now)
  }

  #open(kind: Set<Thread>, heapMib: number): Thread {
    const thread = new Thread(this.#start, { maxHeapMib: heapMib, maxYoungMib: this.#maxYoungMib }, () => {
      kind.delete(thread)
      this.#endedBusyMs += thread.busyMs
    })
    kind.add(thread)
    return thread
  }
}
