import type { PageReservation } from '../lifecycle/budget-tracker.js'
import type { JobPhase } from '../lifecycle/job-phase.js'
import type { ContextParts } from './create-job-context.js'
import type { RecorderOptions } from './outcome-recorder.js'
import type { PermitSlots } from '../page-places.js'

/** Parts of a job that its loop works with. */
export interface LoopOptions extends RecorderOptions, ContextParts {
  /** Aborted when the job is cancelled or fails, and when it is parked without waiting for its pages. */
  readonly signal: AbortSignal
  /** True when an earlier process began the job. */
  readonly isResumed: boolean
  readonly phase: () => JobPhase
  /** Returns true while URLs are being appended. */
  readonly isAppending: () => boolean
  /** Makes the frontier ask for work again. */
  wake(): void
}

/** A page that was leased, until it is handled. */
export interface LeasedPage {
  readonly reservation: PageReservation
  readonly slots: PermitSlots
  readonly site: string
}
