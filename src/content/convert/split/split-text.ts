import type { PieceLimits } from './pack.js'
import type { Weigh } from './estimate-tokens.js'
import { findSpans } from './find-spans.js'
import { packTexts } from './pack.js'

/** Finders of positions to cut, the best first. Each is only applied to parts that the one before left too large. */
const LEVELS: readonly ((text: string) => readonly number[])[] = [
  (text) => positionsAfter(text, /\n/g),
  (text) => findCuts(text).sentences,
  (text) => findCuts(text).words,
]

/** Finders of positions that ignore Markdown, except that the sign after a backslash stays with it. */
const PLAIN_LEVELS: typeof LEVELS = [
  (text) => positionsAfter(text, /\s(?!\s)/g),
  (text) => positionsAfter(text, /(?:\\.|.){1,24}/gsu),
]

/**
 * Splits a text into parts of at most `limit`: after lines, else after sentences, else between words, and only as a
 * last resort inside a link, inline code, a mark or a word. Each part of inline code is inline code again: as text, it
 * could be HTML.
 *
 * @param limit in tenths of a token; 24 letters of one word may weigh more
 */
export const splitText = (text: string, limit: number, weigh: Weigh): string[] =>
  split(text, { limit, weigh, levels: LEVELS, split: (part) => splitInside(part, limit, weigh) })
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Splits a line of code; every character is kept. */
export const splitLine = (line: string, limit: number, weigh: Weigh): string[] =>
  split(line, { limit, weigh, levels: PLAIN_LEVELS, split: (part) => [part] })

/** Way to split a text. */
interface Splitting {
  readonly limit: number
  readonly weigh: Weigh
  readonly levels: typeof LEVELS
  /** Splits what is too large after the last level. */
  split(part: string): string[]
}

function split(text: string, splitting: Splitting): string[] {
  const { limit, weigh, levels } = splitting
  const [findPositions, ...further] = levels
  if (findPositions === undefined) return splitting.split(text)
  const rest = { ...splitting, levels: further }
  return packParts(text, findPositions(text), { limit, weigh, split: (part) => split(part, rest) })
}

function packParts(text: string, cuts: readonly number[], packing: PieceLimits): string[] {
  const parts = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
  return packTexts(
    parts.filter((part) => part !== ''),
    { ...packing, separator: '' },
  )
}

/** Splits a text without a position that is free of Markdown. Links and inline code that fit stay whole. */
function splitInside(text: string, limit: number, weigh: Weigh): string[] {
  const units = readUnits(text, (link) => weigh(link, limit) <= limit)
  return packTexts(
    units.map((unit) => unit.text),
    {
      separator: '',
      limit,
      weigh,
      split: (unit, index) =>
        units[index]?.isCode ? splitInlineCode(unit, limit, weigh) : splitLine(unit, limit, weigh),
    },
  )
}

interface Unit {
  readonly isCode: boolean
  readonly text: string
}

/** Divides a text into its inline code, its links that fit, and the texts between them. */
function readUnits(text: string, fits: (link: string) => boolean): Unit[] {
  const units: Unit[] = []
  let end = text.length
  let suffix = ''
  let cutFrom = Infinity
  // From the end, a span comes before those inside it.
  for (const { kind, from, to } of findSpans(text).reverse()) {
    // In a link that is cut, an image is text: weighing each would be quadratic.
    if (kind === 'mark' || to > end || (kind === 'link' && from > cutFrom)) continue
    units.push({ isCode: false, text: text.slice(to, end) + suffix })
    const span = text.slice(from, to)
    if (kind === 'code' || fits(span)) {
      units.push({ isCode: kind === 'code', text: span })
      suffix = ''
      end = from
    } else {
      // Without its label, a URL is parsed up to the next space: it would take the sign of an escape, code or link.
      suffix = /^\S*?(?:[\\`]|$)/.test(text.slice(to, end)) ? ' ' : ''
      end = to
      cutFrom = from
    }
  }
  units.push({ isCode: false, text: text.slice(0, end) + suffix })
  return units.reverse().filter((unit) => unit.text !== '')
}

function splitInlineCode(span: string, limit: number, weigh: Weigh): string[] {
  const ticks = span.search(/[^`]/)
  const code = span.slice(ticks, -ticks)
  const room = limit - 2 * weigh(` ${findTicks(code)}\``)
  return splitLine(code, Math.max(room, limit / 4), weigh)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(writeInlineCode)
}

function writeInlineCode(code: string): string {
  const ticks = findTicks(code)
  const space = /^`|`$/.test(code) ? ' ' : ''
  return `${ticks}${space}${code}${space}${ticks}`
}

/** Returns the shortest run of backticks that a text does not have. */
function findTicks(code: string): string {
  const runs = new Set(code.match(/`+/g))
  let ticks = '`'
  while (runs.has(ticks)) ticks += '`'
  return ticks
}

const positionsAfter = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)

/** Positions where a text may be cut, each right after white space or a full stop. */
interface Cuts {
  readonly sentences: readonly number[]
  readonly words: readonly number[]
}

/** A full stop with white space, but not that of an initial or a date; or a CJK full stop. */
const SENTENCE_END = /(?<!\b\p{L}|\b\d{1,2})[.!?…]["'”’)\]]*\s+|[。！？]/gu

/** Finds the positions where a text may be cut without cutting a link, inline code or a mark. */
function findCuts(text: string): Cuts {
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
