import type { Counts, Ending, LedgerRow, Outcome, SkipReason } from '../ledger.js'
import { WarningCounts } from '../../../base/text/page-warnings.js'

/** Running totals over the rows of a job: number and size by outcome, reasons, credits. */
export class RowCounts {
  readonly #outcomes: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  readonly #characters: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  /** Number of rows of each outcome. A page that a batch lists several times counts as often. */
  readonly byOutcome: Readonly<Record<Outcome, number>> = this.#outcomes
  /** Characters held by the rows of each outcome. */
  readonly characters: Readonly<Record<Outcome, number>> = this.#characters
  readonly #reasons = new Map<SkipReason, number>()
  #warnings: WarningCounts | undefined
  #credits = 0
  #abridged = 0

  /** Adds a row to the totals. @param sign -1 subtracts the row instead, before it changes */
  count(row: LedgerRow, sign: 1 | -1): void {
    // A row yields one document for each time that a batch lists it.
    const weight = sign * Math.max(1, row.sources?.length ?? 1)
    this.#outcomes[row.outcome] += weight
    this.#characters[row.outcome] += sign * charactersOf(row)
    this.#credits += sign * (row.credits ?? 0)
    if (row.outcome === 'skipped' && row.refusal) this.#addReason(row.refusal.reason, weight)
    if (row.warning !== undefined && row.outcome === 'done')
      (this.#warnings ??= new WarningCounts()).add(row.warning, weight, row.url)
  }

  /** Counts abridged rows. */
  countAbridged(reason: SkipReason, times: number): void {
    this.#abridged += times
    this.#outcomes.skipped += times
    this.#addReason(reason, times)
  }

  /** Refused rows that are not abridged. */
  get refused(): number {
    return this.#outcomes.skipped - this.#abridged
  }

  read(): Counts {
    const warnings = this.#warnings?.read()
    return {
      ...(warnings && { warnings }),
      ...this.#outcomes,
      credits: this.#credits,
      skippedByReason: Object.fromEntries(this.#reasons),
      abridged: this.#abridged > 0 ? this.#abridged : undefined,
    }
  }

  #addReason(reason: SkipReason, times: number): void {
    const left = (this.#reasons.get(reason) ?? 0) + times
    if (left > 0) this.#reasons.set(reason, left)
    else this.#reasons.delete(reason)
  }
}

function charactersOf({ key, url, anchor = '', alternates, outcome, refusal }: LedgerRow): number {
  const own = key.length + url.length + anchor.length
  const reason = outcome === 'skipped' ? (refusal?.message.length ?? 0) : 0
  return own + reason + (alternates?.reduce((sum, other) => sum + other.url.length + other.hreflang.length, 0) ?? 0)
}

/** The cost of a page with this outcome. */
export const creditsOf = (ending: Ending<unknown>): number | undefined =>
  ending.outcome === 'skipped' ? undefined : (ending.credits ?? (ending.outcome === 'done' ? 1 : undefined))
