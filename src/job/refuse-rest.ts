import type { Refusal } from '../ledger/ledger.js'
import type { JobState } from './job.js'

/** Why a job has not come to what is left when it has ended. */
export const refuseRest = (state: JobState, limit: number): Refusal =>
  state === 'completed'
    ? { reason: 'LIMIT', message: `\`limit\` of ${limit} was reached` }
    : { reason: 'CANCELLED', message: `the job was ${state}` }
