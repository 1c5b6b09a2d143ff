import type { JobCommand, SharedJobs } from '../../ledger/shared-jobs.js'
import { LedgerStream } from '../delivery/document-stream.js'
import type { JobHandle } from './job-handle.js'

/** Lets other processes read and control a job of this process. */
export function serveJob({ id, runner }: JobHandle, shared: SharedJobs): void {
  const { stream } = runner.delivery
  shared.serve(id, {
    get isRunning() {
      return runner.lifecycle.state === 'scraping'
    },
    async perform(command: JobCommand) {
      if (command.name === 'append') await runner.append(command.urls)
      else if (command.name === 'resume') runner.resume(command.budget)
      else runner[command.name]()
    },
    followReaders(next) {
      if (stream instanceof LedgerStream) stream.followRemote(next)
    },
  })
}
