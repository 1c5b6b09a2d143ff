import type { Transferable, Worker } from 'node:worker_threads'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import type { StartWorker } from '../../../base/runtime/worker-thread.js'
import { BEGUN, ENDED, NOTES_LENGTH, placeOfCancelled } from './worker.js'
import type { DigestAnswer, DigestTask, SentTask, TaskOutcome, WorkAnswer } from './worker.js'
import type { WorkerMessage, WorkerStart, WorkTask } from './worker.js'

/** Limits of a task. */
export interface TaskLimits {
  readonly signal: AbortSignal
  /**
   * Time after which the task fails with {@link TIME_IS_UP}, from the end of the task before it. Milliseconds. A task gets
   * this time again, up to three times, if the machine hardly gave the process processor time.
   */
  readonly limitMs: number
  /** Called when the thread has no earlier task. */
  readonly onBegin?: () => void
}

/** Error of a task that has taken longer than its limit. */
export const TIME_IS_UP = new Error('the task took too long')

/** Error of a task that has no answer because another task ended its thread. It can be repeated in another thread. */
export const ENDED_BY_OTHER = new Error('another task ended the thread')

/**
 * Error of a page that was taken back from its thread, because the task before it takes longer than {@link QUICK_MS}. It
 * waits for a turn again, so that pages of other hosts are not behind it.
 */
export const TAKEN_BACK = new Error('the task before takes long')

/** Time of a task up to which it counts as quick. Milliseconds. */
export const QUICK_MS = 50

/** A task that was sent to a thread and has no answer yet. */
interface OpenTask {
  readonly number: number
  readonly limits: TaskLimits
  /** Number of times that its time may be made longer. */
  readonly delays: number
  resolve(outcome: TaskOutcome): void
  reject(error: unknown): void
}

/**
 * Time until an idle thread ends, in milliseconds. An idle thread does not keep the process alive. Threads are kept
 * because a new one takes twice as long for its first hundred pages, until V8 has compiled the code.
 */
const IDLE_MS = 60_000

/** Number of times that the time of a task is made longer. */
const MAX_DELAYS = 3

/** Memory of a thread. */
export interface ThreadHeap {
  /** Maximum heap. MiB. */
  readonly maxHeapMib: number
  /** Part of it for new objects. MiB. @default 36 */
  readonly maxYoungMib?: number
}

/** One worker thread. It does its tasks one after another, in the order in which they were sent. */
export class Thread {
  readonly #worker: Worker
  readonly #onEnd: () => void
  readonly #started: Promise<void>
  /** Numbers of the tasks that the thread began and ended last, which its messages tell later; and of those to leave out. */
  readonly #notes = new Int32Array(new SharedArrayBuffer(NOTES_LENGTH * Int32Array.BYTES_PER_ELEMENT))
  readonly #sent: OpenTask[] = []
  #settleStart: { resolve(): void; reject(error: unknown): void } | undefined
  #count = 0
  /** Timer of the first task, or of the time without one. */
  #timer: NodeJS.Timeout | undefined
  /** True while the first task takes longer than {@link QUICK_MS}. */
  #isSlow = false
  /** Time with tasks until the last time without one, and start of the time since then. */
  #busyMs = 0
  #busySinceMs: number | undefined
  #hasStarted = false
  #hasEnded = false

