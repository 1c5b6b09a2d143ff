import type { Counts, Ending, LedgerRow, Outcome, SkipReason } from '../ledger.js'

/** An index over the rows of a job: how many there are of each outcome, and how large they are. */
export class RowCounts {
  readonly #outcomes: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  readonly #characters: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  readonly #reasons = new Map<SkipReason, number>()
  #credits = 0
  #abridged = 0

  /** Counts a row as it is now, or with -1 takes it out as it was before. */
  count(row: LedgerRow, sign: 1 | -1): void {
    const weight = sign * weightOf(row)
    this.#outcomes[row.outcome] += weight
    this.#characters[row.outcome] += sign * charactersOf(row)
    this.#credits += sign * (row.credits ?? 0)
    if (row.outcome === 'skipped' && row.refusal) this.#addReason(row.refusal.reason, weight)
  }

  /** Counts URLs of which only the reason is known. */
  countAbridged(reason: SkipReason, times: number): void {
    this.#abridged += times
    this.#outcomes.skipped += times
    this.#addReason(reason, times)
  }

  of(outcome: Outcome): number {
    return this.#outcomes[outcome]
  }

  /** Refused rows that are kept whole. */
  get refused(): number {
    return this.#outcomes.skipped - this.#abridged
  }

  /** Characters that the rows of an outcome hold. */
  charactersOf(outcome: Outcome): number {
    return this.#characters[outcome]
  }

  read(): Counts {
    return {
      ...this.#outcomes,
      credits: this.#credits,
      skippedByReason: Object.fromEntries(this.#reasons),
      ...(this.#abridged > 0 && { abridged: this.#abridged }),
    }
  }

  #addReason(reason: SkipReason, times: number): void {
    const left = (this.#reasons.get(reason) ?? 0) + times
    if (left > 0) this.#reasons.set(reason, left)
    else this.#reasons.delete(reason)
  }
}

/** How many documents a row gives when it is done: a batch may name its page more than once. */
const weightOf = (row: LedgerRow): number => Math.max(1, row.sources?.length ?? 1)

function charactersOf({ key, url, anchor = '', alternates, outcome, refusal }: LedgerRow): number {
  const own = key.length + url.length + anchor.length
  const against = outcome === 'skipped' ? (refusal?.message.length ?? 0) : 0
  return own + against + (alternates?.reduce((sum, other) => sum + other.url.length + other.hreflang.length, 0) ?? 0)
}

/** What a page that ends so costs. */
export const creditsOf = (ending: Ending<unknown>): number | undefined =>
  ending.outcome === 'skipped' ? undefined : (ending.credits ?? (ending.outcome === 'done' ? 1 : undefined))
