import { type MessagePort, parentPort } from 'node:worker_threads'
import { type ErrorCode, TrawlError } from '../errors.js'
import type { FileTools, ParseInput } from '../parse/parser.js'
import { digestFile, type Digest, type DigestPlan } from './digest.js'
import { askDesk } from './picture-desk.js'

/** One page for a worker thread. */
export interface DigestTask {
  readonly input: ParseInput
  readonly plan: DigestPlan
  /** Where pictures of pages are read; absent where nobody reads them. */
  readonly pictures?: MessagePort
}

/** What a page comes to; an error as plain data, because its class is lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** A message of a worker thread: that it has started, an answer, or the message of an error that is none of the page's. */
export type WorkerMessage = 'ready' | DigestAnswer | { readonly fault: string }

const toolsOf = ({ pictures }: DigestTask): FileTools => (pictures ? { readText: askDesk(pictures) } : {})

async function work(task: DigestTask): Promise<WorkerMessage> {
  try {
    return { digest: await digestFile(task.input, task.plan, toolsOf(task)) }
  } catch (error) {
    if (error instanceof TrawlError) return { refusal: { code: error.code, message: error.message } }
    return { fault: error instanceof Error ? error.message : String(error) }
  } finally {
    task.pictures?.close()
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const tell = (message: WorkerMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', (task: DigestTask) => {
  void work(task).then(tell)
})
tell('ready')
