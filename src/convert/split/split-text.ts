import type { Weigh } from './estimate-tokens.js'
import { findCuts } from './find-cuts.js'
import { pack } from './pack.js'

/** Where a text may be cut, the best first: each level is asked only for what the one before left too large. */
const LEVELS: readonly ((text: string) => readonly number[])[] = [
  (text) => positionsAfter(text, /\n/g),
  (text) => findCuts(text).sentences,
  (text) => findCuts(text).words,
  (text) => positionsAfter(text, /\s(?!\s)/g),
  (text) => positionsAfter(text, /.{1,24}/gsu),
]

/** The level from which on nothing is known of Markdown. */
const PLAIN = 3

/**
 * A text in parts of at most `limit`: cut after lines, else after sentences, else between words, and only when there is no
 * other way inside of a link, of inline code, of marked text or of a word.
 *
 * @param limit in tenths of a token; 24 letters of one word may weigh more
 */
export const splitText = (text: string, limit: number, weigh: Weigh): string[] =>
  split(text, limit, weigh, 0)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A line of code in parts, every character kept. */
export const splitLine = (line: string, limit: number, weigh: Weigh): string[] => split(line, limit, weigh, PLAIN)

function split(text: string, limit: number, weigh: Weigh, level: number): string[] {
  const cuts = LEVELS[level]?.(text)
  if (cuts === undefined) return [text]
  const parts = [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
  return pack(
    parts.filter((part) => part !== ''),
    { separator: '', limit, weigh, split: (part) => split(part, limit, weigh, level + 1) },
  )
}

const positionsAfter = (text: string, pattern: RegExp): number[] =>
  Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)
