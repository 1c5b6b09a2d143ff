import { ownValue } from '../../../../base/collections/own-value.js'
import { parseJson } from '../../../../base/text/parse-json.js'
import { indexLimits } from '../site-index.js'

/**
 * Reads the first object or list of a script, without running it: JSON, a literal with unquoted names, or `JSON.parse('…')`.
 *
 * @throws SyntaxError
 */
export function readLiteral(script: string): unknown {
  const parsed = /JSON\.parse\(\s*(?=['"`])/.exec(script)
  const from = script.search(/[[{]/)
  if (parsed && (from < 0 || parsed.index < from)) {
    const reader = new LiteralReader(script, parsed.index + parsed[0].length)
    return parseJson(reader.readString())
  }
  if (from < 0) throw new SyntaxError('it has neither an object nor a list')
  const to = Math.max(script.lastIndexOf(']'), script.lastIndexOf('}')) + 1
  try {
    return parseJson(script.slice(from, to))
  } catch {
    // Something follows, or it is a literal of JavaScript.
    return new LiteralReader(script, from).read(0)
  }
}

const NAME = /[\w$.+-]+/y
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
}
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
])

/** Reads a literal of JavaScript: objects, lists, strings, numbers, constants. Takes linear time. */
class LiteralReader {
  readonly #text: string
  #at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.#at = at
  }

  read(depth: number): unknown {
    if (depth > indexLimits.depth) throw new SyntaxError('it is nested too deeply')
    const char = this.#peek()
    if (char === '{') return Object.fromEntries(this.#readMembers(depth))
    if (char === '[') return this.#readItems(depth)
    if (char === '"' || char === "'" || char === '`') return this.readString()
    const name = this.#readName()
    if (CONSTANTS.has(name)) return CONSTANTS.get(name)
    const number = Number(name)
    if (Number.isNaN(number)) throw this.#unexpected()
    return number
  }

  #readMembers(depth: number): [string, unknown][] {
    const members: [string, unknown][] = []
    this.#at += 1
    while (this.#peek() !== '}') {
      const char = this.#peek()
      const name = char === '"' || char === "'" ? this.readString() : this.#readName()
      this.#expect(':')
      const value = this.read(depth + 1)
      if (name !== '__proto__') members.push([name, value])
      if (this.#peek() !== '}') this.#expect(',')
    }
    this.#at += 1
    return members
  }

  #readItems(depth: number): unknown[] {
    const items: unknown[] = []
    this.#at += 1
    while (this.#peek() !== ']') {
      items.push(this.read(depth + 1))
      if (this.#peek() !== ']') this.#expect(',')
    }
    this.#at += 1
    return items
  }

  /** Reads the string that begins here. */
  readString(): string {
    const quote = this.#text.charAt(this.#at)
    const parts: string[] = []
    let from = this.#at + 1
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === quote) {
        parts.push(this.#text.slice(from, at))
        this.#at = at + 1
        return parts.join('')
      }
      if (char !== '\\') continue
      parts.push(this.#text.slice(from, at))
      const [value, length] = this.#readEscape(at + 1)
      parts.push(value)
      at += length
      from = at + 1
    }
    throw new SyntaxError('a string does not end')
  }

  /** @returns the character, and the length of its escape after the backslash */
  #readEscape(at: number): [string, number] {
    const char = this.#text.charAt(at)
    const digits = char === 'u' ? 4 : char === 'x' ? 2 : 0
    if (digits > 0) {
      const code = Number.parseInt(this.#text.slice(at + 1, at + 1 + digits), 16)
      return Number.isNaN(code) ? [char, 1] : [String.fromCharCode(code), 1 + digits]
    }
    return [ownValue(ESCAPES, char) ?? char, 1]
  }

  #readName(): string {
    NAME.lastIndex = this.#at
    const name = NAME.exec(this.#text)?.[0]
    if (name === undefined) throw this.#unexpected()
    this.#at += name.length
    return name
  }

  /** The next character that is not white space; empty at the end. */
  #peek(): string {
    let char = this.#text.charAt(this.#at)
    while (char === ' ' || char === '\n' || char === '\r' || char === '\t') char = this.#text.charAt(++this.#at)
    if (char === '') throw new SyntaxError('it ends too early')
    return char
  }

  #expect(char: string): void {
    if (this.#peek() !== char) throw this.#unexpected()
    this.#at += 1
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected ${JSON.stringify(this.#text.charAt(this.#at))} at ${this.#at}`)
  }
}