  /** @param onEnd called once, when the thread takes no more tasks */
  constructor(start: StartWorker, { maxHeapMib, maxYoungMib = 36 }: ThreadHeap, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#worker = start({
      // A tree lives for one page: with the small default young generation, a thread spends half its time on moving
      // trees to the old one. With a larger one than this, one move can exceed the 16 MiB that Node leaves a thread
      // that is out of memory, and V8 ends the whole process.
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib, maxYoungGenerationSizeMb: maxYoungMib },
      // Pages have no use for the host's environment and flags. A rejection that a library does not handle must not end
      // the thread: the PDF library reads all pages when it opens a file, and may never await a broken one.
      env: {},
      execArgv: ['--unhandled-rejections=none'],
      workerData: { notes: this.#notes } satisfies WorkerStart,
    })
    this.#started = new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject }
    })
    // The task that needs the thread gets the error.
    this.#started.catch(() => undefined)
    this.#worker.on('message', (message: WorkerMessage) => this.#take(message))
    this.#worker.on('messageerror', (error) => void this.end(error, this.#running()))
    this.#worker.on('error', (error) => void this.end(error, this.#running()))
    this.#worker.on('exit', () => void this.end(new Error('the thread has ended'), this.#running()))
  }

  /** Number of tasks without an answer. */
  get tasks(): number {
    return this.#sent.length
  }

  /** Time for which the thread has had tasks so far. Milliseconds. */
  get busyMs(): number {
    return this.#busyMs + (this.#busySinceMs === undefined ? 0 : performance.now() - this.#busySinceMs)
  }

  /** True while a task that comes now would wait for one that takes long: a file, or one that is not quick. */
  get isHeld(): boolean {
    const [first] = this.#sent
    return first !== undefined && (this.#isSlow || first.limits.onBegin === undefined)
  }

  /** True for a thread that has started, and is not held. */
  get isReady(): boolean {
    return this.#hasStarted && !this.isHeld
  }

  /** Waits until the thread has started. @throws the error of starting it */
  async started(): Promise<void> {
    await this.#started
  }

  /**
   * Sends a task at once: the thread does it after those that were sent before. A task that reaches one of its limits
   * ends the thread.
   *
   * @throws the signal's reason; {@link TIME_IS_UP}; {@link ENDED_BY_OTHER}; Error for a fault of the task
   */
  async run(
    task: DigestTask | WorkTask,
    transfer: readonly Transferable[],
    limits: TaskLimits,
  ): Promise<DigestAnswer | WorkAnswer> {
    const { signal } = limits
    signal.throwIfAborted()
    if (this.#hasEnded) throw ENDED_BY_OTHER
    const number = (this.#count += 1)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    this.#worker.postMessage({ number, task } satisfies SentTask, transfer)
    const stop = (): void => this.#stop(number, signal.reason)
    onAbort(signal, stop)
    try {
      const outcome = await new Promise<TaskOutcome>((resolve, reject) => {
        // A thread that waits for the text of an image uses no processor time.
        const delays = 'images' in task && task.images ? 0 : MAX_DELAYS
        this.#add({ number, limits, delays, resolve, reject })
      })
      if ('fault' in outcome) throw new Error(outcome.fault)
      return outcome
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /**
   * Ends the thread. Its tasks can be repeated, except one.
   *
   * @param reason the error of that task
   * @param number of that task. @default all tasks get `reason`
   */
  async end(reason: unknown, number?: number): Promise<void> {
    if (!this.#hasEnded) {
      this.#hasEnded = true
      clearTimeout(this.#timer)
      this.#onEnd()
      this.#settleStart?.reject(reason)
      for (const task of this.#sent.splice(0)) {
        task.reject(number === undefined || task.number === number ? reason : ENDED_BY_OTHER)
      }
    }
    await this.#worker.terminate()
  }

  #add(task: OpenTask): void {
    this.#sent.push(task)
    if (this.#sent.length > 1) return
    this.#busySinceMs = performance.now()
    this.#worker.ref()
    this.#begin(task)
  }

  #begin({ number, limits, delays }: OpenTask): void {
    const { limitMs, onBegin } = limits
    const quickMs = Math.min(QUICK_MS, limitMs / 2)
    this.#isSlow = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // Otherwise its answer is on its way: the caller's thread was busy.
      if (Atomics.load(this.#notes, ENDED) < number) {
        this.#isSlow = true
        this.#takeBack()
      }
      this.#limit(number, limitMs - quickMs, delays)
    }, quickMs)
    onBegin?.()
  }

  /** Takes the pages back that wait for the first task. */
  #takeBack(): void {
    const begun = Atomics.load(this.#notes, BEGUN)
    for (const { number, limits, reject } of this.#sent.slice(1)) {
      if (number <= begun || limits.onBegin === undefined) continue
      Atomics.store(this.#notes, placeOfCancelled(number), number)
      reject(TAKEN_BACK)
    }
  }

  /** Starts the timer of a task. */
  #limit(number: number, limitMs: number, delays: number): void {
    clearTimeout(this.#timer)
    // A timer of its own: a signal that follows another one costs five times as much.
    this.#timer = setTimeout(() => {
      // Measured from here on, because reading the processor time takes longer than many tasks.
      const before = process.cpuUsage()
      this.#timer = setTimeout(() => {
        const { user, system } = process.cpuUsage(before)
        // The machine is busy: the thread has hardly run, and the page is not to blame.
        const isStarved = (user + system) / 1000 < limitMs / 4
        if (isStarved && delays > 0) this.#limit(number, limitMs, delays - 1)
        else this.#stop(number, TIME_IS_UP)
      }, limitMs / 2)
    }, limitMs / 2)
  }

  #take(message: WorkerMessage): void {
    if (message === 'ready') {
      this.#settleStart?.resolve()
      this.#settleStart = undefined
      this.#hasStarted = true
      // Its task may have been aborted before it was sent.
      if (this.#sent.length === 0) this.#rest()
      return
    }
    const { number, outcome } = message
    // A task without an outcome, because its message was lost, is repeated.
    while ((this.#sent[0]?.number ?? number) < number) this.#sent.shift()?.reject(ENDED_BY_OTHER)
    if (this.#sent[0]?.number === number) this.#sent.shift()?.resolve(outcome)
    const [next] = this.#sent
    if (next) this.#begin(next)
    else this.#rest()
  }

  /** Ends a task that has reached one of its limits. Only a task that has begun ends the thread. */
  #stop(number: number, reason: unknown): void {
    const isTimeUp = reason === TIME_IS_UP
    if (!isTimeUp) Atomics.store(this.#notes, placeOfCancelled(number), number)
    const hasBegun = isTimeUp || Atomics.load(this.#notes, BEGUN) >= number
    const hasEnded = Atomics.load(this.#notes, ENDED) >= number
    // Its answer is on its way: the caller's thread was busy.
    if (isTimeUp && hasEnded) return
    this.#sent.find((task) => task.number === number)?.reject(reason)
    if (hasBegun && !hasEnded) void this.end(reason, number)
  }

  /** Returns the number of the task that the thread is doing; of the first one if it is between two. */
  #running(): number {
    const begun = Atomics.load(this.#notes, BEGUN)
    const isBetween = Atomics.load(this.#notes, ENDED) >= begun
    return isBetween ? (this.#sent[0]?.number ?? begun) : begun
  }

  #rest(): void {
    if (this.#hasEnded) return
    clearTimeout(this.#timer)
    this.#busyMs = this.busyMs
    this.#busySinceMs = undefined
    this.#worker.unref()
    this.#timer = setTimeout(() => void this.end(new Error('the thread was not needed')), IDLE_MS).unref()
  }
}
