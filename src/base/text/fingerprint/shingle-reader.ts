import { IntSample } from './int-sample.js'
import { simhash } from './simhash.js'
import { hashTokens, scatter, type TokenReader } from './tokens.js'
import { listDateNames } from '../date-names.js'

/** Maximum number of samples of a page, to keep the message of a worker thread small. */
export const MAX_SAMPLES = 128

/**
 * Maximum number of phrases that the similarity hash is made of. A longer text is sampled: recall is the same as with
 * all phrases, for half the cost.
 */
const MAX_PHRASES = 1024

/**
 * Number of leading tokens that near-duplicates must share. Without this rule, 1 042 of 31 752 pages of Rust's
 * reference were called duplicates, `Take` and `Filter` among them, which share all but a few lines; with it, 11.
 */
const OPENING = 16
/** Token hash that replaces names of months and days, and words of the page's URL, in the outline and the samples. */
const PLACEHOLDER = 0x6b8b4567

/** Parts of a fingerprint, with the number of all tokens of the text. */
interface ReadText {
  readonly tokens: number
  /** Number of tokens that are neither in the calendar nor in the URL. */
  readonly words: number
  readonly samples: readonly number[]
  readonly exact: string
  readonly wording: string
  readonly outline: string
}

/**
 * Reads a text once, token by token, and collects all parts of its fingerprint.
 *
 * A phrase is two tokens: with one, the order of words would not count; with three, a changed word changes three
 * phrases, and the hash finds a text of 250 to 500 words again after one change in 70 of 100 cases instead of 86. A
 * sample is four tokens, so that new prose differs in a small vocabulary too. Neither spans lines, so that reordered
 * lines give the same phrases; a shorter line is one phrase or sample by itself.
 */
export class ShingleReader implements TokenReader {
  readonly #dates = dateWords()
  readonly #inUrl: IntSet
  readonly #phrases = new IntSample(MAX_PHRASES)
  readonly #samples = new IntSample(MAX_SAMPLES, 2)
  readonly #exact = new OrderedHash()
  readonly #wording = new OrderedHash()
  readonly #outline = new OrderedHash()
  #opening = 0
  #tokens = 0
  #words = 0
  #isLastVariable = false
  /**
   * State of the line: its number of tokens, its last token, and its last three with {@link PLACEHOLDER} for variable
   * ones.
   */
  #inLine = 0
  #last = 0
  #first = 0
  #second = 0
  #third = 0

  /** @param url the page's URL, decoded */
  constructor(url: string) {
    this.#inUrl = new IntSet(hashTokens(url))
  }

  token(hash: number): void {
    const isVariable = this.#dates.has(hash) || this.#inUrl.has(hash)
    const token = isVariable ? PLACEHOLDER : hash
    if (!isVariable) this.#words += 1
    if (this.#tokens < OPENING) this.#opening = scatter(Math.imul(this.#opening, STEP) + hash)
    this.#tokens += 1
    this.#exact.add(hash)
    this.#wording.add(hash)
    // A run of replaced tokens counts once, so that `red chair` and `blue wooden chair` in URLs give the same outline.
    if (!isVariable || !this.#isLastVariable) this.#outline.add(token)
    this.#isLastVariable = isVariable
    if (this.#inLine > 0) this.#phrases.add(scatter(Math.imul(this.#last, STEP) + hash))
    if (this.#inLine > 2) this.#samples.add(scatter(Math.imul(this.#line(), STEP) + token))
    this.#inLine += 1
    this.#last = hash
    this.#third = this.#second
    this.#second = this.#first
    this.#first = token
  }

  target(hash: number): void {
    this.#exact.add(hash)
  }

  mark(code: number): void {
    this.#exact.add(code)
  }

  endLine(): void {
    if (this.#inLine === 1) this.#phrases.add(scatter(this.#last))
    if (this.#inLine < 4) this.#samples.add(scatter(this.#line()))
    this.#inLine = 0
    this.#first = 0
    this.#second = 0
    this.#third = 0
  }

  /** Returns all but the similarity hash, which a short text has no need of. */
  finish(): ReadText {
    const samples: number[] = []
    // A spread takes four times as long.
    for (const value of this.#samples.values) samples.push(value)
    return {
      tokens: this.#tokens,
      words: this.#words,
      samples,
      exact: this.#exact.digits,
      wording: this.#wording.digits,
      outline: this.#outline.digits,
    }
  }

  /**
   * Returns the 52 hexadecimal digits of `Fingerprint`. Each phrase counts once: "add to cart", a hundred times, is not
   * the content.
   */
  similarity(): string {
    const size = Math.min(this.#phrases.estimate, 0xffff)
    return [...simhash(this.#phrases.values, 5), this.#opening].map(toHex).join('') + toHex(size).slice(4)
  }

  #line(): number {
    return Math.imul(Math.imul(this.#third, STEP) + this.#second, STEP) + this.#first
  }
}

let known: IntSet | undefined

/** Returns names of months and days of the week, long and short, as token hashes. The first call takes 15 ms. */
const dateWords = (): IntSet => (known ??= new IntSet(listDateNames().flatMap(hashTokens)))

/** The golden ratio in 32 bits. It is odd, so that multiplication by it keeps distinct numbers distinct. */
const STEP = 0x9e3779b1

/** A fast 64-bit hash of an ordered list of numbers. Not cryptographic: a site can make two of its pages collide on purpose. */
class OrderedHash {
  #high = 0x243f6a88
  #low = 0x13198a2e

  add(value: number): void {
    this.#high = Math.imul(((this.#high << 5) | (this.#high >>> 27)) ^ value, STEP)
    this.#low = Math.imul(this.#low ^ value, 0x85ebca6b)
    this.#low ^= this.#low >>> 13
  }

  /** The hash as 16 hexadecimal digits. */
  get digits(): string {
    return toHex(scatter(this.#high)) + toHex(scatter(this.#low))
  }
}

/** The two hexadecimal digits of each byte. */
const BYTES: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const byteToHex = (byte: number): string => BYTES[byte & 0xff] ?? ''

/** Writes a word as 8 hexadecimal digits, in a tenth of the time of `toString(16)`. */
const toHex = (word: number): string =>
  byteToHex(word >>> 24) + byteToHex(word >>> 16) + byteToHex(word >>> 8) + byteToHex(word)

/** An immutable set of 32-bit integers. Looking up an absent number takes a third of the time that a `Set` takes. */
class IntSet {
  readonly #slots: Int32Array
  #hasZero = false

  constructor(values: readonly number[]) {
    // A quarter full at most, so that an absent number nearly always hits an empty slot at once.
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(values.length * 4 + 4)))
    for (const value of values) {
      // 0 marks an empty slot.
      if (value === 0) this.#hasZero = true
      else this.#slots[this.#slotOf(value)] = value
    }
  }

  has(value: number): boolean {
    return value === 0 ? this.#hasZero : this.#slots[this.#slotOf(value)] === value
  }

  /** Finds the slot that holds the value, or the one that would. */
  #slotOf(value: number): number {
    const slots = this.#slots
    const last = slots.length - 1
    let slot = (value ^ (value >>> 15)) & last
    for (let there = slots[slot]; there !== 0 && there !== value; there = slots[slot]) slot = (slot + 1) & last
    return slot
  }
}
