import { concatBytes } from '../../../base/concurrency/concat-bytes.js'
import { withTimeout } from '../../../base/concurrency/deadline.js'
import type { Ocr } from '../../ocr/ocr.js'
import { openWorkerCode, type StartWorker } from '../../../base/runtime/worker-thread.js'
import { openOcrChannel } from './ocr-channel.js'
import { ENDED_BY_OTHER, type TaskLimits, Thread, type ThreadHeap } from './thread.js'
import type { DigestAnswer, DigestTask, WorkAnswer, WorkTask } from './worker.js'

/** The worker threads of digests. */
export interface Threads {
  /**
   * Digests a page in an idle thread or a new one; if there are none, in the one with the fewest tasks, after these. The
   * caller limits how many run at once. It rejects if a limit is reached, which also ends the thread, if the page crashes the
   * thread, for example by its need of memory, and with `TAKEN_BACK`.
   *
   * @param options.ocr reads the text in images of the page
   * @param options.heapMib heap of a new thread for this page alone, in MiB. @default a thread that pages share
   */
  run(task: DigestTask, limits: TaskLimits, options?: { ocr?: Ocr; heapMib?: number }): Promise<DigestAnswer>
  /**
   * True while a thread has started that is not busy with a page that takes long. Threads end after some time without
   * tasks.
   */
  readonly isReady: boolean
  /** True while every thread that gets tasks is busy with one that takes long, and none can be started. */
  readonly areHeld: boolean
  /** Time for which the threads have had tasks so far, all together. Milliseconds. */
  readonly busyMs: number
  /** Runs another task than a digest on a page, with the same rules as `run`. */
  work(task: WorkTask, limits: TaskLimits): Promise<WorkAnswer>
  close(): Promise<void>
}

/**
 * Starts the first thread, to test that threads can be started.
 *
 * @throws the error if it cannot be started, e.g. because the process has no permission for threads
 */
export async function startThreads(options: ThreadOptions): Promise<Threads> {
  const code = openWorkerCode({ file: '#digest-worker', packed: () => import('./packed-worker.js') })
  // Without a wait where the file is there: the caller checks its first request meanwhile.
  const group = new ThreadGroup(code instanceof Promise ? await code : code, options)
  await group.open().started()
  return {
    get isReady() {
      return group.isReady
    },
    get areHeld() {
      return group.areHeld
    },
    get busyMs() {
      return group.busyMs
    },
    async run({ input, plan }, limits, { ocr, heapMib } = {}) {
      const answer = await repeat(async () => {
        // A copy is transferred: the caller's bytes stay usable, and no larger buffer behind them crosses.
        const body = await concatBytes([input.body])
        using reading = ocr && withTimeout(limits.signal, limits.limitMs)
        const channel = ocr && reading && openOcrChannel(ocr, reading.signal)
        try {
          const own = { ...input, body }
          const task = channel ? { input: own, plan, images: channel.port } : { input: own, plan }
          const thread = group.choose(limits.signal, heapMib)
          try {
            return await thread.run(task, channel ? [body.buffer, channel.port] : [body.buffer], limits)
          } finally {
            if (heapMib !== undefined) await thread.end(new Error('the page was read'))
          }
        } finally {
          channel?.close()
        }
      })
      if ('result' in answer) throw new Error('the thread gave the answer of another task')
      return answer
    },
    async work({ work, page }, limits) {
      const answer = await repeat(async () => {
        const body = await concatBytes([page.body])
        return await group.choose(limits.signal).run({ work, page: { ...page, body } }, [body.buffer], limits)
      })
      if (!('result' in answer)) throw new Error('the thread gave the answer of another task')
      return answer
    },
    close: () => group.close(),
  }
}

/** Runs a task until no other task ends its thread. */
async function repeat<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (error !== ENDED_BY_OTHER) throw error
    }
  }
}

/** Settings of the threads. */
interface ThreadOptions extends ThreadHeap {
  /** The number of threads that get tasks. */
  readonly count: { readonly now: number }
}

/** The living threads, started as they are needed. */
class ThreadGroup {
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
