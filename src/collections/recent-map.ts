/** A bounded map that forgets the least recently used entries. */
export class RecentMap<K, V> {
  readonly #capacity: number
  #recent = new Map<K, V>()
  #older = new Map<K, V>()

  /** @param capacity entries set before those are forgotten that have not come up since; the map holds up to twice as many */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: K): V | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: K, value: V): void {
    if (this.#recent.size >= this.#capacity && !this.#recent.has(key)) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}
