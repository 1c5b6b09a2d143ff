/**
 * Numbers pairs of integers in the order of their first use, from 1. Where there are many pairs, a `Map` would need a
 * number object as the key of each, and take several times as long.
 */
export class PairNumbers {
  /** A hash table with the number of the pair in each slot. 0 marks an empty slot. */
  #slots = new Int32Array(FIRST_SLOTS)
  /** Both integers of each pair, by its number. */
  #pairs = new Int32Array(FIRST_SLOTS)
  #size = 0

  numberOf(first: number, second: number): number {
    const slot = this.#slotOf(first, second)
    const known = this.#slots[slot] ?? 0
    if (known !== 0) return known
    this.#size += 1
    const number = this.#size
    this.#slots[slot] = number
    this.#pairs[2 * number] = first
    this.#pairs[2 * number + 1] = second
    // A third full at most, with room for the next pair.
    if (3 * (number + 1) > this.#slots.length) this.#grow()
    return number
  }

  /** Finds the slot of a pair, or the one that is free for it. */
  #slotOf(first: number, second: number): number {
    const slots = this.#slots
    const pairs = this.#pairs
    const last = slots.length - 1
    const hash = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b)
    let slot = (hash ^ (hash >>> 15)) & last
    for (let there = slots[slot] ?? 0; there !== 0; there = slots[slot] ?? 0) {
      if (pairs[2 * there] === first && pairs[2 * there + 1] === second) break
      slot = (slot + 1) & last
    }
    return slot
  }

  #grow(): void {
    const pairs = this.#pairs
    this.#slots = new Int32Array(2 * this.#slots.length)
    this.#pairs = new Int32Array(2 * pairs.length)
    this.#pairs.set(pairs)
    for (let number = 1; number <= this.#size; number += 1)
      this.#slots[this.#slotOf(pairs[2 * number] ?? 0, pairs[2 * number + 1] ?? 0)] = number
  }
}

/** Slots of an empty table; a power of two. */
const FIRST_SLOTS = 256
