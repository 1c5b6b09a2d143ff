import type { LeaseRequest } from '../ledger.js'
import { RetryQueue } from './retry-queue.js'
import { type QueueableRow, RowQueue } from './row-queue.js'

const NONE: ReadonlySet<string> = new Set()

/** Decides which row of a job is leased next, over the rows that wait, that wait for a retry, and that are leased. */
export class RowScheduler<Row extends QueueableRow> {
  /** Rows that were never leased. */
  readonly queue: RowQueue<Row>
  readonly #levelOf: (row: Row) => number
  readonly #deferred = new RetryQueue<Row>()
  /** Leased rows, with the time of the lease. They are few at any time, so that a scan is cheap. */
  readonly #active = new Map<Row, number>()

  /** @param levelOf level of a row, from 0, by which rows are leased: its depth, or 0 for all rows */
  constructor(levelOf: (row: Row) => number) {
    this.#levelOf = levelOf
    this.queue = new RowQueue(levelOf)
  }

  /** Queues a row that was leased before, by this process or an earlier one. */
  defer(row: Row): void {
    this.#deferred.add(row)
  }

  markActive(row: Row, nowMs: number): void {
    this.#deferred.delete(row)
    this.#active.set(row, nowMs)
  }

  unmarkActive(row: Row): void {
    this.#active.delete(row)
  }

  clearDeferred(): void {
    this.#deferred.clear()
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
    const quick = this.#deferred.next(nowMs, sites, 'quick')
    if (quick) return quick
    const slow = this.#deferred.next(nowMs, sites, 'slow')
    if (slow && this.#deferred.isLong) return slow
    const row = this.queue.next(sites, maxDepth)
    const isDeeper = row && slow && this.#levelOf(row) > this.#levelOf(slow)
    if (!row || isDeeper) return slow
    const isHeldBack =
      this.#hasActiveAbove(this.#levelOf(row), nowMs - holdLevelMs, readKeys) ||
      (holdLevelMs === Infinity && this.#deferred.hasAbove(row.depth))
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
