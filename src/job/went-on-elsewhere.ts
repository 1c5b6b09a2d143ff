import { isUnfinished, type JobStore } from '../ledger/job-store.js'
import type { JobHandle } from './handle/job-handle.js'

/**
 * Tests for a job that was stopped here, or failed here because it could not be written, and that another process has resumed since:
 * the handle here knows nothing of it.
 */
export function wentOnElsewhere({ id, runner }: JobHandle, jobStore: JobStore | undefined): boolean {
  const { error, completedAtMs } = runner.lifecycle
  if (error?.code === 'JOB_HELD') return jobStore !== undefined
  if (!runner.isStopped && error?.code !== 'LEDGER_ERROR') return false
  try {
    const found = jobStore?.read(id)
    if (!found) return false
    return isUnfinished(found.stored) ? found.isHeld : found.stored.completedAtMs !== completedAtMs
  } catch {
    // The ledger cannot be asked: what is known here is all there is.
    return false
  }
}
