import type { StoredJob } from '../ledger/job-store.js'
import type { SharedJobs } from '../ledger/shared-jobs.js'
import type { Document } from '../page/document.js'
import type { Job } from './job.js'
import type { JobStrategy } from './job-strategy.js'

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
