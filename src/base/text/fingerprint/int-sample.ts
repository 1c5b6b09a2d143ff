/**
 * A bounded sample of distinct 32-bit hashes: all of them while they are few, then those whose lowest bits are zeros,
 * with as many zeros as it takes. Two texts therefore keep the same hashes of what they have in common.
 */
export class IntSample {
  readonly #capacity: number
  #mask: number
  readonly #mostSlots: number
  /** A hash table. 0 marks an empty slot; `#hasZero` is true if the number 0 was added. */
  #slots: Int32Array
  #hasZero = false
  #size = 0

  /**
   * @param capacity maximum number of hashes kept
   * @param zeros number of lowest bits that must be zero from the start
   */
  constructor(capacity: number, zeros = 0) {
    this.#capacity = capacity
    this.#mask = 2 ** zeros - 1
    this.#mostSlots = 2 ** Math.ceil(Math.log2(capacity * 2 + 2))
    this.#slots = new Int32Array(Math.min(FIRST_SLOTS, this.#mostSlots))
  }

  add(value: number): void {
    if ((value & this.#mask) !== 0) return
    if (value === 0) {
      this.#size += this.#hasZero ? 0 : 1
      this.#hasZero = true
    } else if (!this.#claim(value)) return
    // Half full at most. Few texts need all the slots that there may be.
    if (2 * this.#size > this.#slots.length && this.#slots.length < this.#mostSlots) this.#rebuild(this.#mostSlots)
    while (this.#size > this.#capacity) {
      this.#mask = this.#mask * 2 + 1
      this.#rebuild(this.#slots.length)
    }
  }

  /** The hashes kept, in no order. */
  get values(): Int32Array {
    const values = new Int32Array(this.#size)
    let count = this.#hasZero ? 1 : 0
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      const value = this.#slots[slot] ?? 0
      if (value !== 0) values[count++] = value
    }
    return values
  }

  /** Estimated number of distinct hashes added. */
  get estimate(): number {
    return this.#size * (this.#mask + 1)
  }

  /** Adds a hash to the table. @returns false when it was there before */
  #claim(value: number): boolean {
    const slots = this.#slots
    const last = slots.length - 1
    // The lowest bits may be zeros in all hashes.
    let slot = (value >>> 16) & last
    for (let there = slots[slot]; there !== 0; there = slots[slot]) {
      if (there === value) return false
      slot = (slot + 1) & last
    }
    slots[slot] = value
    this.#size += 1
    return true
  }

  #rebuild(slots: number): void {
    const before = this.#slots
    this.#slots = new Int32Array(slots)
    this.#size = this.#hasZero ? 1 : 0
    for (let slot = 0; slot < before.length; slot += 1) {
      const value = before[slot] ?? 0
      if (value !== 0 && (value & this.#mask) === 0) this.#claim(value)
    }
  }
}

/** Slots of an empty sample. A power of two. */
const FIRST_SLOTS = 1024
