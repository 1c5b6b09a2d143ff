import { type MessagePort, parentPort } from 'node:worker_threads'
import { messageOf, type ErrorCode, TrawlError } from '../../errors.js'
import type { FileTools, ParserInput } from '../../parse/parser.js'
import { digestFile, type Digest, type DigestPlan } from '../digest.js'
import { requestOcr } from './ocr-channel.js'

/** One page for a worker thread. */
export interface DigestTask {
  readonly input: ParserInput
  readonly plan: DigestPlan
  /** Where pictures of pages are read; absent where nobody reads them. */
  readonly pictures?: MessagePort
}

/** Work on a page's bytes that is no digest. */
export interface WorkTask {
  /** Which of the works that the thread serves. */
  readonly work: string
  /** The page as the work takes it. */
  readonly page: { readonly url: string; readonly body: Uint8Array }
}

/** What such a work found. */
export interface WorkAnswer {
  readonly result: unknown
}

/** The works that a thread does beside digests, by name. */
export type Works = object

/** What a page comes to; an error as plain data, because its class is lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** A message of a worker thread: that it has started, an answer, or the message of an error that is none of the page's. */
export type WorkerMessage = 'ready' | DigestAnswer | WorkAnswer | { readonly fault: string }

const toolsOf = ({ pictures }: DigestTask): FileTools => (pictures ? { readText: requestOcr(pictures) } : {})

async function work(task: DigestTask | WorkTask, works: Works): Promise<WorkerMessage> {
  if ('work' in task) return doWork(task, works)
  try {
    return { digest: await digestFile(task.input, task.plan, toolsOf(task)) }
  } catch (error) {
    if (error instanceof TrawlError) return { refusal: { code: error.code, message: error.message } }
    return describeFault(error)
  } finally {
    task.pictures?.close()
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
const tell = (message: WorkerMessage): void => parentPort?.postMessage(message)

/** Makes this thread answer tasks: digests, and the works. */
export function serve(works: Works): void {
  parentPort?.on('message', (task: DigestTask | WorkTask) => {
    void work(task, works).then(tell)
  })
  tell('ready')
}
