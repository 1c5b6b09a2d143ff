import type { Attempt, LeaseRequest } from '../ledger.js'
import { type QueueableRow, RowQueue } from './row-queue.js'

const NONE: ReadonlySet<string> = new Set()

/** Decides which row of a job is leased next, over the rows that wait, that wait for a retry, and that are leased. */
export class RowScheduler<Row extends QueueableRow> {
  /** Rows that were never leased. */
  readonly queue: RowQueue<Row>
  readonly #levelOf: (row: Row) => number
  readonly #retries = new RetryQueue<Row>()
  /** Leased rows, with the time of the lease. They are few at any time, so that a scan is cheap. */
  readonly #active = new Map<Row, number>()

  /** @param levelOf level of a row, from 0, by which rows are leased: its depth, or 0 for all rows */
  constructor(levelOf: (row: Row) => number) {
    this.#levelOf = levelOf
    this.queue = new RowQueue(levelOf)
  }

  /** Queues a row that was leased before, by this process or an earlier one: it comes first, unless its last attempt was slow. */
  queueRetry(row: Row): void {
    this.#retries.rows.add(row)
  }

  markActive(row: Row, nowMs: number): void {
    this.#retries.rows.delete(row)
    this.#active.set(row, nowMs)
  }

  unmarkActive(row: Row): void {
    this.#active.delete(row)
  }

  clearRetries(): void {
    this.#retries.rows.clear()
  }

  /** Leased rows that count towards the limit. */
  get activeTowardsLimit(): number {
    let count = 0
    for (const row of this.#active.keys()) if (!row.linksOnly) count += 1
    return count
  }

  /** The row to lease next, which stays queued. @param holdLevelMs as in `LedgerRules` */
  next(request: LeaseRequest, holdLevelMs: number): Row | undefined {
    const { heldSites = NONE, slowSites = NONE } = request
    const first = slowSites.size > 0 && this.#nextExcluding(new Set([...heldSites, ...slowSites]), request, holdLevelMs)
    return first || this.#nextExcluding(heldSites, request, holdLevelMs)
  }

  /** The next row of a site that is not excluded. Rows whose last attempt was slow come last within their depth. */
  #nextExcluding(sites: ReadonlySet<string>, request: LeaseRequest, holdLevelMs: number): Row | undefined {
    const { nowMs, maxDepth = Infinity, readKeys = NONE } = request
    const hasRetries = this.#retries.rows.size > 0
    const quick = hasRetries ? this.#retries.next(nowMs, sites, 'quick') : undefined
    if (quick) return quick
    const slow = hasRetries ? this.#retries.next(nowMs, sites, 'slow') : undefined
    if (slow && this.#retries.isLong) return slow
    const row = this.queue.next(sites, maxDepth)
    const isDeeper = row && slow && this.#levelOf(row) > this.#levelOf(slow)
    if (!row || isDeeper) return slow
    const isHeldBack =
      this.#hasActiveAbove(this.#levelOf(row), nowMs - holdLevelMs, readKeys) ||
      (holdLevelMs === Infinity && this.#retries.hasAbove(row.depth))
    return isHeldBack ? slow : row
  }

  /** Tests for a row of a smaller level that was leased after `sinceMs` and has not been read. */
  #hasActiveAbove(level: number, sinceMs: number, readKeys: ReadonlySet<string>): boolean {
    for (const [row, leasedAtMs] of this.#active) {
      if (this.#levelOf(row) < level && leasedAtMs > sinceMs && !readKeys.has(row.key)) return true
    }
    return false
  }
}

/** Number of waiting rows from which on due retries precede all other rows. Bounds the scan over the waiting rows. */
const LONG_QUEUE = 500

/** Rows that wait for a retry, and rows that an earlier process left unfinished. */
class RetryQueue<Row extends QueueableRow> {
  readonly rows = new Set<Row>()

  get isLong(): boolean {
    return this.rows.size >= LONG_QUEUE
  }

  /** Tests for a waiting row of a smaller depth. */
  hasAbove(depth: number): boolean {
    for (const row of this.rows) if (row.depth < depth) return true
    return false
  }

  /** The due row with the earliest retry time, of these the one leased first, whose site is not held. @param kind duration of its last attempt */
  next(nowMs: number, heldSites: ReadonlySet<string>, kind: 'quick' | 'slow'): Row | undefined {
    let due: Row | undefined
    let dueAtMs = nowMs
    for (const row of this.rows) {
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
