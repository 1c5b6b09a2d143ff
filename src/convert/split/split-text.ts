import type { Weigh } from './estimate-tokens.js'
import { findCuts } from './find-cuts.js'
import { packTexts } from './pack.js'

/** Finders of positions to cut, the best first. Each is only applied to parts that the one before left too large. */
const LEVELS: readonly ((text: string) => readonly number[])[] = [
  (text) => positionsAfter(text, /\n/g),
  (text) => findCuts(text).sentences,
  (text) => findCuts(text).words,
  (text) => positionsAfter(text, /\s(?!\s)/g),
  (text) => positionsAfter(text, /.{1,24}/gsu),
]

/** Index of the first level that ignores Markdown. */
const PLAIN_LEVEL = 3

/**
 * Splits a text into parts of at most `limit`: after lines, else after sentences, else between words, and only as a
 * last resort inside a link, inline code, a mark or a word.
 *
 * @param limit in tenths of a token; 24 letters of one word may weigh more
 */
export const splitText = (text: string, limit: number, weigh: Weigh): string[] =>
  split(text, limit, weigh, 0)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Splits a line of code; every character is kept. */
export const splitLine = (line: string, limit: number, weigh: Weigh): string[] => split(line, limit, weigh, PLAIN_LEVEL)

function split(text: string, limit: number, weigh: Weigh, level: number): string[] {
  const cuts = LEVELS[level]?.(text)
  if (cuts === undefined) return [text]
  const parts = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
  return packTexts(
    parts.filter((part) => part !== ''),
    { separator: '', limit, weigh, split: (part) => split(part, limit, weigh, level + 1) },
  )
}

const positionsAfter = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)
