import { codeAt } from '../../../base/collections/code-at.js'

export const SEMICOLON = 59
export const OPEN = 123
export const CLOSE = 125
const [LINE_FEED, DOUBLE, SINGLE, ROUND, ROUND_END, SLASH, STAR] = [10, 34, 39, 40, 41, 47, 42]
const [SQUARE, BACKSLASH, SQUARE_END] = [91, 92, 93]

/**
 * Returns the index of the next `;`, `{` or `}` that is not in a string, an address or in brackets, else the length of the text. Brackets
 * that are not closed go to the end, and so does all that is in them, as browsers read it.
 *
 * @see https://www.w3.org/TR/css-syntax-3/#consume-simple-block
 */
export function nextSign(css: string, from: number): number {
  for (let at = from; at < css.length; at += 1) {
    const code = codeAt(css, at)
    switch (code) {
      case SEMICOLON:
      case OPEN:
      case CLOSE:
        return at
      case DOUBLE:
      case SINGLE:
      case ROUND:
      case SQUARE:
      case BACKSLASH:
        at = endOfPart(css, at, code) - 1
    }
  }
  return css.length
}

/** Returns the index behind brackets, a string or an escaped sign. @param code of the sign that begins it */
function endOfPart(css: string, at: number, code: number): number {
  if (code === BACKSLASH) return at + 2
  return code === DOUBLE || code === SINGLE ? endOfString(css, at) : endOfBrackets(css, at)
}

const CLOSERS: ReadonlyMap<number, number> = new Map([
  [ROUND, ROUND_END],
  [SQUARE, SQUARE_END],
  [OPEN, CLOSE],
])

/** Returns the index behind the bracket that closes, else the length of the text. */
export function endOfBrackets(css: string, from: number): number {
  const open: number[] = []
  for (let at = from; at < css.length; at += 1) {
    const code = codeAt(css, at)
    if (code === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    } else if (code === ROUND && isAddress(css, at)) {
      at = endOfAddress(css, at) - 1
      if (open.length === 0) return at + 1
    } else if (CLOSERS.has(code)) open.push(CLOSERS.get(code) ?? 0)
    else if (code === DOUBLE || code === SINGLE || code === BACKSLASH) at = endOfPart(css, at, code) - 1
  }
  return css.length
}

/** Returns the index behind a string. One that is not closed ends with its line. */
function endOfString(css: string, from: number): number {
  const quote = codeAt(css, from)
  for (let at = from + 1; at < css.length; at += 1) {
    const code = codeAt(css, at)
    if (code === BACKSLASH) at += 1
    else if (code === quote || code === LINE_FEED) return at + 1
  }
  return css.length
}

/** True for the bracket of a `url(` whose address has no quotes. */
const isAddress = (css: string, bracket: number): boolean =>
  /url$/i.test(css.slice(Math.max(0, bracket - 3), bracket)) && !/^\s*["']/.test(css.slice(bracket + 1, bracket + 40))

function endOfAddress(css: string, from: number): number {
  for (let at = from; at < css.length; at += 1) {
    const code = codeAt(css, at)
    if (code === ROUND_END) return at + 1
    if (code === BACKSLASH) at += 1
  }
  return css.length
}

/** Stands for a comment between two names, which would be one without it. */
export const COMMENT_GAP = '\u0001'

/** Removes comments, but not what looks like one in a string or an address. One that is not closed goes to the end. */
export function stripComments(text: string): string {
  if (!text.includes('/*')) return text
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at)
    if (code === DOUBLE || code === SINGLE || code === BACKSLASH) at = endOfPart(text, at, code) - 1
    else if (code === ROUND && isAddress(text, at)) at = endOfAddress(text, at) - 1
    else if (code === SLASH && at + 1 < text.length && codeAt(text, at + 1) === STAR) {
      const end = text.indexOf('*/', at + 2)
      parts.push(text.slice(from, at))
      from = end === -1 ? text.length : end + 2
      if (isName(text, at - 1) && isName(text, from)) parts.push(COMMENT_GAP)
      at = from - 1
    }
  }
  return `${parts.join('')}${text.slice(from)}`
}

const isName = (text: string, at: number): boolean => /[\w\u0080-\uffff-]/.test(text.charAt(at))

/** Divides declarations, or statements, at their semicolons. */
export function splitAtSemicolons(text: string): string[] {
  if (!/["'([{\\]/.test(text)) return text.split(';')
  const parts: string[] = []
  let from = 0
  for (let at = nextSign(text, 0); at < text.length; at = nextSign(text, at)) {
    const code = codeAt(text, at)
    if (code === OPEN) at = endOfBrackets(text, at)
    else {
      if (code === SEMICOLON) {
        parts.push(text.slice(from, at))
        from = at + 1
      }
      at += 1
    }
  }
  return [...parts, text.slice(from)]
}
