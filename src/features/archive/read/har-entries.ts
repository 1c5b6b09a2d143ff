import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { concatBytes } from '../../../base/concurrency/concat-bytes.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { ByteStream } from './archive-input.js'

/** Maximum size of an entry without its long texts and what programs add to it: it is parsed at once. Characters. */
const MAX_ENTRY_CHARACTERS = 1024 * 1024
/** Size from which a text of an entry is read piece by piece. Characters. */
const LONG_CHARACTERS = 64 * 1024

/** Size of what is kept of the text before another, which names it. Characters. */
const TAIL_CHARACTERS = 32

const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125
const LIST = 91
const END_OF_LIST = 93
const COLON = 58
const UNDERSCORE = 95

/** An entry of a HAR. */
export interface HarEntry {
  /**
   * JSON of the entry, in which each long text is a list with its number, and an object or list with a name such as `_initiator` is empty; undefined
   * for one that is larger than what is read.
   */
  readonly json: string | undefined
  readonly longTexts: readonly LongText[]
}

/**
 * Splits the list `entries` into its objects, by counting braces outside of strings. Neither the file nor a body in it is held as one text,
 * and each chunk is looked at once.
 *
 * @param textBytes maximum size of the long texts of an entry with the name `text` together, and of the others
 * @returns what is wrong with the file: a sentence without a full stop
 */
export async function* splitEntries(
  bytes: ByteStream,
  textBytes: number,
): AsyncGenerator<HarEntry, string | undefined, undefined> {
  const decoder = new TextDecoder()
  let head: string | undefined = ''
  let parts = new EntryParts(textBytes)
  let depth = 0
  // Lists among the entries, which are none.
  let lists = 0
  let isString = false
  let isEscaped = false
  const added = new AddedMembers()
  for await (const chunk of bytes) {
    await yieldIfHeld()
    let text = decoder.decode(chunk, { stream: true })
    if (head !== undefined) {
      head += text
      const list: RegExpExecArray | null = /"entries"\s*:\s*\[/.exec(head)
      if (!list) {
        head = head.slice(-1000)
        continue
      }
      text = head.slice(list.index + list[0].length)
      head = undefined
    }
    let start = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isEscaped) isEscaped = false
      else if (isString) {
        if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) {
          isString = false
          if (depth > 0 && !added.isOpen && parts.endText(text, start, at)) start = at + 1
        }
        added.seeInText(code)
      } else if (added.isOpen) {
        if (code === QUOTE) isString = true
        else if (added.endsAt(code)) start = at
      } else if (depth > 0 && added.beginsAt(code)) parts.add(text.slice(0, at + 1), start, false)
      else if (code === QUOTE) {
        isString = true
        if (depth > 0) parts.beginText(at)
      } else if (code === OPEN) {
        if (depth++ === 0) start = at
      } else if (code === CLOSE && depth > 0 && --depth === 0) {
        yield parts.end(text.slice(start, at + 1))
        parts = new EntryParts(textBytes)
      } else if (code === LIST && depth === 0) lists += 1
      else if (code === END_OF_LIST && depth === 0 && lists-- === 0) return undefined
    }
    if (depth > 0 && !added.isOpen) parts.add(text, start, isString)
  }
  return head === undefined ? 'The file is cut short' : 'The file has no list of entries: it is no HAR'
}

/** Finds the objects and lists that programs add to an entry, under names with `_`: an `_initiator` may have ten thousand frames. */
class AddedMembers {
  /** Part of such a member that was seen last. */
  #seen: 'nothing' | 'quote' | 'name' | 'end of name' | 'colon' = 'nothing'
  #depth = 0

  /** True within one. */
  get isOpen(): boolean {
    return this.#depth > 0
  }

