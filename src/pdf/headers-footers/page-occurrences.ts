/** Number of pages on each side that count as near. It is limited because headers change with chapters. */
const REACH = 12

/** Records the pages on which a key occurs. Pages must be added in ascending order. */
export class PageOccurrences {
  readonly #pages = new Map<string, number[]>()

  add(key: string, page: number): void {
    const known = this.#pages.get(key)
    if (known === undefined) this.#pages.set(key, [page])
    else if (known.at(-1) !== page) known.push(page)
  }

  /** Counts the pages with the key among those near a page, including that page. */
  near(key: string, page: number): number {
    const pages = this.#pages.get(key) ?? []
    let count = 0
    for (let at = firstFrom(pages, page - REACH); at < pages.length && (pages[at] ?? 0) <= page + REACH; at++)
      count += 1
    return count
  }
}

function firstFrom(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
