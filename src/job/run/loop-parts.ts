import type { Allowance } from '../lifecycle/allowance.js'
import type { ClerkParts } from './clerk.js'
import type { Pace } from './pace.js'

/** What the loop has of its job. */
export interface LoopParts extends ClerkParts {
  readonly id: string
  readonly pace: Pace
  readonly allowance: Allowance
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
