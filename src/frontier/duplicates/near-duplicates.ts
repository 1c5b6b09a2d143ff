/** What is known of a page that looks like one seen before. */
export interface Likeness {
  /** The order number of the page it is like: the smallest, when there are several. */
  readonly first: number
  /** How many pages with this content there were before, that one among them: at least 1. */
  readonly times: number
}

/** Bits of the similarity hash in which two texts that are nearly the same may differ. @see Manku, Jain, Das Sarma (2007) */
const MAX_BITS = 3
/** Bits of the check in which they may differ. Without it, one pair in 10 000 would pass of pages with 80 % in common. */
const MAX_CHECK_BITS = 5
/**
 * Entries of one chain that are looked at, newest first. Bounds the cost on a site whose pages share most of their text,
 * where a chain may hold a tenth of them; an older page that is nearly the same may then be missed.
 */
const MAX_LOOKED_AT = 1000

const BANDS = 4
const HEADS = 0x10000
/** 32-bit words of an entry: 2 of the hash, 3 of the check, 1 of the opening, 1 for the size and how many were like it. */
const WORDS = 7

/**
 * Finds the page that a page is nearly the same as, among a million, in a few microseconds.
 *
 * Two hashes that differ in at most three bits have at least one of four bands of 16 bits in common, so only the entries
 * of four chains are compared. An entry takes 48 bytes.
 */
export class NearDuplicates {
  #words = new Int32Array(WORDS * 1024)
  #orders = new Uint32Array(1024)
  /** For each entry and band, the entry before it in the same chain, plus one. */
  #previous = new Uint32Array(BANDS * 1024)
  /** For each band and each value of it, the newest entry, plus one. */
  readonly #heads = new Uint32Array(BANDS * HEADS)
  #size = 0

  /** How many pages it holds: those that were like none before. */
  get size(): number {
    return this.#size
  }

  /**
   * The page that this one is like; when it is like none, it is kept for those that come after.
   *
   * @param order the page's number in the job's order of discovery, below 2 ** 32
   * @param similarity as the digest takes it: 52 hexadecimal digits, or none for a page without text, which is like none
   */
  see(order: number, similarity: string): Likeness | undefined {
    if (similarity === '') return undefined
    const words = readWords(similarity)
    const entry = this.#search(words)
    if (entry === undefined) {
      this.#keep(order, words)
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
      let next = this.#heads[band * HEADS + bandOf(words, band)] ?? 0
      for (let looked = 0; next !== 0 && looked < MAX_LOOKED_AT; looked += 1) {
        const entry = next - 1
        const isEarlier = found === undefined || (this.#orders[entry] ?? 0) < (this.#orders[found] ?? 0)
        if (isEarlier && this.#isNear(entry, words)) found = entry
        next = this.#previous[entry * BANDS + band] ?? 0
      }
    }
    return found
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

  #keep(order: number, words: Int32Array): void {
    const entry = this.#size
    if (entry === this.#orders.length) this.#grow()
    this.#size += 1
    this.#orders[entry] = order
    this.#words.set(words, entry * WORDS)
    for (let band = 0; band < BANDS; band += 1) {
      const head = band * HEADS + bandOf(words, band)
      this.#previous[entry * BANDS + band] = this.#heads[head] ?? 0
      this.#heads[head] = entry + 1
    }
  }

  #grow(): void {
    const room = this.#orders.length * 2
    this.#orders = copyInto(new Uint32Array(room), this.#orders)
    this.#words = copyInto(new Int32Array(room * WORDS), this.#words)
    this.#previous = copyInto(new Uint32Array(room * BANDS), this.#previous)
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

/** One of the four runs of 16 bits that the hash consists of. */
const bandOf = (words: Int32Array, band: number): number => ((words[band >> 1] ?? 0) >>> ((band & 1) * 16)) & 0xffff

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
