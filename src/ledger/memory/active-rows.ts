import type { QueuedRow } from './row-queue.js'

/** Rows that are handed out, with when: few at any time, so that a scan is cheap. */
export class ActiveRows<Row extends QueuedRow> {
  readonly #since = new Map<Row, number>()

  set(row: Row, nowMs: number): void {
    this.#since.set(row, nowMs)
  }

  delete(row: Row): void {
    this.#since.delete(row)
  }

  /** How many count towards the limit. */
  get kept(): number {
    let kept = 0
    for (const row of this.#since.keys()) if (!row.linksOnly) kept += 1
    return kept
  }

  /** Whether a row of a smaller depth was handed out after this, and has not been read. */
  hasAbove(depth: number, sinceMs: number, readKeys: ReadonlySet<string>): boolean {
    for (const [row, handedOutMs] of this.#since) {
      if (row.depth < depth && handedOutMs > sinceMs && !readKeys.has(row.key)) return true
    }
    return false
  }
}
