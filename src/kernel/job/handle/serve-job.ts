import { TrawlError } from '../../../base/errors.js'
import type { JobCommand, SharedJobs } from '../../ledger/shared-jobs.js'
import { LedgerStream } from '../delivery/document-stream.js'
import { isStopStored, mayGoOn } from '../went-on-elsewhere.js'
import type { JobHandle } from './job-handle.js'

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
