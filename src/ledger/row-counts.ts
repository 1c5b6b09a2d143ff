import type { Counts, LedgerRow, Outcome, SkipReason } from './ledger.js'

/** An index over the rows of a job: how many there are of each outcome. */
export class RowCounts {
  readonly #outcomes: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  readonly #reasons = new Map<SkipReason, number>()
  #credits = 0

  /** Counts a row as it is now, or with -1 takes it out as it was before. */
  count(row: LedgerRow, sign: 1 | -1): void {
    const weight = sign * weightOf(row)
    this.#outcomes[row.outcome] += weight
    this.#credits += sign * (row.credits ?? 0)
    if (row.outcome !== 'skipped' || !row.refusal) return
    const { reason } = row.refusal
    const left = (this.#reasons.get(reason) ?? 0) + weight
    if (left > 0) this.#reasons.set(reason, left)
    else this.#reasons.delete(reason)
  }

  of(outcome: Outcome): number {
    return this.#outcomes[outcome]
  }

  read(): Counts {
    return { ...this.#outcomes, credits: this.#credits, skippedByReason: Object.fromEntries(this.#reasons) }
  }
}

/** How many documents a row gives when it is done: a batch may name its page more than once. */
const weightOf = (row: LedgerRow): number => Math.max(1, row.sources?.length ?? 1)
