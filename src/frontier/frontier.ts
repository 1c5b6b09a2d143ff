import type { LedgerRow } from '../ledger/ledger.js'

/** What a frontier asks of a job: which URL is next, and to deal with it. */
export interface Work {
  /** Whether `next` would hand out a row now: something is due, and neither pace nor consumer holds the job back. */
  ready(): Promise<boolean>
  /** The next row, now this frontier's to deal with. */
  next(): Promise<LedgerRow | undefined>
  /** Deals with a row and gives it its outcome. Throws only when the ledger itself fails: that ends the job. */
  handle(row: LedgerRow): Promise<void>
  /** Whether nothing is left to do, now and later. Asked only while no row is being handled. */
  finished(): Promise<boolean>
}

/** Drives a job's work at a set concurrency. */
export interface Frontier {
  /** Resolves when the work is finished; rejects when it cannot go on. */
  run(): Promise<void>
  /** Says that something may be ready now: a pause has ended, a place is free. */
  wake(): void
}
