import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { messageOf, type ErrorCode, TrawlError } from '../../../base/errors.js'
import type { ParserInput } from '../../parse/parser.js'
import { lowerThreadPriority } from '../../../base/runtime/thread-priority.js'
import { digestFile, type Digest, type DigestPlan, type DigestTools, loadCode } from '../digest.js'
import type { FeatureCode } from '../digest-part.js'
import { requestOcr } from './ocr-channel.js'
import { PACKED_LINKS, packLinks, type PackedLinks } from './packed-links.js'

/** Digest of one page in a worker thread. */
export interface DigestTask {
  readonly input: ParserInput
  readonly plan: DigestPlan
  /** Port of the OCR channel; absent where images are not read. */
  readonly images?: MessagePort
}

/** A task other than a digest, on the bytes of a page. */
export interface WorkTask {
  /** Name of the task's function in {@link Works}. */
  readonly work: string
  /** Argument of the function. */
  readonly page: { readonly url: string; readonly body: Uint8Array }
}

/** Result of a {@link WorkTask}. */
export interface WorkAnswer {
  readonly result: unknown
}

/** Result of a digest. An error is sent as plain data, because its class would be lost between threads. */
export type DigestAnswer =
  | {
      readonly digest: Digest
      /** Its links, if they are too many to be sent one by one. */
      readonly links?: PackedLinks
      readonly refusal?: undefined
    }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** Message to a worker thread. */
export interface SentTask {
  /** Number of the task, from 1; each task has a higher one than the one before. */
  readonly number: number
  readonly task: DigestTask | WorkTask
}

/** Outcome of a task: its result, or the message of an unexpected error. */
export type TaskOutcome = DigestAnswer | WorkAnswer | { readonly fault: string }

/** Message of a worker thread: `ready` after its start, then the outcome of each task. */
export type WorkerMessage = 'ready' | { readonly number: number; readonly outcome: TaskOutcome }

const toolsOf = async ({ images, plan }: DigestTask, code: FeatureCode): Promise<DigestTools> => ({
  ...(images && { readText: requestOcr(images) }),
  ...(await loadCode(plan, code)),
})

async function work(task: DigestTask | WorkTask, code: FeatureCode): Promise<TaskOutcome> {
  if ('work' in task) return await doWork(task, code)
  try {
    const digest = await digestFile(task.input, task.plan, await toolsOf(task, code))
    const { links } = digest
    return links.length < PACKED_LINKS ? { digest } : { digest: { ...digest, links: [] }, links: packLinks(links) }
  } catch (error) {
    if (error instanceof TrawlError) return { refusal: { code: error.code, message: error.message } }
    return describeFault(error)
  } finally {
    task.images?.close()
  }
}

const describeFault = (error: unknown): { readonly fault: string } => ({
  fault: messageOf(error),
})

async function doWork({ work: name, page }: WorkTask, code: FeatureCode): Promise<TaskOutcome> {
  try {
    const found: unknown = Object.entries(await code.tasks()).find(([own]) => own === name)?.[1]
    return typeof found === 'function' ? { result: found(page) as unknown } : { fault: `there is no work \`${name}\`` }
  } catch (error) {
    return describeFault(error)
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const post = (message: WorkerMessage): void => parentPort?.postMessage(message)

/** Place in the notes of a thread of the number of the task that it began last. */
export const BEGUN = 0
/** Place of the number of the task that it ended last. */
export const ENDED = 1
/** First of the places of the tasks that it is not to begin. */
const CANCELLED = 2
/** Number of these places. No thread has so many tasks at once. */
const CANCELLED_PLACES = 1022

/** Length of the notes that a thread shares with its owner. */
export const NOTES_LENGTH = CANCELLED + CANCELLED_PLACES

/** Returns the place of the note that a task is cancelled: the note is its number. */
export const placeOfCancelled = (number: number): number => CANCELLED + (number % CANCELLED_PLACES)

/** Data that a thread is started with. */
export interface WorkerStart {
  /** Notes that the thread shares with its owner. */
  readonly notes: Int32Array
}

/** Handles the messages with tasks in this thread, one after another: digests, and the other functions. */
export function serve(code: FeatureCode): void {
  lowerThreadPriority()
  const { notes } = workerData as WorkerStart
  const run = async ({ number, task }: SentTask): Promise<void> => {
    Atomics.store(notes, BEGUN, number)
    const isCancelled = Atomics.load(notes, placeOfCancelled(number)) === number
    const outcome = isCancelled ? { fault: 'the task was cancelled' } : await work(task, code)
    Atomics.store(notes, ENDED, number)
    try {
      post({ number, outcome })
    } catch (error) {
      // A result that cannot be sent must not stop the tasks after it.
      post({ number, outcome: describeFault(error) })
    }
  }
  let last = Promise.resolve()
  parentPort?.on('message', (sent: SentTask) => {
    last = last.then(() => run(sent))
  })
  post('ready')
}
