import { isUnfinished, type JobStore, needsOwner, type StoredJob } from '../../ledger/job-store.js'
import type { JobTools } from '../job-tools.js'

/** A job that can be cancelled. */
export interface Cancellation {
  cancel(): Promise<unknown>
}

/** A store of jobs, and what a cancelled one is opened with. */
interface CancelParts {
  readonly jobStore: JobStore | undefined
  readonly tools: JobTools
  /** Opens a job that was cancelled by a process that died before its end. */
  open(stored: StoredJob): Cancellation
}

/**
 * Cancels a job that this engine owns and cannot run. One whose stored values cannot be read ends as it is, and its reports are not
 * sent.
 */
export function cancelUnfit(stored: StoredJob, { jobStore, tools, open }: CancelParts): Cancellation {
  const { id } = stored
  const written: Cancellation = { cancel: async () => jobStore?.written?.(id) }
  if (!needsOwner(stored)) return written
  const nowMs = tools.now()
  const cancelled = { state: 'cancelled', expiresAtMs: nowMs + tools.retentionMs } as const
  if (isUnfinished(stored)) jobStore?.change(id, cancelled)
  try {
    if (isUnfinished(stored)) return open({ ...stored, ...cancelled })
  } catch {
    jobStore?.change(id, { completedAtMs: nowMs })
  }
  jobStore?.change(id, { reports: false })
  return written
}
