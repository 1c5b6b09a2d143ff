/** Adds up weights of items. Of equal weights the first item ranks higher, so that the order is the same every time. */
export class Tally<T> {
  readonly #weights = new Map<T, number>()

  add(item: T, weight = 1): this {
    this.#weights.set(item, (this.#weights.get(item) ?? 0) + weight)
    return this
  }

  /** Lists items by weight, the largest first. */
  ranked(): { item: T; weight: number }[] {
    return [...this.#weights].map(([item, weight]) => ({ item, weight })).sort((a, b) => b.weight - a.weight)
  }

  mostFrequent(): T | undefined {
    return this.ranked()[0]?.item
  }

  get total(): number {
    return [...this.#weights.values()].reduce((sum, weight) => sum + weight, 0)
  }
}

/** Counts the items of a list. */
export const tallyOf = <T>(items: Iterable<T>): Tally<T> => {
  const tally = new Tally<T>()
  for (const item of items) tally.add(item)
  return tally
}
