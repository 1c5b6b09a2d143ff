/** A map that forgets what has not been asked for or set for long, so that its memory is bounded. */
export class RecentMap<K, V> {
  readonly #most: number
  #recent = new Map<K, V>()
  #older = new Map<K, V>()

  /** @param most entries after which those are forgotten that have not come up since as many before; it holds twice as many */
  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: K, value: V): void {
    if (this.#recent.size >= this.#most && !this.#recent.has(key)) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}
