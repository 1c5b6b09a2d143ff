import type { TrawlError } from '../../base/errors.js'
import type { Ledger } from '../ledger/ledger.js'
import type { PromptedOptions } from '../plan/crawl/prompted-options.js'
import type { JobStrategy } from './job-strategy.js'
import type { JobTools } from './job-tools.js'
import type { StartKind } from './stored-request.js'
import type { StoredJob } from '../ledger/job-store.js'
import type { SharedJobs } from '../ledger/shared-jobs.js'
import type { Document } from '../page/document.js'
import type { Job } from './job.js'

/** Options of starting a job, in addition to its request. */
export interface StartOptions {
  readonly signal?: AbortSignal
  readonly acknowledge?: boolean
  readonly idempotencyKey?: string
}

/** Validated request of a job. */
export interface JobRequest {
  /** The request, as the job's handle shows it. */
  readonly request: object
  /** Plans the request as a strategy. */
  createStrategy(): JobStrategy
}

/** Parts of the engine that its jobs run on. */
export interface RegistryOptions {
  readonly tools: JobTools
  readonly ledger: Ledger
  /** Names of ledgers that outlive the process, for messages. */
  readonly durableLedgers: string
  /** Ledger in memory, for jobs with `zeroDataRetention`. */
  readonly transientLedger: Ledger
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  /** Names of the caller's features of the engine. */
  readonly ownFeatures: readonly string[]
  /** Validates a stored request. @param generated options generated from its `prompt` */
  parseRequest(kind: StartKind, request: unknown, generated: PromptedOptions | undefined): JobRequest
  /** Finds what opens jobs that other processes run; undefined where nothing can. */
  findOpener(): OpenElsewhere | undefined
  /** Finds the reason why this engine cannot run a valid stored request, such as one that needs a language model. */
  findRefusal(request: object, generated: PromptedOptions | undefined): TrawlError | undefined
}

/** The handle of a job that another process runs. */
export interface JobElsewhere extends Job<Document> {
  readonly stored: StoredJob
  /** Checks URLs and appends them, and adds a warning to the status when that fails. @throws InvalidRequestError */
  appendInBackground(urls: readonly string[]): void
}

/** Parts of an engine that such a handle is opened with. */
export interface ElsewhereParts {
  readonly shared: SharedJobs
  /** Plans the stored request. @param generated options generated from its prompt, as JSON */
  plan(generated: string | undefined): { readonly request: object; readonly strategy: JobStrategy }
}

/** Opens the handle of a job that another process runs. A feature brings it. */
export type OpenElsewhere = (stored: StoredJob, parts: ElsewhereParts) => JobElsewhere
