import { isProse } from '../layout/wraps.js'
import type { TextRegion } from '../page-text.js'

/** Maximum share of the width between the margins that lines fill which are not broken for want of room. */
const MAX_WIDTH = 0.6
/** Maximum length of lines that are broken on purpose, in characters. */
export const MAX_VERSE = 80
/** Minimum share of lines that go on in the next one where there is prose among short lines. */
const MIN_PROSE = 0.2
/** Minimum number of lines that end in one place where text is justified. */
const MIN_JUSTIFIED = 3
/** Minimum share of lines of verse that end with a sign. */
const MIN_ENDED = 0.5
const ENDED = /[,;.:!?\u2013\u2014]["'\u201d\u2019)]?$/

/** Matches a sentence, or the end of one, of several words. */
const SENTENCE = /(?:\S+\s){3}\S+[.!?]$/

/**
 * Widens a column of short lines with no text beside it, such as an address, a label or a poem, to the margin of the page, so that
 * its lines are known to end early. Prose in a narrow column is left as it is.
 */
export function widen(region: TextRegion, all: readonly TextRegion[], pageWidth: number): TextRegion {
  const { lines, left, right } = region
  // Right-to-left text is mirrored to the left of zero.
  const margin = left < 0 ? -pageWidth - left : pageWidth - left
  if (lines.length < 2 || lines[0]?.runs[0]?.isUnplaced === true) return region
  if (margin <= right || right - left > MAX_WIDTH * (margin - left)) return region
  if (all.some((other) => other !== region && other.left >= right && other.lines[0]?.runs[0]?.isUnplaced !== true))
    return region
  if (lines.some(({ text }) => text.length > MAX_VERSE)) return region
  if (isJustified(region) || 2 * lines.filter(({ text }) => SENTENCE.test(text)).length >= lines.length) return region
  const ended = lines.filter(({ text }) => ENDED.test(text)).length
  return ended < MIN_ENDED * lines.length && isProse(lines, MIN_PROSE) ? region : { ...region, right: margin }
}

/** Tests if several lines end in one place, near the right. */
function isJustified({ lines, left, right }: TextRegion): boolean {
  const ends = new Map<number, Set<string>>()
  for (const line of lines) {
    if (line.right < left + MAX_WIDTH * (right - left)) continue
    const end = Math.round(line.right * 2)
    const known = ends.get(end)
    if (known === undefined) ends.set(end, new Set([line.text]))
    else known.add(line.text)
  }
  return [...ends.values()].some(({ size }) => size >= Math.max(MIN_JUSTIFIED, 0.1 * lines.length))
}
