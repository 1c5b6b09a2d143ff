/** A place in a queue: by its first number, then by its second. */
type Place = readonly [first: number, second: number]

/** An item with its position. */
interface QueueEntry<T> {
  readonly item: T
  readonly position: Place
}

/** A binary heap of items by position, lowest first. Stale entries are removed when they come to the top. */
export class PriorityQueue<T> {
  readonly #entries: QueueEntry<T>[] = []
  readonly #isStale: (item: T, position: Place) => boolean

  /** @param isStale tests for an entry to ignore, because its item has moved or was removed */
  constructor(isStale: (item: T, position: Place) => boolean) {
    this.#isStale = isStale
  }

  push(item: T, position: Place): void {
    const entries = this.#entries
    const entry: QueueEntry<T> = { item, position }
    let at = entries.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = entries[above]
      if (!parent || !comesBefore(position, parent.position)) break
      entries[at] = parent
      at = above
    }
    entries[at] = entry
  }

  peek(): QueueEntry<T> | undefined {
    for (;;) {
      const [first] = this.#entries
      if (!first || !this.#isStale(first.item, first.position)) return first
      this.pop()
    }
  }

  pop(): void {
    const entries = this.#entries
    const last = entries.pop()
    if (!last || entries.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const left = entries[below]
      if (!left) break
      const right = entries[below + 1]
      if (right && comesBefore(right.position, left.position)) below += 1
      const child = entries[below]
      if (!child || !comesBefore(child.position, last.position)) break
      entries[at] = child
      at = below
    }
    entries[at] = last
  }
}

export const comesBefore = (a: Place, b: Place): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])
