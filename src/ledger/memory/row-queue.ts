import type { LedgerRow, QueuePosition } from '../ledger.js'
import { PriorityQueue } from './priority-queue.js'

/** A row that stands in a queue. */
export interface QueuedRow extends LedgerRow {
  readonly place: QueuePosition
  readonly site: string
}

/** The rows of one site and depth. */
interface SiteQueue<Row> {
  readonly site: string
  readonly rows: PriorityQueue<Row>
  /** Under which place it stands among the sites: that of its first row, when it was last looked at. */
  standsAt: QueuePosition
}

/** One depth: its sites by the place of their first row. */
class Level<Row extends QueuedRow> {
  readonly #sites = new Map<string, SiteQueue<Row>>()
  readonly #order = new PriorityQueue<SiteQueue<Row>>((queue, place) => queue.standsAt !== place)

  push(row: Row): void {
    const known = this.#sites.get(row.site)
    if (known) {
      known.rows.push(row, row.place)
      if (known.rows.peek()?.item === row) this.#stand(known, row.place)
      return
    }
    const queue = { site: row.site, rows: new PriorityQueue<Row>(isStale), standsAt: row.place }
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
      } else if (row.place !== queue.standsAt) {
        this.#order.pop()
        this.#stand(queue, row.place)
      } else if (heldSites.has(queue.site)) {
        this.#order.pop()
        passed.push(queue)
      } else found = row.item
    }
    // Few sites are held at any time, so that putting them back costs little.
    for (const queue of passed) this.#order.push(queue, queue.standsAt)
    return found
  }

  get isEmpty(): boolean {
    return this.#sites.size === 0
  }

  #stand(queue: SiteQueue<Row>, place: QueuePosition): void {
    queue.standsAt = place
    this.#order.push(queue, place)
  }
}

/** Queued rows: by depth, then by place; what it costs to find the next does not depend on how many sites there are. */
export class RowQueue<Row extends QueuedRow> {
  readonly #levels: Level<Row>[] = []
  #lowest = 0

  /** Puts a row in; one that stands in it already moves to its present place. */
  push(row: Row): void {
    while (this.#levels.length <= row.depth) this.#levels.push(new Level())
    this.#levels[row.depth]?.push(row)
    this.#lowest = Math.min(this.#lowest, row.depth)
  }

  /** The row that is next, of the shallowest depth that has one whose site is not held. */
  next(heldSites: ReadonlySet<string>, maxDepth: number): Row | undefined {
    for (let depth = this.#lowest; depth < this.#levels.length && depth <= maxDepth; depth++) {
      const level = this.#levels[depth]
      const row = level?.next(heldSites)
      if (row) return row
      if (level?.isEmpty && depth === this.#lowest) this.#lowest += 1
    }
    return undefined
  }
}

/**
 * Rows are not taken out of the middle: an entry whose row has moved, or was taken up before, is passed over when its
 * turn comes. A row that waits for another try is not looked for here.
 */
const isStale = (row: QueuedRow, place: QueuePosition): boolean =>
  row.outcome !== 'queued' || row.order !== undefined || row.place !== place
