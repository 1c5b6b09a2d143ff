import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import type { ClerkParts } from './outcome-recorder.js'
import type { JobScheduler } from './job-scheduler.js'

/** What the loop has of its job. */
export interface LoopParts extends ClerkParts {
  readonly id: string
  readonly pace: JobScheduler
  readonly allowance: BudgetTracker
  readonly warnings: Set<string>
  /** Aborted when the job is cancelled, and when it is dropped as it is. */
  readonly signal: AbortSignal
  /** Whether the job is as an earlier process left it. */
  readonly isResumed: boolean
  /** Whether the job is to stop here, for another process to go on: with its pages under way ended, or dropped. */
  readonly parking: () => 'drain' | 'drop' | undefined
  /** Keeps what the job has settled to go by. */
  keepOptions(options: object): void
  /** Whether URLs are being added. */
  readonly appending: () => boolean
  wake(): void
}
