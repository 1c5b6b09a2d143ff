import type { MessagePort } from 'node:worker_threads'
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

/** What comes back; an error as plain data, because its class is lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

const toolsOf = ({ pictures }: DigestTask): FileTools => (pictures ? { readText: askDesk(pictures) } : {})

/** The entry of a worker thread. Without a task it only shows that the thread has started. */
export default async function work(task: DigestTask | undefined): Promise<DigestAnswer | undefined> {
  if (task === undefined) return undefined
  try {
    return { digest: await digestFile(task.input, task.plan, toolsOf(task)) }
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error
    return { refusal: { code: error.code, message: error.message } }
  } finally {
    task.pictures?.close()
  }
}
