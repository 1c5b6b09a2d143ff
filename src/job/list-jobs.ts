import { TrawlError } from '../errors.js'
import type { StopReason } from '../ledger/job-store.js'
import type { ListedJob, SharedJobs } from '../ledger/shared-jobs.js'
import type { JobKind, JobState } from './job.js'
import { checkRange } from './lifecycle/status.js'

/** A job of a list. */
export interface JobOverview {
  readonly id: string
  readonly kind: JobKind
  readonly status: JobState
  /** Pages scraped. */
  readonly completed: number
  /** Pages that could not be fetched. */
  readonly failed: number
  /** URLs that were found and not scraped. */
  readonly skipped: number
  readonly queued: number
  readonly active: number
  /** Credits that the pages cost. */
  readonly creditsUsed: number
  /** ISO date. */
  readonly createdAt: string
  /** ISO date; only when the job has ended. */
  readonly completedAt?: string
  /** Set when the job is unfinished and no living engine runs it: `engine.resume()` of any engine continues it. */
  readonly interrupted?: true
  /** Resource that ran out with URLs still queued. */
  readonly stoppedBy?: StopReason
}

/**
 * Lists the jobs of all engines that share a ledger, newest first.
 *
 * @param shared undefined for a ledger that engines do not share
 * @throws InvalidRequestError; TrawlError `BAD_REQUEST` for such a ledger
 */
export async function listJobs(
  shared: SharedJobs | undefined,
  options: { skip?: number; limit?: number },
): Promise<readonly JobOverview[]> {
  if (!shared) {
    const message = 'the ledger of this engine is not shared with others: use `postgres(…)` as `ledger`'
    throw new TrawlError('BAD_REQUEST', message)
  }
  return (await shared.list(checkRange(options))).map(summarize)
}

function summarize({ stored, isHeld, counts }: ListedJob): JobOverview {
  const { id, kind, state, createdAtMs, completedAtMs, stoppedBy } = stored
  const { done = 0, failed = 0, skipped = 0, queued = 0, active = 0, credits = 0 } = counts ?? {}
  return {
    id,
    kind: kind === 'batch-scrape' ? kind : 'crawl',
    status: state,
    completed: done,
    failed,
    skipped,
    queued,
    active,
    creditsUsed: credits,
    createdAt: new Date(createdAtMs).toISOString(),
    ...(completedAtMs !== undefined && { completedAt: new Date(completedAtMs).toISOString() }),
    ...(state === 'scraping' && !isHeld && { interrupted: true as const }),
    ...(stoppedBy !== undefined && { stoppedBy }),
  }
}
