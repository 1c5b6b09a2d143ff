import type { Attempt, UrlCandidate, Claim, Counts, LeaseRequest, LedgerRow, Refusal, RowFilter } from '../ledger.js'
import type { RowIndex } from './row-index.js'

/** The part of a job's ledger that is the same wherever its documents are stored: its rows, which are indexed in memory. */
export abstract class IndexedJobLedger {
  protected readonly index: RowIndex

  constructor(index: RowIndex) {
    this.index = index
  }

  async admit(candidates: readonly UrlCandidate[], nowMs: number): Promise<readonly LedgerRow[]> {
    return this.index.admit(candidates, nowMs)
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }, nowMs: number): Promise<Claim> {
    return this.index.claim(candidate, nowMs)
  }

  async lease(request: LeaseRequest): Promise<LedgerRow | undefined> {
    return this.index.lease(request)
  }

  async ready(request: LeaseRequest): Promise<boolean> {
    return this.index.ready(request)
  }

  async putBack(key: string): Promise<void> {
    this.index.putBack(key)
  }

  async retry(key: string, attempt: Attempt): Promise<void> {
    this.index.retry(key, attempt)
  }

  async counts(): Promise<Counts> {
    return this.index.counts()
  }

  async row(key: string): Promise<LedgerRow | undefined> {
    return this.index.find(key)
  }

  async rows(filter?: RowFilter): Promise<readonly LedgerRow[]> {
    return this.index.rows(filter)
  }
}
