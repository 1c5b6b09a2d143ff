import type { Attempt } from '../ledger.js'
import type { QueuedRow } from './row-queue.js'

/** From so many rows on, those that are due come before all others, so that a scan of them all stays cheap. */
const LONG = 500

/** Rows that wait to be tried again, and those that an earlier process left before their end. */
export class RetryQueue<Row extends QueuedRow> {
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
    return this.#rows.size >= LONG
  }

  /** Whether a row of a smaller depth waits. */
  hasAbove(depth: number): boolean {
    for (const row of this.#rows) if (row.depth < depth) return true
    return false
  }

  /** The row that has waited longest past its time, of other sites than these. @param kind how long its last try took */
  next(nowMs: number, heldSites: ReadonlySet<string>, kind: 'quick' | 'slow'): Row | undefined {
    let due: Row | undefined
    let dueAtMs = nowMs
    for (const row of this.#rows) {
      const last = row.attempts.at(-1)
      if (isSlow(last) !== (kind === 'slow')) continue
      // After a clock was set back, a row whose try ends in the future does not wait for that.
      const retryAtMs = (last?.endedAtMs ?? 0) > nowMs ? 0 : (last?.retryAtMs ?? 0)
      const isEarlier = due ? retryAtMs < dueAtMs : retryAtMs <= dueAtMs
      if (isEarlier && !heldSites.has(row.site)) [due, dueAtMs] = [row, retryAtMs]
    }
    return due
  }
}

/**
 * A try that failed at once costs the other rows nothing, and the links behind its page are wanted early. One that took longer
 * than this has kept the others waiting. Milliseconds.
 */
const SLOW_TRY_MS = 1000

const isSlow = (attempt: Attempt | undefined): boolean =>
  attempt !== undefined && attempt.endedAtMs - attempt.startedAtMs >= SLOW_TRY_MS
