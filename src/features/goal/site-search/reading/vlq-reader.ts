const CODE_0 = 0x30
const CODE_AT = 0x40
const CODE_BACKTICK = 0x60
/** Numbers that may be referred to. */
const MAX_RECENT = 16

/**
 * Reads the numbers of a text of rustdoc. A number has one character for each four bits, the first ones from `@` on, the last one
 * from a backtick on; its lowest bit is the sign. A character from `0` to `?` stands for one of the last 16 numbers but zeros.
 *
 * @see https://rustc-dev-guide.rust-lang.org/rustdoc-internals/search.html
 */
export class VlqReader {
  readonly #text: string
  #at = 0
  /** The last numbers, the newest one last. */
  readonly #recent: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the next number; 0 at the end of the text, and for a reference to no number. */
  next(): number {
    const code = this.#text.charCodeAt(this.#at)
    if (code >= CODE_0 && code < CODE_AT) {
      this.#at += 1
      return this.#recent.at(-1 - (code - CODE_0)) ?? 0
    }
    const from = this.#at
    const bits = this.#readBits()
    const number = bits % 2 === 1 ? -(bits - 1) / 2 : bits / 2
    // A zero takes one character itself.
    if (this.#at - from === 1 && bits === 0) return 0
    this.#recent.push(number)
    if (this.#recent.length > MAX_RECENT) this.#recent.shift()
    return number
  }

  #readBits(): number {
    let bits = 0
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at)
      this.#at += 1
      bits = bits * 16 + (code % 16)
      if (code >= CODE_BACKTICK) break
    }
    return bits
  }
}
