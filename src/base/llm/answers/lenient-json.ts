/** Maximum nesting: the code that works on the value is recursive. */
export const MAX_DEPTH = 200

/** A value read from a text. */
interface LenientValue {
  readonly value: object
  /** Position behind the value. */
  readonly end: number
  /** True when the text ends within the value. Incomplete members are left out. */
  readonly isCut: boolean
}

/** A text that has no such value. */
interface NoLenientValue {
  readonly value?: undefined
  /** Position at which reading ended. */
  readonly end: number
}

/**
 * Reads an object or a list that a model wrote, with the errors that models make: comments, commas before closing brackets,
 * missing commas, names without quotes, single quotes, line breaks and quotes within texts, the constants of Python. Takes linear
 * time.
 *
 * @param from position of its opening bracket
 */
export function readLenientJson(text: string, from: number): LenientValue | NoLenientValue {
  const reader = new LenientReader(text, from)
  try {
    const value = reader.readValue(0)
    return typeof value === 'object' && value !== null
      ? { value, end: reader.at, isCut: reader.isCut }
      : { end: reader.at }
  } catch (error) {
    if (error === FAULT) return { end: reader.at }
    throw error
  }
}

/** Thrown at a place that cannot be read. It is made once: a stack for each bracket of prose would take seconds. */
const FAULT = new Error('not JSON')

/** Blanks, or a comment. */
const BLANK = /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y
const BARE_WORD = /[^\s,:{}[\]"'/]+/y
/** Signs behind the closing quote of a text: behind a quote within it, a word goes on. */
const AFTER_TEXT = /\s*(?:[,:}\]]|\/[/*]|$)|\s+"|[^\S\n]*\n/y
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const ESCAPES: ReadonlyMap<string, string> = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }))
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ...['null', 'none', 'undefined', 'nan', 'infinity', '-infinity'].map((word) => [word, null] as const),
])

class LenientReader {
  readonly #text: string
  at: number
  isCut = false

  constructor(text: string, from: number) {
    this.#text = text
    this.at = from
  }

  /** Returns undefined for a value that the text ends within, unless it has complete members. */
  readValue(depth: number): unknown {
    const sign = this.#text[this.at]
    if (sign === '{' || sign === '[') {
      if (depth === MAX_DEPTH) throw FAULT
      this.at += 1
      return sign === '{' ? this.#readObject(depth + 1) : this.#readList(depth + 1)
    }
    return sign === '"' || sign === "'" ? this.#readText(sign) : this.#readBare()
  }

  #readObject(depth: number): object | undefined {
    const members = new Map<string, unknown>()
    while (!this.#isAtEnd('}')) {
      const name = this.#readName()
      if (name === undefined || this.#isAtEnd()) break
      if (this.#text[this.at] !== ':') throw FAULT
      this.at += 1
      if (this.#isAtEnd()) break
      const value = this.readValue(depth)
      // A copy of the object would take it for its prototype.
      if (value !== undefined && name !== '__proto__') members.set(name, value)
      this.#skipComma()
    }
    return this.isCut && members.size === 0 ? undefined : Object.fromEntries(members)
  }

  #readList(depth: number): unknown[] | undefined {
    const items: unknown[] = []
    while (!this.#isAtEnd(']')) {
      const item = this.readValue(depth)
      if (item !== undefined) items.push(item)
      this.#skipComma()
    }
    return this.isCut && items.length === 0 ? undefined : items
  }

  /** Returns true behind the closing bracket, and at the end of the text. */
  #isAtEnd(close?: string): boolean {
    this.#skipBlanks()
    if (this.at >= this.#text.length) this.isCut = true
    else if (this.#text[this.at] === close) this.at += 1
    else return false
    return true
  }

  #skipComma(): void {
    this.#skipBlanks()
    if (this.#text[this.at] === ',') this.at += 1
  }

  #skipBlanks(): void {
    while (this.#skip(BLANK) !== '');
  }

  /** Goes on behind what a pattern matches here. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.at += found.length
    return found
  }

  #readName(): string | undefined {
    const sign = this.#text[this.at]
    if (sign === '"' || sign === "'") return this.#readText(sign)
    const name = this.#skip(BARE_WORD)
    if (!NAME.test(name)) throw FAULT
    return name
  }

  #readBare(): unknown {
    const word = this.#skip(BARE_WORD)
    if (this.at >= this.#text.length && word !== '') {
      this.isCut = true
      return undefined
    }
    const constant = CONSTANTS.get(word.toLowerCase())
    if (constant !== undefined) return constant
    if (!NUMBER.test(word)) throw FAULT
    const number = Number(word)
    return Number.isFinite(number) ? number : null
  }

  #readText(quote: string): string | undefined {
    const text = this.#text
    let read = ''
    let from = (this.at += 1)
    for (; this.at < text.length; this.at += 1) {
      if (text[this.at] === '\\') {
        read += text.slice(from, this.at)
        const [sign, length] = this.#readEscape()
        read += sign
        this.at += length
        from = this.at + 1
      } else if (text[this.at] === quote && this.#endsText()) {
        read += text.slice(from, this.at)
        this.at += 1
        return read
      }
    }
    this.isCut = true
    return undefined
  }

  #endsText(): boolean {
    AFTER_TEXT.lastIndex = this.at + 1
    return AFTER_TEXT.test(this.#text)
  }

  /** Returns the character of an escape, and the number of characters behind its backslash. */
  #readEscape(): readonly [sign: string, length: number] {
    const sign = this.#text[this.at + 1] ?? ''
    const code = sign === 'u' ? this.#text.slice(this.at + 2, this.at + 6) : ''
    if (/^[\da-f]{4}$/i.test(code)) return [String.fromCharCode(Number.parseInt(code, 16)), 5]
    // `\d` of a pattern or of a path of Windows.
    return [ESCAPES.get(sign) ?? (/[\p{L}\p{N}]/u.test(sign) ? `\\${sign}` : sign), 1]
  }
}
