/** Place of a value in a {@link PassingMap}. It is emptied when the value leaves. */
interface Place<Value> {
  value: Value | undefined
}

/**
 * A map whose values come and go while it stays, such as the pages in work. It has the order of insertion.
 *
 * When a `Map` or a `Set` needs a new table, V8 links the outgrown one to it, for iterators, and leaves the entries in the
 * outgrown one. Once one outgrown table has lived long enough to be moved to the old generation, nothing frees the tables after
 * it before the next full collection, and so whatever their entries refer to. Here an entry that was deleted refers to
 * nothing. Keys are to be small.
 */
export class PassingMap<Key extends string | number, Value> {
  readonly #places = new Map<Key, Place<Value>>()

  get size(): number {
    return this.#places.size
  }

  has(key: Key): boolean {
    return this.#places.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value
  }

  set(key: Key, value: Value): void {
    const place = this.#places.get(key)
    if (place) place.value = value
    else this.#places.set(key, { value })
  }

  /** @returns true if the map had the key */
  delete(key: Key): boolean {
    const place = this.#places.get(key)
    if (!place) return false
    place.value = undefined
    return this.#places.delete(key)
  }

  clear(): void {
    for (const place of this.#places.values()) place.value = undefined
    this.#places.clear()
  }

  /** Goes through the entries in the order of insertion. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    // An entry that is deleted on the way is left out, as in a `Map`: a place in the map has its value.
    for (const [key, { value }] of this.#places) yield [key, value as Value]
  }
}
