/**
 * A bounded set of integers of 32 bits, or of up to 53, that drops the least recently used numbers. With 32 bits, it takes a
 * tenth of the memory of a `RecentMap` and half the time. It holds no objects for the garbage collector to trace.
 */
export class RecentIntSet {
  readonly #capacity: number
  readonly #Slots: SlotsConstructor
  #recent: Slots
  #older: Slots
  #size = 0
  /** True when the set has 0, which marks an empty slot in the arrays. It is never dropped. */
  #hasZero = false

  /**
   * @param capacity the last `capacity` different numbers are always in the set; up to twice as many may be
   * @param Slots `Float64Array` for integers of more than 32 bits
   */
  constructor(capacity: number, Slots: SlotsConstructor = Int32Array) {
    this.#capacity = capacity
    this.#Slots = Slots
    this.#recent = new Slots(MIN_SLOTS)
    this.#older = new Slots(MIN_SLOTS)
  }

  /** Adds a number, or marks it as recently used. @returns true when the set had it already */
  add(value: number): boolean {
    if (value === 0) {
      const had = this.#hasZero
      this.#hasZero = true
      return had
    }
    let slot = slotIn(this.#recent, value)
    if (this.#recent[slot] === value) return true
    const wasThere = this.#older[slotIn(this.#older, value)] === value
    if (this.#makeRoom()) slot = slotIn(this.#recent, value)
    this.#recent[slot] = value
    this.#size += 1
    return wasThere
  }

  /** Tests for a number, without marking it as used. */
  has(value: number): boolean {
    if (value === 0) return this.#hasZero
    return this.#recent[slotIn(this.#recent, value)] === value || this.#older[slotIn(this.#older, value)] === value
  }

  /** Makes room for one more number. @returns true when the slots of the numbers have changed */
  #makeRoom(): boolean {
    if (this.#size >= this.#capacity) {
      this.#older = this.#recent
      this.#recent = new this.#Slots(this.#older.length)
      this.#size = 0
      return true
    }
    if (this.#size * 2 < this.#recent.length) return false
    const before = this.#recent
    this.#recent = new this.#Slots(before.length * 2)
    for (const value of before) if (value !== 0) this.#recent[slotIn(this.#recent, value)] = value
    return true
  }
}

const MIN_SLOTS = 1024

type Slots = Int32Array | Float64Array
type SlotsConstructor = new (length: number) => Slots

/** Finds the slot that holds a number, or the one that would. */
function slotIn(slots: Slots, value: number): number {
  const last = slots.length - 1
  let slot = Math.imul(value ^ (value >>> 15), 0x9e3779b1) & last
  for (let there = slots[slot]; there !== 0 && there !== value; there = slots[slot]) slot = (slot + 1) & last
  return slot
}
