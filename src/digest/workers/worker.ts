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

/** Other work on a page's bytes than a digest. */
export interface WorkTask {
  /** Name of one of the works that the thread serves. */
  readonly work: string
  /** Argument of the work. */
  readonly page: { readonly url: string; readonly body: Uint8Array }
}

/** Result of such a work. */
export interface WorkAnswer {
  readonly result: unknown
}

/** Works of a thread beside digests, by name. */
export type Works = object

/** Result of a digest; an error is plain data, because its class is lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** Message of a worker thread: it has started, an answer, or the message of an error that is not the page's. */
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

/** Makes this thread serve tasks: digests, and the works. */
export function serve(works: Works): void {
  parentPort?.on('message', (task: DigestTask | WorkTask) => {
    void work(task, works).then(post)
  })
  post('ready')
}
