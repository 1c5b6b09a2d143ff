import { compact } from '../../base/collections/compact.js'
import type { RangeOptions, JobKind, JobState } from './job.js'
import { messageOf } from '../../base/errors.js'
import { isUnfinished, type JobRange, type StopReason } from '../ledger/job-store.js'
import type { Ledger } from '../ledger/ledger.js'
import { type ListedJob, sharedOf } from '../ledger/shared-jobs.js'
import { checkRange } from './lifecycle/status.js'
import { describeUnreadable, jobKindOf, refuseTransientLedger } from './stored-request.js'

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
  /**
   * Set when the job is unfinished and no living engine runs it: `engine.resume()` of any engine continues it, or ends it if
   * it was cancelled.
   */
  readonly interrupted?: true
  /** Resource that ran out with URLs still queued. */
  readonly stoppedBy?: StopReason
  /** Set when stored values of the job cannot be read: names them. They are left out here, and the job cannot be opened or resumed. */
  readonly error?: string
}

/**
 * Lists the jobs of all engines that use a durable ledger, newest first.
 *
 * @param nowMs jobs that have expired by then are left out
 * @param durable names of ledgers that outlive the process, for the message
 * @throws InvalidRequestError; TrawlError `BAD_REQUEST` for a ledger that ends with the process; `LEDGER_ERROR`
 */
export async function listJobs(
  ledger: Ledger,
  options: RangeOptions,
  nowMs: number,
  durable: string,
): Promise<readonly JobOverview[]> {
  const range = { ...checkRange(options), nowMs }
  const listed = (await sharedOf(ledger)?.list(range)) ?? (await listOfFile(ledger, range, durable))
  return listed.map(summarize)
}

async function listOfFile(
  { jobStore, countRows }: Ledger,
  range: JobRange,
  durable: string,
): Promise<readonly ListedJob[]> {
  if (!jobStore?.list || !countRows) {
    throw refuseTransientLedger(durable)
  }
  const listed: ListedJob[] = []
  for (const { stored, isHeld } of jobStore.list(range)) {
    const unreadable = [...(stored.unreadable ?? [])]
    if (jobStore.hasRequest?.(stored.id) === false) unreadable.push('request')
    const counts = await countRows(stored.id).catch((error: unknown) => {
      if (!isDamaged(error)) throw error
      unreadable.push('pages')
      return undefined
    })
    listed.push({ stored: unreadable.length === 0 ? stored : { ...stored, unreadable }, isHeld, counts })
  }
  return listed
}

/** Tests for SQLite's error of rows that cannot be read. Any other one is an error of the file. */
const isDamaged = (error: unknown): boolean => messageOf(error).includes('malformed JSON')

function summarize({ stored, isHeld, counts }: ListedJob): JobOverview {
  const { id, kind, state, createdAtMs, completedAtMs, stoppedBy, unreadable } = stored
  const { done = 0, failed = 0, skipped = 0, queued = 0, active = 0, credits = 0 } = counts ?? {}
  return compact({
    id,
    kind: jobKindOf(kind),
    status: state,
    completed: done,
    failed,
    skipped,
    queued,
    active,
    creditsUsed: credits,
    createdAt: new Date(createdAtMs).toISOString(),
    completedAt: completedAtMs === undefined ? undefined : new Date(completedAtMs).toISOString(),
    interrupted: isUnfinished(stored) && !isHeld ? (true as const) : undefined,
    stoppedBy,
    error: unreadable && describeUnreadable(id, unreadable),
  })
}
