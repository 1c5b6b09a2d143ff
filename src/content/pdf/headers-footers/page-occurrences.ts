/**
 * Number of pages before and after a page that count as near it. Headers change with chapters, so farther pages say
 * little.
 */
const MAX_DISTANCE = 12

/** Records the pages on which a key, such as the text of a row, occurs. Pages are added in order. */
export class PageOccurrences {
  readonly #pages = new Map<string, number[]>()

  add(key: string, page: number): void {
    const known = this.#pages.get(key)
    if (known === undefined) this.#pages.set(key, [page])
    else if (known.at(-1) !== page) known.push(page)
  }

  /** Counts the pages with the key among those near a page, including that page. */
  countNear(key: string, page: number): number {
    const pages = this.#pages.get(key) ?? []
    let count = 0
    for (
      let at = firstFrom(pages, page - MAX_DISTANCE);
      at < pages.length && (pages[at] ?? 0) <= page + MAX_DISTANCE;
      at++
    )
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
