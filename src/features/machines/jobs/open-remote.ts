import type { StoredJob } from '../../../kernel/ledger/job-store.js'
import type { SharedJobs } from '../../../kernel/ledger/shared-jobs.js'
import { deepFreeze } from '../../../kernel/plan/deep-freeze.js'
import type { RegistryOptions } from '../../../kernel/job/registry-options.js'
import { parseStored, readGenerated } from '../../../kernel/job/stored-request.js'
import { RemoteJob } from './remote-job.js'

/** Opens a handle of a job that another process runs. Its next handle is one of this process, if the job is taken over meanwhile. */
export function openRemote(stored: StoredJob, shared: SharedJobs, options: RegistryOptions): RemoteJob {
  const { tools, ledger, parseRequest } = options
  const { kind } = stored
  const request = parseStored(stored)
  return new RemoteJob(stored, {
    tools,
    ledger,
    shared,
    plan(generated) {
      const parsed = parseRequest(kind, request, readGenerated(generated))
      return { request: deepFreeze(parsed.request), strategy: parsed.createStrategy() }
    },
  })
}
