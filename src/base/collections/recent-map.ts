/** A bounded map that drops the least recently used entries. */
export class RecentMap<K, V> {
  readonly #capacity: number
  #recent = new Map<K, V>()
  #older = new Map<K, V>()

  /** @param capacity the last `capacity` entries that were set or read are always in the map; up to twice as many may be */
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