  /** Looks at a character of a text, or at its last quote. */
  seeInText(code: number): void {
    if (this.#seen === 'quote') this.#seen = code === UNDERSCORE ? 'name' : 'nothing'
    else if (this.#seen === 'name' && code === QUOTE) this.#seen = 'end of name'
  }

  /** Looks at a character outside of texts. @returns true for the one that an added object or list begins with */
  beginsAt(code: number): boolean {
    if (code <= 32) return false
    if (this.#seen === 'colon' && (code === OPEN || code === LIST)) this.#depth = 1
    if (code === QUOTE) this.#seen = 'quote'
    else this.#seen = code === COLON && this.#seen === 'end of name' ? 'colon' : 'nothing'
    return this.#depth > 0
  }

  /** Looks at a character outside of texts, within an added object or list. @returns true for the one that ends it */
  endsAt(code: number): boolean {
    if (code === OPEN || code === LIST) this.#depth += 1
    else if (code === CLOSE || code === END_OF_LIST) this.#depth -= 1
    return this.#depth === 0
  }
}

/** The parts of an entry that were read so far. */
class EntryParts {
  #parts: string[] = []
  #length = 0
  readonly #longTexts: LongText[] = []
  /** Bytes that the long texts may still have: those with the name `text`, such as bodies, and the others. */
  readonly #left: { text: number; others: number }
  /** End of what was kept. */
  #tail = ''
  /** Place of the text that is being read, in the present chunk; -1 for one that began before. */
  #textAt = -1
  /** Part of that text that was read, without its first quote, if it began before the present chunk. */
  #open: string | LongText | undefined

  constructor(textBytes: number) {
    this.#left = { text: textBytes, others: textBytes }
  }

  beginText(at: number): void {
    this.#textAt = at
  }

  /** Ends a text. @returns true if all of the chunk up to its end was taken, from `start` on */
  endText(chunk: string, start: number, end: number): boolean {
    const open = this.#open
    if (open === undefined) {
      if (end - this.#textAt <= LONG_CHARACTERS) return false
      this.#keep(chunk.slice(start, this.#textAt))
      this.#endLong(this.#addLong(), chunk.slice(this.#textAt + 1, end))
      return true
    }
    this.#open = undefined
    const rest = chunk.slice(0, end)
    if (typeof open !== 'string') this.#endLong(open, rest)
    else if (open.length + rest.length <= LONG_CHARACTERS) this.#keep(`"${open}${rest}"`)
    else this.#endLong(this.#addLong(), open + rest)
    return true
  }

  /** Adds what is left of a chunk, which may end within a text. */
  add(chunk: string, start: number, isString: boolean): void {
    if (!isString) return this.#keep(chunk.slice(start))
    if (this.#open === undefined) {
      this.#keep(chunk.slice(start, this.#textAt))
      this.#open = chunk.slice(this.#textAt + 1)
    } else if (typeof this.#open === 'string') this.#open += chunk
    else this.#append(this.#open, chunk)
    if (typeof this.#open !== 'string' || this.#open.length <= LONG_CHARACTERS) return
    const long = this.#addLong()
    this.#append(long, this.#open)
    this.#open = long
  }

  end(last: string): HarEntry {
    this.#keep(last, false)
    const json = this.#length > MAX_ENTRY_CHARACTERS ? undefined : this.#parts.join('')
    return { json, longTexts: this.#longTexts }
  }

  /** @param isHeld true for a part that is held while more is read: a piece of a chunk would keep all of it in memory */
  #keep(part: string, isHeld = true): void {
    this.#length += part.length
    this.#tail = (part.length < TAIL_CHARACTERS ? this.#tail + part : part).slice(-TAIL_CHARACTERS)
    if (this.#length > MAX_ENTRY_CHARACTERS) this.#parts = []
    else this.#parts.push(isHeld ? Buffer.from(part).toString() : part)
  }

  #addLong(): LongText {
    const long = new LongText(/"text"\s*:\s*$/.test(this.#tail) ? 'text' : 'others')
    this.#keep(`[${this.#longTexts.length}]`)
    // The list has as many as the entry names, which is bounded.
    if (this.#length <= MAX_ENTRY_CHARACTERS) this.#longTexts.push(long)
    return long
  }

  #append(long: LongText, raw: string): void {
    this.#left[long.kind] -= long.append(raw, this.#left[long.kind])
  }

  #endLong(long: LongText, raw: string): void {
    this.#append(long, raw)
    long.end()
  }
}

/** A text of JSON that is decoded as it comes. */
export class LongText {
  #parts: Buffer[] = []
  /** Text that is not decoded yet: an escape that goes on, or the first half of a character. */
  #raw = ''
  #half = ''
  #problem: 'large' | 'broken' | undefined
  /** Says which others it shares its bound with. */
  readonly kind: 'text' | 'others'

  constructor(kind: 'text' | 'others') {
    this.kind = kind
  }

  /** `large` if it is larger than what is read; `broken` if it is no text of JSON. */
  get problem(): 'large' | 'broken' | undefined {
    return this.#problem
  }

  /** Adds a piece. @returns the number of bytes that it takes, which are at most `maxBytes` */
  append(raw: string, maxBytes: number): number {
    if (this.#problem !== undefined) return 0
    const given = this.#raw + raw
    const end = given.length - countOpenEscape(given)
    this.#raw = given.slice(end)
    let text: string
    try {
      text = this.#half + String(parseJson(`"${given.slice(0, end)}"`))
    } catch {
      this.#problem = 'broken'
      return 0
    }
    const last = text.charCodeAt(text.length - 1)
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
    return this.#take(text.slice(0, text.length - this.#half.length), maxBytes)
  }

  #take(text: string, maxBytes: number): number {
    const bytes = Buffer.from(text)
    if (bytes.length > maxBytes) {
      this.#problem = 'large'
      this.#parts = []
      return 0
    }
    this.#parts.push(bytes)
    return bytes.length
  }

  end(): void {
    if (this.#half !== '') this.#take(this.#half, Infinity)
    if (this.#raw !== '') this.#problem ??= 'broken'
  }

  /** Returns the text in UTF-8, or the bytes that it has in Base64. */
  async read(encoding: 'utf8' | 'base64'): Promise<Uint8Array> {
    if (encoding === 'utf8') return concatBytes(this.#parts)
    const decoded: Buffer[] = []
    let rest = ''
    for (const part of this.#parts) {
      await yieldIfHeld()
      const text = rest + part.toString('latin1').replace(/[^\w+/-]/g, '')
      const end = text.length - (text.length % 4)
      decoded.push(Buffer.from(text.slice(0, end), 'base64'))
      rest = text.slice(end)
    }
    decoded.push(Buffer.from(rest, 'base64'))
    return concatBytes(decoded)
  }

  /** Returns its beginning. */
  get start(): string {
    return this.#parts[0]?.toString('utf8', 0, 100) ?? ''
  }

  /** Returns it whole. */
  toString(): string {
    return Buffer.concat(this.#parts).toString()
  }
}

/** Returns the number of characters at the end of a text of JSON that are an escape without its end. */
function countOpenEscape(raw: string): number {
  const at = raw.lastIndexOf('\\')
  const behind = raw.length - at
  if (at === -1 || behind > 5) return 0
  let run = 1
  while (raw[at - run] === '\\') run += 1
  // Two are one that is escaped.
  if (run % 2 === 0) return 0
  return behind === 1 || raw[at + 1] === 'u' ? behind : 0
}
