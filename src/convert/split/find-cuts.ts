/** Positions where a text may be cut, each right after white space or a full stop. */
export interface Cuts {
  readonly sentences: readonly number[]
  readonly words: readonly number[]
}

/** A full stop with white space, but not that of an initial or a date; or a CJK full stop. */
const SENTENCE_END = /(?<!\b\p{L}|\b\d{1,2})[.!?…]["'”’)\]]*\s+|[。！？]/gu

/**
 * Finds the positions where a text may be cut without cutting a link, inline code or a mark. One pass: an opening sign
 * that is never closed is text, which is known at the end.
 */
export function findCuts(text: string): Cuts {
  const isFree = findFree(text)
  const free = (pattern: RegExp): number[] =>
    Array.from(text.matchAll(pattern), (match) => match.index + match[0].length).filter(isFree)
  return { sentences: free(SENTENCE_END), words: free(/\s(?!\s)/g) }
}

/** Returns a test for positions outside of all spans. */
function findFree(text: string): (position: number) => boolean {
  const depths = new Int32Array(text.length + 2)
  for (const [from, to] of findSpans(text)) {
    depths[from + 1] = (depths[from + 1] ?? 0) + 1
    depths[to] = (depths[to] ?? 0) - 1
  }
  for (let at = 1; at < depths.length; at++) depths[at] = (depths[at] ?? 0) + (depths[at - 1] ?? 0)
  return (position) => depths[position] === 0
}

/** Finds inline code, as `[from, to)` with its backticks. */
export function findCode(text: string): [from: number, to: number][] {
  const tokens = [...text.matchAll(/\\.|`+/gs)]
  const lastTicks = new Map(tokens.map(([token], at) => [token, at]))
  const spans: [number, number][] = []
  let open: { readonly ticks: string; readonly from: number } | undefined
  for (const [at, { 0: token, index }] of tokens.entries()) {
    if (open === undefined) {
      if (token.startsWith('`') && (lastTicks.get(token) ?? 0) > at) open = { ticks: token, from: index }
    } else if (token === open.ticks) {
      spans.push([open.from, index + token.length])
      open = undefined
    }
  }
  return spans
}

const TOKENS = /\\.|`+|\*+|~~|\[|\][([]?|[()]/gs

/** Returns the spans that must not be cut, as `[from, to)`. */
function findSpans(text: string): [from: number, to: number][] {
  const tokens = [...text.matchAll(TOKENS)]
  const lastTicks = new Map(tokens.flatMap(([token], at) => (token.startsWith('`') ? [[token, at] as const] : [])))
  const spans: [number, number][] = []
  const brackets: number[] = []
  const marks = new Map<string, number>()
  let code: { readonly ticks: string; readonly from: number } | undefined
  let target: { readonly from: number; depth: number } | undefined
  for (const [at, { 0: token, index }] of tokens.entries()) {
    const end = index + token.length
    if (code !== undefined) {
      if (token !== code.ticks) continue
      spans.push([code.from, end])
      code = undefined
    } else if (target !== undefined) {
      if (token === '(' || token === '](') target.depth += 1
      else if (token === ')') target.depth -= 1
      if (target.depth > 0) continue
      spans.push([target.from, end])
      target = undefined
    } else if (token.startsWith('`')) {
      if ((lastTicks.get(token) ?? 0) > at) code = { ticks: token, from: index }
    } else if (token === '[') brackets.push(index)
    else if (token.startsWith(']')) {
      const from = brackets.pop()
      if (from !== undefined && token === '](') target = { from, depth: 1 }
      // Up to the bracket, which opens the label.
      else if (from !== undefined && token === '][') spans.push([from, end])
      if (token === '][') brackets.push(end - 1)
    } else if (token.startsWith('*') || token === '~~') {
      const from = marks.get(token)
      if (from !== undefined) spans.push([from, end])
      if (from === undefined) marks.set(token, index)
      else marks.delete(token)
    }
  }
  return spans
}
