import type { TrawlError } from '../../errors.js'
import type { JobStore, StoredJob } from '../../ledger/job-store.js'
import type { Ledger } from '../../ledger/ledger.js'

/** How a job comes to be: new, or as another process left it. */
export interface JobOrigin {
  readonly id: string
  readonly createdAtMs: number
  /** What was asked for, as it was checked. */
  readonly request: object
  /** Whether documents are handed out until they are acknowledged. */
  readonly acknowledges: boolean
  readonly ledger: Ledger
  /** Where it is kept beyond the process; absent when it ends with it. */
  readonly shelf: JobStore | undefined
  /** What is known of it, when another process began it. */
  readonly past?: StoredJob
  /** Why it cannot be gone on with here. */
  readonly fault?: TrawlError
}
