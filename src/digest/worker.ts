import { type ErrorCode, TrawlError } from '../errors.js'
import type { ParseInput } from '../parse/parser.js'
import { digestFile, type Digest, type DigestPlan } from './digest.js'

/** One page for a worker thread. */
export interface DigestTask {
  readonly input: ParseInput
  readonly plan: DigestPlan
}

/** What comes back; an error as plain data, because its class is lost between threads. */
export type DigestAnswer =
  | { readonly digest: Digest; readonly refusal?: undefined }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }

/** The entry of a worker thread. Without a task it only shows that the thread has started. */
export default async function work(task: DigestTask | undefined): Promise<DigestAnswer | undefined> {
  if (task === undefined) return undefined
  try {
    return { digest: await digestFile(task.input, task.plan) }
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error
    return { refusal: { code: error.code, message: error.message } }
  }
}
