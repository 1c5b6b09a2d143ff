/** Receives the tokens of a text, in order. */
export interface TokenReader {
  /** @param hash 32-bit hash of a word, a number or an ideograph */
  token(hash: number): void
  /** Like `token`, for a part of the target of a link or an image. */
  target(hash: number): void
  /** @param code UTF-16 unit of a sign that is neither part of a token nor white space */
  mark(code: number): void
  /** Called at the end of each line that has tokens. */
  endLine(): void
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Splits a text into words and numbers, in any script. Case and punctuation do not count, nor do leading zeros, so that
 * `03` in an address is the `3` of a date. Scripts that do not set spaces between words give one token for each sign.
 *
 * The text is read once, in place: a list of tokens, or a copy in lower case, would double the cost.
 *
 * @param text Markdown or plain text
 */
export function readTokens(text: string, reader: TokenReader): void {
  const { length } = text
  const units = unitsOf(text)
  let targetEnd = 0
  let isInLine = false
  for (let at = 0; at < length;) {
    const from = at
    let code = units[at] ?? 0
    let letter = letterOf(code)
    at += 1
    if (letter === SPACE) {
      if (code !== LINE_FEED || !isInLine) continue
      reader.endLine()
      isInLine = false
      continue
    }
    if (letter === SEPARATOR) {
      reader.mark(code)
      if (code === BRACKET && from >= targetEnd && units[at] === PARENTHESIS) {
        targetEnd = findEnd(linkTarget, text, from)
      }
      continue
    }
    let hash = FNV_OFFSET
    if (letter === SIGN) {
      hash = Math.imul(hash ^ code, FNV_PRIME)
    } else {
      if (letter === LETTER_H && from >= targetEnd && ((units[at] ?? 0) | 32) === LETTER_T) {
        targetEnd = findEnd(bareUrl, text, from)
      }
      while (code === ZERO && at < length && isDigit(units[at] ?? 0)) code = letter = units[at++] ?? 0
      hash = Math.imul(hash ^ letter, FNV_PRIME)
      for (; at < length; at += 1) {
        letter = letterOf(units[at] ?? 0)
        if (letter < 0) break
        hash = Math.imul(hash ^ letter, FNV_PRIME)
      }
    }
    if (from < targetEnd) reader.target(scatter(hash))
    else {
      reader.token(scatter(hash))
      isInLine = true
    }
  }
  if (isInLine) reader.endLine()
}

/** Copies a text to an array of UTF-16 units: reading one takes a third of the time of `charCodeAt`. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}

/** Matches the target after a link's text. */
const linkTarget = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/y
const bareUrl = /https?:\/\/[^\s<>()[\]]+/iy

/** Returns the end of a match at this place; 0 when there is none. */
function findEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** Lists the token hashes of a short text. */
export function hashTokens(text: string): number[] {
  const hashes: number[] = []
  const add = (hash: number): void => void hashes.push(hash)
  // Signs are no tokens, and lines do not count.
  const ignore = (): void => undefined
  readTokens(text, { token: add, target: add, mark: ignore, endLine: ignore })
  return hashes
}

/** Spreads differences in a few bits over all 32 bits: the last step of MurmurHash3. */
export function scatter(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const SEPARATOR = -1
const SIGN = -2
const SPACE = -3
const LINE_FEED = 10
const ZERO = 48
const BRACKET = 93
const PARENTHESIS = 40
const LETTER_H = 104
const LETTER_T = 116

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Ranges of UTF-16 units that end a word, beyond ASCII: Latin-1 signs, general punctuation to arrows, CJK and full-width punctuation. */
const separators: readonly (readonly [number, number])[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x200b],
  [0x200e, 0x2bff],
  [0x3000, 0x3004],
  [0x3008, 0x303f],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xfeff, 0xfeff],
]

/** Scripts written without spaces: Thai, Lao, Myanmar, Khmer, kana, Chinese characters. Surrogates: rare characters and emoji. */
const signs: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3005, 0x3007],
  [0x3040, 0x30ff],
  [0x3400, 0x9fff],
  [0xd800, 0xdfff],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
]

/**
 * Class of each UTF-16 unit: a letter or digit maps to itself in lower case, computed on first use (0 before); all others are
 * negative. A lookup costs a tenth of a regular expression.
 */
const letters: Int32Array = fillLetters()

function fillLetters(): Int32Array {
  const table = new Int32Array(0x10000)
  for (let code = 0; code < 0x80; code += 1) if (!/[a-z0-9]/i.test(String.fromCharCode(code))) table[code] = SEPARATOR
  for (const [from, to] of separators) table.fill(SEPARATOR, from, to + 1)
  for (const [from, to] of signs) table.fill(SIGN, from, to + 1)
  for (const space of ' \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff') table[space.charCodeAt(0)] = SPACE
  table.fill(SPACE, 0x2000, 0x200b)
  return table
}

const letterOf = (code: number): number =>
  letters[code] || (letters[code] = String.fromCharCode(code).toLowerCase().charCodeAt(0))
