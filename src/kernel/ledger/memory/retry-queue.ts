import type { Attempt } from '../ledger.js'
import type { QueueableRow } from './row-queue.js'

/** Number of waiting rows from which on due retries precede all other rows. Bounds the scan over the waiting rows. */
const MAX_DEFERRED_ROWS = 500

/** Rows that wait for a retry, and rows that an earlier process left unfinished. */
export class RetryQueue<Row extends QueueableRow> {
  readonly #rows = new Set<Row>()

  add(row: Row): void {
    this.#rows.add(row)
  }

  delete(row: Row): void {
    this.#rows.delete(row)
  }

  clear(): void {
    this.#rows.clear()
  }

  get isLong(): boolean {
    return this.#rows.size >= MAX_DEFERRED_ROWS
  }

  /** Tests for a waiting row of a smaller depth. */
  hasAbove(depth: number): boolean {
    for (const row of this.#rows) if (row.depth < depth) return true
    return false
  }

  /** The due row with the earliest retry time, of these the one leased first, whose site is not held. @param kind duration of its last attempt */
  next(nowMs: number, heldSites: ReadonlySet<string>, kind: 'quick' | 'slow'): Row | undefined {
    let due: Row | undefined
    let dueAtMs = nowMs
    for (const row of this.#rows) {
      const last = row.attempts.at(-1)
      if (isSlow(last) !== (kind === 'slow')) continue
      // After the clock was set back, an attempt may end in the future: its retry is due at once.
      const retryAtMs = (last?.endedAtMs ?? 0) > nowMs ? 0 : (last?.retryAtMs ?? 0)
      const isFirst = due && retryAtMs === dueAtMs && (row.order ?? 0) < (due.order ?? 0)
      const isEarlier = due ? retryAtMs < dueAtMs || isFirst : retryAtMs <= dueAtMs
      if (isEarlier && !heldSites.has(row.site)) [due, dueAtMs] = [row, retryAtMs]
    }
    return due
  }
}

/**
 * Duration from which a failed attempt counts as slow. A retry after a quick failure comes before other rows, because
 * the links on its page are needed early; one after a slow failure comes after them, because it may block a slot again.
 * Milliseconds.
 */
const SLOW_ATTEMPT_MS = 1000

const isSlow = (attempt: Attempt | undefined): boolean =>
  attempt !== undefined && attempt.endedAtMs - attempt.startedAtMs >= SLOW_ATTEMPT_MS
