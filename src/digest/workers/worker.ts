import { type MessagePort, parentPort } from 'node:worker_threads'
import { messageOf, type ErrorCode, TrawlError } from '../../errors.js'
import type { FileTools, ParserInput } from '../../parse/parser.js'
import { digestFile, type Digest, type DigestPlan } from '../digest.js'
import { requestOcr } from './ocr-channel.js'

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

/** Functions for the tasks of a thread other than digests, by name. */
export type Works = object

/** Result of a digest. An error is sent as plain data, because its class would be lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** Message of a worker thread: `ready` after its start, the result of a task, or the message of an unexpected error. */
export type WorkerMessage = 'ready' | DigestAnswer | WorkAnswer | { readonly fault: string }

const toolsOf = ({ images }: DigestTask): FileTools => (images ? { readText: requestOcr(images) } : {})

async function work(task: DigestTask | WorkTask, works: Works): Promise<WorkerMessage> {
  if ('work' in task) return doWork(task, works)
  try {
    return { digest: await digestFile(task.input, task.plan, toolsOf(task)) }
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

function doWork({ work: name, page }: WorkTask, works: Works): WorkerMessage {
  try {
    const found: unknown = Object.entries(works).find(([own]) => own === name)?.[1]
    return typeof found === 'function' ? { result: found(page) as unknown } : { fault: `there is no work \`${name}\`` }
  } catch (error) {
    return describeFault(error)
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const post = (message: WorkerMessage): void => parentPort?.postMessage(message)

/** Handles the messages with tasks in this thread: digests, and the other functions given. */
export function serve(works: Works): void {
  parentPort?.on('message', (task: DigestTask | WorkTask) => {
    void work(task, works).then(post)
  })
  post('ready')
}
