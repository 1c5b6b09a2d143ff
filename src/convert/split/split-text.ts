import type { Weigh } from './estimate-tokens.js'
import { findCode, findCuts } from './find-cuts.js'
import { packTexts, type Packing } from './pack.js'

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

function packParts(text: string, cuts: readonly number[], packing: Omit<Packing, 'separator'>): string[] {
  const parts = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
  return packTexts(
    parts.filter((part) => part !== ''),
    { ...packing, separator: '' },
  )
}

/** Splits a text without a position that is free of Markdown. */
function splitInside(text: string, limit: number, weigh: Weigh): string[] {
  const spans = findCode(text)
  const starts = new Set(spans.map(([from]) => from))
  let at = 0
  const parts = spans.flat().flatMap((cut) => {
    const part = { isCode: starts.has(at), text: text.slice(at, cut) }
    at = cut
    return part.text === '' ? [] : [part]
  })
  if (at < text.length) parts.push({ isCode: false, text: text.slice(at) })
  return packTexts(
    parts.map((part) => part.text),
    {
      separator: '',
      limit,
      weigh,
      split: (part, index) =>
        parts[index]?.isCode ? splitInlineCode(part, limit, weigh) : splitLine(part, limit, weigh),
    },
  )
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
