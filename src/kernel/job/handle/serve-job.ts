import { TrawlError } from '../../../base/errors.js'
import { type JobCommand, type SharedJobs, sharedOf } from '../../ledger/shared-jobs.js'
import { LedgerStream } from '../delivery/document-stream.js'
import type { JobHandle } from './job-handle.js'
import { isUnfinished } from '../../ledger/job-store.js'
import type { Ledger } from '../../ledger/ledger.js'

/** Lets other processes read and control a job of this process. What it gives out holds the handle alone, which lets go of the rest. */
export function serveJob(job: JobHandle, shared: SharedJobs): void {
  const { id } = job
  shared.serve(id, {
    get isRunning() {
      return job.state === 'scraping'
    },
    get left() {
      if (job.state === 'scraping' || !mayGoOn(job)) return undefined
      return { completedAtMs: job.runner.lifecycle.completedAtMs, isStored: isStopStored(job) }
    },
    async perform(command: JobCommand) {
      const { runner } = job
      try {
        if (command.name === 'append') await job.append(command.urls)
        else if (command.name === 'resume') {
          await runner.resume(command.budget)
          await runner.lifecycle.written()
        } else await runner[command.name]()
        // Nothing is cancelled in a job that another engine may have by now: the sender is told to resume it first.
        if (command.name === 'cancel' && runner.parked) throw runner.parked
      } catch (error) {
        // `ENGINE_CLOSED` would speak of the engine of the caller, which is open.
        if (!(error instanceof TrawlError) || error.code !== 'ENGINE_CLOSED') throw error
        const message = `the engine that ran job ${id} was closed: \`engine.resume()\` takes the job over`
        throw new TrawlError('JOB_INTERRUPTED', message, { cause: error })
      }
    },
    followReaders(next) {
      const { stream } = job.runner
      if (stream instanceof LedgerStream) stream.followRemote(next)
    },
  })
}

/** Tests for a job that has ended here and may go on in another process: it was stopped, or could not be written here. */
const mayGoOn = (job: JobHandle): boolean =>
  !job.hasSettled && (job.runner.isStopped || job.runner.lifecycle.error?.code === 'LEDGER_ERROR')

/** Tests for a job that the ledger has as stopped: an unfinished one was resumed by another process since, which may have died. */
const isStopStored = ({ runner }: JobHandle): boolean => runner.isStopped && runner.lifecycle.storeFailure === undefined

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
