import { findSpans } from './find-spans.js'

/** Positions where a text may be cut, each right after white space or a full stop. */
interface Cuts {
  readonly sentences: readonly number[]
  readonly words: readonly number[]
}

/** A full stop with white space, but not that of an initial or a date; or a CJK full stop. */
const SENTENCE_END = /(?<!\b\p{L}|\b\d{1,2})[.!?…]["'”’)\]]*\s+|[。！？]/gu

/** Finds the positions where a text may be cut without cutting a link, inline code or a mark. */
export function findCuts(text: string): Cuts {
  const isFree = findFree(text)
  const free = (pattern: RegExp): number[] =>
    Array.from(text.matchAll(pattern), (match) => match.index + match[0].length).filter(isFree)
  return { sentences: free(SENTENCE_END), words: free(/\s(?!\s)/g) }
}

/** Returns a test for positions outside of all spans. */
function findFree(text: string): (position: number) => boolean {
  const depths = new Int32Array(text.length + 2)
  for (const { from, to } of findSpans(text)) {
    depths[from + 1] = (depths[from + 1] ?? 0) + 1
    depths[to] = (depths[to] ?? 0) - 1
  }
  for (let at = 1; at < depths.length; at++) depths[at] = (depths[at] ?? 0) + (depths[at - 1] ?? 0)
  return (position) => depths[position] === 0
}
