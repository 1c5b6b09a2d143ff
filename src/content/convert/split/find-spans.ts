/** A part of a line whose signs belong together, as `[from, to)`. */
interface Span {
  readonly kind: 'code' | 'link' | 'mark'
  readonly from: number
  readonly to: number
  /** The part between its signs, as `[from, to)`: the code, the text of a link or an image, the marked text. */
  readonly inner: readonly [from: number, to: number]
}

/**
 * Finds inline code, links, images and marks, each after those inside it. An opening sign that is never closed is text.
 *
 * @see https://spec.commonmark.org/0.31.2/#code-spans
 */
export function findSpans(text: string): Span[] {
  const codeEnds = findCodeEnds(text)
  const spans: Span[] = []
  const brackets: number[] = []
  const marks = new Map<string, number>()
  const tokens = /\\.|`+|\*+|~~|!?\[|\]/gs
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const { 0: token, index } = match
    if (token.startsWith('`')) {
      const to = codeEnds.get(index)
      if (to === undefined) continue
      spans.push({ kind: 'code', from: index, to, inner: [index + token.length, to - token.length] })
      tokens.lastIndex = to
    } else if (token.endsWith('[')) {
      if (!token.startsWith('\\')) brackets.push(index)
    } else if (token === ']') {
      const from = brackets.pop()
      const to = from === undefined ? undefined : findTargetEnd(text, index + 1)
      if (from === undefined || to === undefined) continue
      spans.push({ kind: 'link', from, to, inner: [text.indexOf('[', from) + 1, index] })
      tokens.lastIndex = to
    } else if (!token.startsWith('\\')) {
      const from = marks.get(token)
      if (from === undefined) marks.set(token, index)
      else {
        spans.push({ kind: 'mark', from, to: index + token.length, inner: [from + token.length, index] })
        marks.delete(token)
      }
    }
  }
  return spans
}

/** Returns the end of inline code for each position of backticks that can open it. In code, a backslash is no escape. */
function findCodeEnds(text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const nextEnds = new Map<number, number>()
  for (const {
    0: { length },
    index,
  } of [...text.matchAll(/`+/g)].reverse()) {
    // If the first backtick is escaped, the others can open code. They can only close it all together.
    for (const escaped of [0, 1]) {
      const end = nextEnds.get(length - escaped)
      if (end !== undefined) ends.set(index + escaped, end)
    }
    nextEnds.set(length, index + length)
  }
  return ends
}

const LABEL = /\[(?:\\.|[^\\[\]]){0,999}\]/sy
const OPENING = /\(\s*/y
/** A URL that may have spaces. */
const QUOTED_URL = /<(?:\\.|[^\\<>\n])*>/y
/** The title of a link and its end. */
const CLOSING = /(?:\s+"(?:\\.|[^\\"])*")?\s*\)/sy
/** Maximum depth of parentheses in a URL, as in the parsers. With it, the time for links that never end is linear. */
const MAX_PARENTHESES = 32

/** Returns the end of a link's URL and title in parentheses, or of its reference in brackets. */
function findTargetEnd(text: string, from: number): number | undefined {
  if (text[from] === '[') return endOf(LABEL, text, from)
  const start = endOf(OPENING, text, from)
  if (start === undefined) return undefined
  const quotedEnd = endOf(QUOTED_URL, text, start)
  if (quotedEnd !== undefined) return endOf(CLOSING, text, quotedEnd)
  let depth = 1
  // Sign by sign: links that never end are read up to MAX_PARENTHESES times, for which a pattern is too slow.
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if ((sign <= ' ' || sign >= '\u00a0') && /\s/.test(sign))
      return depth === 1 ? endOf(CLOSING, text, at) : undefined
    if (depth === 0) return at + 1
    if (depth > MAX_PARENTHESES) return undefined
  }
  return undefined
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : undefined
}
