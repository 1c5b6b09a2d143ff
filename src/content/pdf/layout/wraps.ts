import { isCjk } from './join-runs.js'
import type { Line } from '../page-text.js'

/** Part of a line that is compared with the one below it. */
export type Piece = Pick<Line, 'text' | 'left' | 'right' | 'y' | 'size'>

const SENTENCE_END = /[.!?:;\u2026\u061f\u06d4\u0964\u3002\uff01\uff1f]["'\u201d\u2019\u00bb)\]\u300d\u300f]*$/
/** Matches the sign of an item of a list. */
const ITEM = /^(?:[^\p{L}\p{N}"'\u2018-\u201f\u00ab\u00bf\u00a1([]|\d{1,3}[.)]\s)/u
/** Maximum distance of two lines of a paragraph, in font sizes. */
const MAX_PITCH = 1.75
/** Minimum number of words of a line of prose, and of characters where there are no spaces between words. */
const [MIN_WORDS, MIN_CHARACTERS] = [3, 10]
/** Minimum number of lines that go on where letters do not show it: entries of a table can be as long as each other. */
const MIN_CASELESS = 2
/** Minimum share of the lines that must go on, of those with a line close below. */
const MIN_SHARE = 0.6

/**
 * Tests if the lines of a column or cell are prose: most go on in the next one, because its first word has no room in them. Entries
 * of a table are shorter or end where they end.
 */
export function isProse(lines: readonly Piece[], minShare = MIN_SHARE): boolean {
  const right = lines.reduce((most, line) => Math.max(most, line.right), -Infinity)
  let [pairs, wraps, lower, caseless] = [0, 0, 0, 0]
  lines.forEach((line, at) => {
    const above = lines[at - 1]
    if (above === undefined || Math.abs(line.size - above.size) > 0.1 * line.size) return
    if (line.y - above.y > MAX_PITCH * line.size || line.y <= above.y) return
    if (ITEM.test(line.text)) return
    pairs += 1
    if (!isWrapped(above, line, right)) return
    wraps += 1
    if (/^\p{Ll}/u.test(line.text)) lower += 1
    else if (/^\p{Lo}/u.test(line.text)) caseless += 1
  })
  return (lower > 0 || caseless >= MIN_CASELESS) && wraps >= minShare * pairs
}

/** Tests if a line goes on in the next one. */
function isWrapped(above: Piece, line: Piece, right: number): boolean {
  if (SENTENCE_END.test(above.text)) return false
  const isLong = isCjk(above.text) ? above.text.length >= MIN_CHARACTERS : above.text.split(' ').length >= MIN_WORDS
  if (!isLong) return false
  const [word = ''] = isCjk(line.text) ? [line.text.slice(0, 1)] : line.text.split(' ', 1)
  const perCharacter = (line.right - line.left) / Math.max(1, line.text.length)
  return above.right + (word.length + 1) * perCharacter > right - 0.3 * line.size
}
