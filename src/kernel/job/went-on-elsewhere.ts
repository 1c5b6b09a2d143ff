import { isUnfinished } from '../ledger/job-store.js'
import type { Ledger } from '../ledger/ledger.js'
import { sharedOf } from '../ledger/shared-jobs.js'
import type { JobHandle } from './handle/job-handle.js'

/** Tests for a job that has ended here and may go on in another process: it was stopped, or could not be written here. */
export const mayGoOn = (job: JobHandle): boolean =>
  !job.hasSettled && (job.runner.isStopped || job.runner.lifecycle.error?.code === 'LEDGER_ERROR')

/** Tests for a job that the ledger has as stopped: an unfinished one was resumed by another process since, which may have died. */
export const isStopStored = ({ runner }: JobHandle): boolean =>
  runner.isStopped && runner.lifecycle.storeFailure === undefined

/**
 * Tests for a job that was stopped here, or failed here because it could not be written, and that another process has resumed since:
 * the handle here knows nothing of it.
 */
export async function wentOnElsewhere(job: JobHandle, ledger: Ledger): Promise<boolean> {
  if (job.hasSettled) return false
  const { error, completedAtMs } = job.runner.lifecycle
  if (error?.code === 'JOB_HELD') return ledger.jobStore !== undefined
  if (!mayGoOn(job)) return false
  const shared = sharedOf(ledger)
  // A database that does not answer would keep the caller waiting.
  if (shared) return shared.wentOn(job.id)
  try {
    const found = await ledger.jobStore?.read(job.id)
    if (!found) return false
    if (isUnfinished(found.stored)) return found.isHeld || isStopStored(job)
    return found.stored.completedAtMs !== completedAtMs
  } catch {
    // The ledger cannot be asked: what is known here is all there is.
    return false
  }
}

/**
 * Tests for a job that has ended here, and not, or at another time, in the ledger: another process has resumed it, or may do so.
 *
 * @throws TrawlError `LEDGER_ERROR` when the ledger cannot be asked
 */
export async function hasOtherEnd(job: JobHandle, ledger: Ledger): Promise<boolean> {
  if (!mayGoOn(job)) return false
  const found = await (sharedOf(ledger)?.read(job.id) ?? ledger.jobStore?.read(job.id))
  if (!found) return false
  return isUnfinished(found.stored) || found.stored.completedAtMs !== job.runner.lifecycle.completedAtMs
}
