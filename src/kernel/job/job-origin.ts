import type { JobUse } from '../../base/accounting/budget.js'
import type { TrawlError } from '../../base/errors.js'
import type { JobStore, StoredJob } from '../ledger/job-store.js'
import type { Ledger } from '../ledger/ledger.js'
import type { PromptedOptions } from '../plan/crawl/prompted-options.js'
import type { JobStrategy } from './job-strategy.js'

/** A job that has ended, as the engine keeps it until it expires. */
export interface EndedHandle {
  readonly id: string
  /** Undefined once it goes on. Milliseconds since the epoch. */
  readonly expiresAtMs: number | undefined
  /** True while a loop over its documents has not come to its end. */
  readonly isRead: boolean
  /** Called when the engine keeps nothing of the job any more. @param reason thrown to whoever asks for something of it */
  forget(reason: string): void
}

/** Plans a job anew from its request. */
export interface JobPlanner {
  readonly kind: StoredJob['kind']
  /** @param generated options that were generated from its `prompt` */
  strategy(request: object, generated: PromptedOptions | undefined): JobStrategy
}

/** Origin of a job: a new request, or a job stored by an earlier process. */
export interface JobOrigin {
  readonly id: string
  /** Store that outlives the process; undefined when the job ends with the process. */
  readonly jobStore: JobStore | undefined
  /** The stored job, when an earlier process began it, or when this one reads a job that has ended. */
  readonly stored?: StoredJob
  readonly createdAtMs: number
  /** The validated request. */
  readonly request: object
  /** Delivers documents again until they are acknowledged. */
  readonly acknowledges: boolean
  readonly ledger: Ledger
  /** Resolves when a new job is in its store; absent where it is there already. @throws TrawlError `LEDGER_ERROR` */
  readonly added?: Promise<void>
  /** Reason why the job cannot be resumed here. */
  readonly fault?: TrawlError
  /** Plans the job anew from its request; absent for one that is opened for a single call. */
  readonly plan?: JobPlanner
  /** Called when the job has ended, for now or for good. */
  readonly onEnd?: (job: EndedHandle) => void
  /** Warns of the bounds of the ledger, when they have cost a job. */
  readonly bounds?: { readonly warning: string | undefined }
  /** Facts of the end of a job that has ended in this process, beside those that are stored. */
  readonly end?: {
    readonly error: TrawlError | undefined
    /** Reason of the cancellation. */
    readonly interruption: unknown
    /** Keeps the resources that are used after the end, by calls of features. */
    keepUse(use: JobUse): void
  }
}
