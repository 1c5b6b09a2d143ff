/** An earlier text that a text nearly equals. */
export interface NearDuplicate {
  /** Order number of the earlier text; the smallest when there are several. */
  readonly first: number
  /** Number of earlier texts with this content, including that one: at least 1. */
  readonly times: number
}

/** Maximum differing bits of the similarity hash of near duplicates. @see Manku, Jain, Das Sarma (2007) */
const MAX_BITS = 3
/**
 * Maximum differing bits of the check hash. Without the check, one in 10,000 pairs of pages with 80 % in common would
 * pass.
 */
const MAX_CHECK_BITS = 5
/**
 * Maximum entries of one chain to compare, newest first. Bounds the cost on a site whose pages share most of their
 * text, where a chain may hold a tenth of them; an older near duplicate may then be missed.
 */
const MAX_COMPARED = 1000

const BANDS = 4
/** Values of a band, and so the maximum number of chains of each band. */
const MAX_CHAINS = 0x10000
/** Entries that a crawl has room for at first: most crawls are small. */
const FIRST_ENTRIES = 16
/**
 * 32-bit words per entry: 2 for the hash, 3 for the check, 1 for the opening of the text, 1 for its size and the number
 * of duplicates.
 */
const WORDS = 7

/**
 * Finds the near duplicate of a text among a million texts, in a few microseconds.
 *
 * Two hashes that differ in at most three bits agree in at least one of four bands of 16 bits, so only the entries of
 * four chains are compared. An entry takes 64 bytes, up to 65,536 of them, and 48 beyond. Memory is taken as texts come.
 */
export class NearDuplicates {
  #words = new Int32Array(0)
  #orders = new Uint32Array(0)
  /** Previous entry in the same chain, plus one, by entry and band. */
  #previous = new Uint32Array(0)
  /** Newest entry, plus one, of each chain, by band and the low bits of its value. */
  #heads = new Uint32Array(0)
  #size = 0

  /** Number of distinct texts stored. */
  get size(): number {
    return this.#size
  }

  /**
   * Finds the near duplicate of a text; one without any is stored.
   *
   * @param order the number of the text in the order of the caller, below 2 ** 32
   * @param similarity the hash of the text: 52 hexadecimal digits, or none for an empty one, which has
   * no duplicates
   */
  record(order: number, similarity: string): NearDuplicate | undefined {
    if (similarity === '') return undefined
    const words = readWords(similarity)
    const entry = this.#search(words)
    if (entry === undefined) {
      this.#add(order, words)
      return undefined
    }
    const last = entry * WORDS + WORDS - 1
    const times = ((this.#words[last] ?? 0) & 0xffff) + 1
    if (times < 0xffff) this.#words[last] = (this.#words[last] ?? 0) + 1
    return { first: this.#orders[entry] ?? 0, times }
  }

  #search(words: Int32Array): number | undefined {
    let found: number | undefined
    for (let band = 0; band < BANDS; band += 1) {
      const value = bandOf(words, 0, band)
      let next = this.#heads[this.#headOf(band, value)] ?? 0
      for (let compared = 0; next !== 0 && compared < MAX_COMPARED;) {
        const entry = next - 1
        next = this.#previous[entry * BANDS + band] ?? 0
        // Values that differ in their high bits share a chain while there are few.
        if (bandOf(this.#words, entry * WORDS, band) !== value) continue
        compared += 1
        const isEarlier = found === undefined || (this.#orders[entry] ?? 0) < (this.#orders[found] ?? 0)
        if (isEarlier && this.#isNear(entry, words)) found = entry
      }
    }
    return found
  }

  /** Place of the newest entry of a chain in {@link NearDuplicates.#heads}. */
  #headOf(band: number, value: number): number {
    const chains = this.#heads.length / BANDS
    return band * chains + (value & (chains - 1))
  }

  #isNear(entry: number, words: Int32Array): boolean {
    const at = entry * WORDS
    const differ = (from: number, to: number): number => {
      let bits = 0
      for (let word = from; word < to; word += 1) bits += countBits((words[word] ?? 0) ^ (this.#words[at + word] ?? 0))
      return bits
    }
    if (differ(0, 2) > MAX_BITS || differ(2, 5) > MAX_CHECK_BITS) return false
    if (words[5] !== this.#words[at + 5]) return false
    const size = (words[6] ?? 0) >>> 16
    const difference = Math.abs(size - ((this.#words[at + 6] ?? 0) >>> 16))
    return difference <= 2 + size / 50
  }

  #add(order: number, words: Int32Array): void {
    const entry = this.#size
    if (entry === this.#orders.length) this.#grow()
    this.#size += 1
    this.#orders[entry] = order
    this.#words.set(words, entry * WORDS)
    this.#chain(entry)
  }

  /** Makes an entry the newest one of its four chains. */
  #chain(entry: number): void {
    for (let band = 0; band < BANDS; band += 1) {
      const head = this.#headOf(band, bandOf(this.#words, entry * WORDS, band))
      this.#previous[entry * BANDS + band] = this.#heads[head] ?? 0
      this.#heads[head] = entry + 1
    }
  }

  #grow(): void {
    const capacity = Math.max(this.#orders.length * 2, FIRST_ENTRIES)
    this.#orders = copyInto(new Uint32Array(capacity), this.#orders)
    this.#words = copyInto(new Int32Array(capacity * WORDS), this.#words)
    this.#previous = copyInto(new Uint32Array(capacity * BANDS), this.#previous)
    if (this.#heads.length === BANDS * MAX_CHAINS) return
    this.#heads = new Uint32Array(BANDS * Math.min(capacity, MAX_CHAINS))
    for (let entry = 0; entry < this.#size; entry += 1) this.#chain(entry)
  }
}

function copyInto<T extends Int32Array | Uint32Array>(target: T, source: T): T {
  target.set(source)
  return target
}

function readWords(similarity: string): Int32Array {
  const words = new Int32Array(WORDS)
  for (let word = 0; word < 6; word += 1) words[word] = Number.parseInt(similarity.slice(word * 8, word * 8 + 8), 16)
  words[6] = Number.parseInt(similarity.slice(48), 16) << 16
  return words
}

/** Returns one of the four bands of 16 bits of the hash whose words begin there. */
const bandOf = (words: Int32Array, from: number, band: number): number =>
  ((words[from + (band >> 1)] ?? 0) >>> ((band & 1) * 16)) & 0xffff

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
