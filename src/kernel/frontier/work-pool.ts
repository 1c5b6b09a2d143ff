import type { LedgerRow } from '../ledger/ledger.js'

/** Supplies a pool with the rows of a job, and handles them. */
export interface WorkSource {
  /**
   * Returns true if `next` would return a row now: one is due, and neither politeness nor the consumer blocks the job.
   */
  ready(): Promise<boolean>
  /** Leases the next row. @returns undefined when none is due */
  next(): Promise<LedgerRow | undefined>
  /** Processes a row. Its outcome may be recorded after the call: if that fails, the next `ready` or `finished` throws its error. */
  handle(row: LedgerRow): Promise<void>
  /** Returns true if the pool is to end: no work is left, or the job begins no further page. Called only while no row is being handled. */
  finished(): Promise<boolean>
}

/** Runs the work of a job with a fixed concurrency. */
export interface WorkPool {
  /** Resolves when the work is finished; rejects when it cannot continue. */
  run(): Promise<void>
  /** Signals that work may have become ready, for example when a pause ends. */
  wake(): void
}
