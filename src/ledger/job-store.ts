import type { BudgetLimit, JobBudget, JobUse } from '../accounting/budget.js'

/** A job as a ledger keeps it that outlives the process: enough to go on with it in another. */
export interface StoredJob {
  readonly id: string
  /** Which call started it. */
  readonly kind: 'batch-scrape' | 'crawl' | 'v1-crawl'
  /** What was asked for, as JSON. */
  readonly request: string
  /** What of the request JSON cannot hold, functions and schemas of libraries: `scrapeOptions.formats[0].schema`. */
  readonly missing: readonly string[]
  /** The options that were generated for it, as JSON; absent for one that has no description, or has not settled them. */
  readonly generated?: string
  /** Whether its documents are handed out until they are acknowledged. */
  readonly acknowledges: boolean
  /** Whether there may be reports to its webhook that this process is to send, also after its end. */
  readonly reports: boolean
  /** By which a second request for the same job is known. */
  readonly idempotencyKey?: string
  readonly createdAtMs: number
  readonly state: 'scraping' | 'completed' | 'cancelled' | 'failed'
  /** When it ended; absent while it runs. */
  readonly completedAtMs?: number
  /** When it is forgotten; absent while it runs. */
  readonly expiresAtMs?: number
  /** Why it failed, after the code of that: `LEDGER_ERROR: …`. */
  readonly error?: string
  readonly warnings: readonly string[]
  /** What it has taken up so far. */
  readonly used?: JobUse
  /** The budget that it was given while it ran; absent for that of its request. */
  readonly budget?: JobBudget
  /** What it ran out of; absent while it runs, and when it came to its own end. */
  readonly stoppedBy?: StopReason
}

/** Why a job has ended before its end: the limit of its budget that was used up, or the engine's credits. */
export type StopReason = BudgetLimit | 'credits'

/** A job that an earlier process left, and whose request could not be stored whole. */
export interface InterruptedJob extends Pick<StoredJob, 'id' | 'kind' | 'missing'> {
  /** The request as far as it was stored. */
  readonly request: object
}

/** What may change of a stored job. */
export type JobChange = Partial<
  Pick<
    StoredJob,
    'state' | 'generated' | 'completedAtMs' | 'expiresAtMs' | 'error' | 'warnings' | 'budget' | 'stoppedBy' | 'reports'
  >
>

/**
 * The jobs of a ledger that outlives the process. A job that runs, or has reports left to send, belongs to one process,
 * until it has neither, is let go or its process dies. Every call is done when it returns: `engine.job(id)` answers at once.
 */
export interface JobStore {
  /** Puts a new job in, as this process's. */
  add(job: StoredJob): void
  /**
   * A job by its id; one that runs is this process's from now on, or `'held'` when another process has it. So are the reports
   * that are left of one that has ended: `reports` says whether they are.
   */
  take(id: string): StoredJob | 'held' | undefined
  /** The jobs that have not ended and that no living process has, oldest first. */
  listLeft(): readonly StoredJob[]
  /** The jobs that have ended, or were stopped, with reports left to send, and that no living process has: their ids, oldest first. */
  listUnreported(): readonly string[]
  /** The id of the job with this key. */
  findByKey(idempotencyKey: string): string | undefined
  /** Notes what has become of a job; all that is known of its pages stands in the store before. */
  change(id: string, change: JobChange): void
  /**
   * Takes a job up again that was stopped, as this process's.
   *
   * @param completedAtMs when it was stopped, as far as is known here
   * @returns false when another process has been at it since, or still tells its webhook of it
   */
  revive(id: string, completedAtMs: number): boolean
  /** Lets a job go that this process has, and that has not ended, was stopped or has reports left: any process may go on with it. */
  release(id: string): void
  /** Forgets the jobs that have expired, with all that is known of them. */
  forgetExpired(nowMs: number): void
}
