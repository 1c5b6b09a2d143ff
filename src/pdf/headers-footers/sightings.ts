/** Number of pages on each side that count as near, as headers change with chapters. */
const REACH = 12

/** Records on which pages something occurs, in page order. */
export class Sightings {
  readonly #pages = new Map<string, number[]>()

  add(key: string, page: number): void {
    const known = this.#pages.get(key)
    if (known === undefined) this.#pages.set(key, [page])
    else if (known.at(-1) !== page) known.push(page)
  }

  /** Counts the pages near a page on which the key occurs. */
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
