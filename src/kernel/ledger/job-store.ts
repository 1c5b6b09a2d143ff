import type { BudgetLimit, JobBudget, JobUse } from '../../base/accounting/budget.js'

/** A job as a durable ledger stores it, so that another process can resume it. */
export interface StoredJob {
  readonly id: string
  /** The call that started the job. */
  readonly kind: 'batch-scrape' | 'crawl' | 'v1-batch-scrape' | 'v1-crawl'
  /** The request, as JSON. */
  readonly request: string
  /**
   * Paths of the request's values that JSON cannot represent, such as functions and schemas of libraries:
   * `scrapeOptions.formats[0].schema`.
   */
  readonly missing: readonly string[]
  /** The options generated from its prompt, as JSON; absent without a prompt, and until the prompt is resolved. */
  readonly generated?: string
  /** True when each document is delivered again until it is acknowledged. */
  readonly acknowledges: boolean
  /** True while this process owns reports of the job that are not sent yet, also after the job's end. */
  readonly reports: boolean
  /** The key that identifies a repeated request for the same job. */
  readonly idempotencyKey?: string
  readonly createdAtMs: number
  readonly state: 'scraping' | 'completed' | 'cancelled' | 'failed'
  /** Milliseconds since the epoch; absent until the last rows of the job are written, also when its state is `cancelled`. */
  readonly completedAtMs?: number
  /** The time at which the job is deleted. Milliseconds since the epoch; absent while the job runs. */
  readonly expiresAtMs?: number
  /** The error code and the message: `LEDGER_ERROR: …`; set for a job that failed. */
  readonly error?: string
  readonly warnings: readonly string[]
  /** The part of the budget used so far. */
  readonly used?: JobUse
  /** The budget set while the job ran; absent when the request's budget applies. */
  readonly budget?: JobBudget
  /** The limit that stopped the job; absent while it runs, and when it completed. */
  readonly stoppedBy?: StopReason
  /** Columns of the store with values that cannot be read: the job cannot be run or opened. Absent when there are none. */
  readonly unreadable?: readonly string[]
}

/** Tests for a job whose last rows are not written: it runs, or is being cancelled. */
export const isUnfinished = ({ completedAtMs }: { readonly completedAtMs?: number }): boolean =>
  completedAtMs === undefined

/** Tests for a job that must be owned by one process: it is unfinished, or has reports to send. */
export const needsOwner = (job: { readonly completedAtMs?: number; readonly reports: boolean }): boolean =>
  isUnfinished(job) || job.reports

/** The limit that stopped a job early: one of its budget's, or the engine's credits. */
export type StopReason = BudgetLimit | 'credits'

/** A stored job, and whether a process runs it. */
export interface SharedJob {
  /** The job, without its request in lists. */
  readonly stored: StoredJob
  /** True while a living process runs it: not for a job that has failed here and is not released yet. */
  readonly isHeld: boolean
}

/** The version of a ledger's file. */
export interface LedgerVersion {
  readonly stored: number
  /** The version that this trawl reads and writes; an older trawl refuses it. */
  readonly present: number
}

/** The range of a list of stored jobs. */
export interface JobRange {
  readonly skip: number
  readonly limit: number
  /** Jobs that have expired by then are left out. Milliseconds since the epoch. */
  readonly nowMs: number
}

/** An unfinished job of an earlier process, whose request could not be stored whole. */
export interface InterruptedJob extends Pick<StoredJob, 'id' | 'kind' | 'missing'> {
  /** The storable part of the request. */
  readonly request: object
}

/** The fields of a stored job that can change. */
export type JobChange = Partial<
  Pick<
    StoredJob,
    'state' | 'generated' | 'completedAtMs' | 'expiresAtMs' | 'error' | 'warnings' | 'budget' | 'stoppedBy' | 'reports'
  >
>

/**
 * The jobs of a durable ledger. A job that runs, or has reports left to send, is owned by one process until it is
 * finished and reported, until it is released, or until the process dies. What asks the store returns a promise; what changes a job
 * is scheduled, in the order of the calls, and {@link JobStore.written} waits for it.
 */
export interface JobStore {
  /**
   * Adds a job, owned by this process. What is written of it after the call comes after it.
   *
   * @returns resolves when the job is in the store; undefined where it is when the call returns
   * @throws TrawlError `LEDGER_ERROR`; `JOB_HELD` when another process has just started a job with the same key
   */
  add(job: StoredJob): Promise<void> | undefined
  /**
   * Reads a job by its id, and makes this process its owner if it is unfinished; the result is `'held'` when another
   * living process owns it. Unsent reports of a finished job are acquired in the same way: `reports` is true when this
   * process owns them afterwards. A job that is being cancelled is unfinished until its last rows are written.
   */
  acquire(id: string): Promise<StoredJob | 'held' | undefined>
  /** Reads a job by its id as {@link JobStore.acquire} does, without a change of its owner. */
  read(id: string): Promise<SharedJob | undefined>
  /** The jobs in the state `scraping` that no living process owns, oldest first; not those that stopped with URLs left. */
  listInterrupted(): Promise<readonly StoredJob[]>
  /**
   * The ids of finished or stopped jobs with reports left to send that no living process owns, and those of cancelled jobs
   * with rows left to skip, oldest first.
   */
  listUnreported(): Promise<readonly string[]>
  /**
   * Tests that the ledger's file is one of the present version, without a change to it; absent when the ledger is not a file.
   *
   * @param options.acceptsOlder accepts one of an earlier version, which is brought up to date when it is opened. @default false
   * @throws TrawlError `LEDGER_ERROR`
   */
  requireLedger?(options?: { readonly acceptsOlder?: boolean }): LedgerVersion
  /** Jobs without their requests, newest first; absent when the ledger is not a file. */
  list?(range: JobRange): readonly SharedJob[]
  /** Tests that the request of a listed job can be read. 100,000 URLs take 6 ms; absent when the ledger is not a file. */
  hasRequest?(id: string): boolean
  /** The id of the job with this key. */
  findByKey(idempotencyKey: string): Promise<string | undefined>
  /** Changes the fields of a job. Rows and documents recorded before are written first. */
  change(id: string, change: JobChange): void
  /**
   * Resolves when the changes and the release of a job so far are in the store. Absent where they are when their calls return.
   *
   * @throws TrawlError `LEDGER_ERROR`, `JOB_HELD` when one of them was not written
   */
  written?(id: string): Promise<void>
  /**
   * Restarts a stopped job, owned by this process.
   *
   * @param completedAtMs the time at which the job was stopped, as this process knows it
   * @returns false when another process has restarted the job since, or still sends its reports
   */
  restart(id: string, completedAtMs: number): Promise<boolean>
  /**
   * Releases a job of this process that is unfinished, was stopped, or has reports left, so that any process may resume
   * it.
   */
  release(id: string): void
  /**
   * Waits no longer than a few seconds for a lost connection from now on, also in calls under way. While there is a connection,
   * nothing is shortened. Absent where there is none.
   */
  hurry?(): void
  /** Deletes the expired jobs, with their rows, documents and reports. */
  forgetExpired(nowMs: number): void
}
