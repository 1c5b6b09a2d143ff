import type { Transferable, Worker } from 'node:worker_threads'
import { concatBytes } from '../../concurrency/concat-bytes.js'
import { withTimeout } from '../../concurrency/deadline.js'
import type { Ocr } from '../../ocr/ocr.js'
import { openWorkerCode, type StartWorker } from '../../runtime/worker-thread.js'
import { openOcrChannel } from './ocr-channel.js'
import type { DigestAnswer, DigestTask, WorkAnswer, WorkerMessage, WorkTask } from './worker.js'

/** Limits of a task. */
export interface TaskLimits {
  readonly signal: AbortSignal
  /** Time after which the task fails with {@link TIME_IS_UP}. Milliseconds. */
  readonly limitMs: number
}

/** Error of a task that has taken longer than its limit. */
export const TIME_IS_UP = new Error('the task took too long')

/** The worker threads of digests. */
export interface Threads {
  /**
   * Digests a page in an idle thread or a new one. The caller limits how many run at once. It rejects if a limit is
   * reached, which also ends the thread, and if the page crashes the thread, for example by its need of memory.
   */
  run(task: DigestTask, limits: TaskLimits, ocr?: Ocr): Promise<DigestAnswer>
  /** Runs another task than a digest on a page, with the same rules as `run`. */
  work(task: WorkTask, limits: TaskLimits): Promise<WorkAnswer>
  close(): Promise<void>
}

/**
 * Time until an idle thread ends, in milliseconds. An idle thread does not keep the process alive. Threads are kept
 * because a new one takes twice as long for its first hundred pages, until V8 has compiled the code.
 */
const IDLE_MS = 60_000

/**
 * Starts the first thread, to test that threads can be started.
 *
 * @throws the error if it cannot be started, e.g. because the process has no permission for threads
 */
export async function startThreads(maxHeapMib: number): Promise<Threads> {
  const start = await openWorkerCode({ file: '#digest-worker', packed: () => import('./packed-worker.js') })
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  let isClosed = false
  const open = (): Thread => {
    // They may be closed while a body is copied.
    if (isClosed) throw new Error('the threads were closed')
    const thread = new Thread(start, maxHeapMib, () => {
      threads.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
    })
    threads.add(thread)
    return thread
  }
  const first = open()
  await first.started()
  idle.push(first)
  return {
    async run({ input, plan }, limits, ocr) {
      // A copy is transferred: the caller's bytes stay usable, and no larger buffer behind them crosses.
      const body = await concatBytes([input.body])
      using reading = ocr && withTimeout(limits.signal, limits.limitMs)
      const channel = ocr && reading && openOcrChannel(ocr, reading.signal)
      const thread = idle.pop() ?? open()
      try {
        const task = { input: { ...input, body }, plan, ...(channel && { images: channel.port }) }
        const answer = await thread.run(task, [body.buffer, ...(channel ? [channel.port] : [])], limits)
        if ('result' in answer) throw new Error('the thread gave the answer of another task')
        return answer
      } finally {
        channel?.close()
        if (threads.has(thread)) idle.push(thread)
      }
    },
    async work({ work, page }, limits) {
      const body = await concatBytes([page.body])
      const thread = idle.pop() ?? open()
      try {
        const answer = await thread.run({ work, page: { ...page, body } }, [body.buffer], limits)
        if (!('result' in answer)) throw new Error('the thread gave the answer of another task')
        return answer
      } finally {
        if (threads.has(thread)) idle.push(thread)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...threads].map((thread) => thread.end(new Error('the threads were closed'))))
    },
  }
}

interface Settle {
  resolve(message: WorkerMessage): void
  reject(error: unknown): void
}

/** One worker thread, which does one task at a time. */
class Thread {
  readonly #worker: Worker
  readonly #onEnd: () => void
  readonly #ready: Promise<WorkerMessage>
  #settle: Settle | undefined
  #idle: NodeJS.Timeout | undefined
  #hasEnded = false

  /** @param onEnd called once, when the thread takes no more tasks */
  constructor(start: StartWorker, maxHeapMib: number, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#worker = start({
      // A tree lives for one page: with the small default young generation, a thread spends half its time on moving
      // trees to the old one. With a larger one than this, one move can exceed the 16 MiB that Node leaves a thread
      // that is out of memory, and V8 ends the whole process.
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: 36 },
      // Pages have no use for the host's environment and flags. A rejection that a library does not handle must not end
      // the thread: the PDF library reads all pages when it opens a file, and may never await a broken one.
      env: {},
      execArgv: ['--unhandled-rejections=none'],
    })
    this.#worker.on('message', (message: WorkerMessage) => this.#take()?.resolve(message))
    this.#worker.on('error', (error) => void this.end(error))
    this.#worker.on('exit', () => void this.end(new Error('the thread has ended')))
    this.#ready = this.#next()
    // The task that needs the thread gets the error.
    this.#ready.catch(() => undefined)
  }

  /** Waits until the thread has started. @throws the error of starting it */
  async started(): Promise<void> {
    await this.#ready
    this.#rest()
  }

  async run(
    task: DigestTask | WorkTask,
    transfer: readonly Transferable[],
    { signal, limitMs }: TaskLimits,
  ): Promise<DigestAnswer | WorkAnswer> {
    const stop = (): void => void this.end(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    // A timer of its own: a signal that follows another one costs five times as much.
    const timer = setTimeout(() => void this.end(TIME_IS_UP), limitMs)
    try {
      signal.throwIfAborted()
      clearTimeout(this.#idle)
      this.#worker.ref()
      await this.#ready
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      this.#worker.postMessage(task, transfer)
      const message = await this.#next()
      if (message === 'ready') throw new Error('the thread gave no answer')
      if ('fault' in message) throw new Error(message.fault)
      return message
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#rest()
    }
  }

  /** Ends the thread, and rejects its task with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (!this.#hasEnded) {
      this.#hasEnded = true
      clearTimeout(this.#idle)
      this.#onEnd()
      this.#take()?.reject(reason)
    }
    await this.#worker.terminate()
  }

  #next(): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      if (this.#hasEnded) reject(new Error('the thread has ended'))
      else this.#settle = { resolve, reject }
    })
  }

  #take(): Settle | undefined {
    const settle = this.#settle
    this.#settle = undefined
    return settle
  }

  #rest(): void {
    if (this.#hasEnded) return
    // A task that was aborted before it began has left the timer running.
    clearTimeout(this.#idle)
    this.#worker.unref()
    this.#idle = setTimeout(() => void this.end(new Error('the thread was not needed')), IDLE_MS).unref()
  }
}
