/**
 * A sample of the different numbers among many, which are 32-bit hashes: all of them while they are few, then those that
 * end in so many zeros that no more than `most` are left. So two texts keep the same of what they have in common.
 */
export class IntSample {
  readonly #most: number
  #mask: number
  /** A hash table. An empty place holds 0, for which `#hasZero` stands. */
  #slots: Int32Array
  #hasZero = false
  #size = 0

  /**
   * @param most numbers that are kept
   * @param zeros bits at the end of a number that have to be zero from the start
   */
  constructor(most: number, zeros = 0) {
    this.#most = most
    this.#mask = 2 ** zeros - 1
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2 + 2)))
  }

  add(value: number): void {
    if ((value & this.#mask) !== 0) return
    if (value === 0) {
      this.#size += this.#hasZero ? 0 : 1
      this.#hasZero = true
    } else if (!this.#claim(value)) return
    while (this.#size > this.#most) {
      this.#mask = this.#mask * 2 + 1
      this.#rebuild()
    }
  }

  /** The numbers kept, in no order. */
  get values(): Int32Array {
    const values = new Int32Array(this.#size)
    let count = this.#hasZero ? 1 : 0
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      const value = this.#slots[slot] ?? 0
      if (value !== 0) values[count++] = value
    }
    return values
  }

  /** About how many different numbers were added. */
  get estimate(): number {
    return this.#size * (this.#mask + 1)
  }

  /** Whether it was not there before. */
  #claim(value: number): boolean {
    const slots = this.#slots
    const last = slots.length - 1
    // Those at the end may all be zeros.
    let slot = (value >>> 16) & last
    for (let there = slots[slot]; there !== 0; there = slots[slot]) {
      if (there === value) return false
      slot = (slot + 1) & last
    }
    slots[slot] = value
    this.#size += 1
    return true
  }

  #rebuild(): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length)
    this.#size = this.#hasZero ? 1 : 0
    for (let slot = 0; slot < before.length; slot += 1) {
      const value = before[slot] ?? 0
      if (value !== 0 && (value & this.#mask) === 0) this.#claim(value)
    }
  }
}
