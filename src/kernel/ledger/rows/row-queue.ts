import type { LedgerRow, QueuePosition } from '../ledger.js'
import { PriorityQueue } from '../../../base/collections/priority-queue.js'

/** A row with a position and a site. */
export interface QueueableRow extends LedgerRow {
  readonly place: QueuePosition
  readonly site: string
}

/** The queued rows of one site and level. */
interface SiteQueue<Row> {
  readonly site: string
  readonly rows: PriorityQueue<Row>
  /** Its position among the sites: that of its first row, at the time it was last enqueued. */
  queuedAt: QueuePosition
}

/** The queued rows of one level: sites in order of their first rows. */
class LevelQueue<Row extends QueueableRow> {
  readonly #sites = new Map<string, SiteQueue<Row>>()
  readonly #order = new PriorityQueue<SiteQueue<Row>>((queue, place) => queue.queuedAt !== place)

  push(row: Row): void {
    const known = this.#sites.get(row.site)
    if (known) {
      known.rows.push(row, row.place)
      if (known.rows.peek()?.item === row) this.#enqueueSite(known, row.place)
      return
    }
    const queue = { site: row.site, rows: new PriorityQueue<Row>(isStale), queuedAt: row.place }
    queue.rows.push(row, row.place)
    this.#sites.set(row.site, queue)
    this.#order.push(queue, row.place)
  }

  /** The first row whose site is not held. */
  next(heldSites: ReadonlySet<string>): Row | undefined {
    const passed: SiteQueue<Row>[] = []
    let found: Row | undefined
    for (let first = this.#order.peek(); first && !found; first = this.#order.peek()) {
      const queue = first.item
      const row = queue.rows.peek()
      if (!row) {
        this.#sites.delete(queue.site)
        this.#order.pop()
      } else if (row.position !== queue.queuedAt) {
        this.#order.pop()
        this.#enqueueSite(queue, row.position)
      } else if (heldSites.has(queue.site)) {
        this.#order.pop()
        passed.push(queue)
      } else found = row.item
    }
    // Cheap, because few sites are held at any time.
    for (const queue of passed) this.#order.push(queue, queue.queuedAt)
    return found
  }

  get isEmpty(): boolean {
    return this.#sites.size === 0
  }

  #enqueueSite(queue: SiteQueue<Row>, place: QueuePosition): void {
    queue.queuedAt = place
    this.#order.push(queue, place)
  }
}

/**
 * Queued rows in order of level, then of position. The cost of finding the next row does not depend on the number of
 * sites.
 */
export class RowQueue<Row extends QueueableRow> {
  readonly #levels: LevelQueue<Row>[] = []
  readonly #levelOf: (row: Row) => number
  #lowest = 0

  /** @param levelOf level of a row, from 0: its depth, where rows are in order of depth */
  constructor(levelOf: (row: Row) => number) {
    this.#levelOf = levelOf
  }

  /** Adds a row; one that is queued already moves to its present position. */
  push(row: Row): void {
    const level = this.#levelOf(row)
    while (this.#levels.length <= level) this.#levels.push(new LevelQueue())
    this.#levels[level]?.push(row)
    this.#lowest = Math.min(this.#lowest, level)
  }

  /** The first row of the smallest level that has one whose site is not held. */
  next(heldSites: ReadonlySet<string>, maxLevel: number): Row | undefined {
    for (let at = this.#lowest; at < this.#levels.length && at <= maxLevel; at++) {
      const level = this.#levels[at]
      const row = level?.next(heldSites)
      if (row) return row
      if (level?.isEmpty && at === this.#lowest) this.#lowest += 1
    }
    return undefined
  }
}

/**
 * Tests for an outdated entry. Rows are not removed from the middle: the entry of a row that has moved, or was leased
 * before, is skipped when it comes to the top. Rows that wait for a retry are in `RetryQueue`.
 */
const isStale = (row: QueueableRow, place: QueuePosition): boolean =>
  row.outcome !== 'queued' || row.order !== undefined || row.place !== place
