import type { Heading } from '../block.js'
import { textOf } from './join-spans.js'
import { isClose, type TypicalText } from '../layout/measure-text.js'
import type { Line, OutlineEntry } from '../page-text.js'
import { extentOf } from '../layout/extent-of.js'

/** Maximum number of lines of a heading. */
const MAX_LINES = 4
/** Maximum number of characters of a heading. */
const MAX_CHARACTERS = 250
/**
 * Maximum number of lines of equal style that are counted. Without it, each line of a paragraph would be compared with
 * all following lines.
 */
const MAX_EQUAL_LINES = 12

/** Depth of each entry of the file's outline, by normalised title. */
export type Titles = ReadonlyMap<string, number>

/** Normalises a title for comparison: without spaces and punctuation, which can differ between outline and page. */
const plainTitle = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

export const titlesOf = (outline: readonly OutlineEntry[]): Titles =>
  new Map(outline.map(({ title, depth }): [string, number] => [plainTitle(title), depth]).reverse())

/** Counts the lines of the heading that begins at a line; 0 if none does. */
export function countHeadingLines(lines: readonly Line[], from: number, usual: TypicalText, titles: Titles): number {
  const first = lines[from]
  if (
    first === undefined ||
    first.isMono ||
    first.row !== undefined ||
    ITEM.test(first.text) ||
    !/\p{L}/u.test(first.text) ||
    first.text.length > MAX_CHARACTERS
  )
    return 0
  if (/(?:\.\s?){5,}/.test(first.text)) return 0
  const count = countLinesOfEqualStyle(lines, from)
  const text = lines
    .slice(from, from + count)
    .map((line) => line.text)
    .join(' ')
  // Cheap numeric tests come before text tests, as most lines are inside paragraphs.
  if (titles.size > 0 && isSetApart(lines, from, count, usual)) {
    if (isTitle(text, titles)) return count
    if (isTitle(first.text, titles)) return 1
  }
  if (text.length > MAX_CHARACTERS || count > MAX_LINES) return 0
  if (first.size >= 1.14 * usual.size) return count
  const isNumbered = NUMBERED.test(text)
  const isMarked = first.isBold || (isNumbered && isItalic(first))
  if (!isMarked || first.size < (isNumbered ? 0.85 : 0.95) * usual.size || count > 2 || text.length > 120) return 0
  if (/[,;]$/.test(text) || (/[.:]$/.test(text) && !isNumbered)) return 0
  return isSetApart(lines, from, count, usual) ? count : 0
}

/** Matches an item of a list. Other signs, such as `■`, also stand before headings. */
const ITEM = /^\u2022/

/** Matches a numbered heading: 2, 2.1, II., A., followed by a word. */
const NUMBERED = /^(?:\d+(?:\.\d+)*\.?|[IVXLC]+\.|[A-Z](?:\.\d+)*\.)\s+\p{L}/u

const isItalic = ({ runs }: Line): boolean => runs.every((run) => run.isItalic || !/\p{L}/u.test(run.text))

/** Tests if a text is in the file's outline, with or without its number. */
const isTitle = (text: string, titles: Titles): boolean => depthOf(text, titles) !== undefined

function depthOf(text: string, titles: Titles): number | undefined {
  if (titles.size === 0) return undefined
  const plain = plainTitle(text)
  const bare = plainTitle(text.replace(/^(?:(?:chapter|part|appendix|section)\s+)?[\dA-Z]{1,3}(?:\.\d+)*[.:]?\s+/i, ''))
  return plain.length < 2 ? undefined : (titles.get(plain) ?? (bare.length > 2 ? titles.get(bare) : undefined))
}

/** Counts the adjacent lines of the same size and weight, which can be one heading. */
function countLinesOfEqualStyle(lines: readonly Line[], from: number): number {
  let count = 1
  for (let at = from + 1; at < lines.length && count < MAX_EQUAL_LINES; at++, count++) {
    const [before, line] = [lines[at - 1], lines[at]]
    if (before === undefined || line === undefined) break
    if (line.row !== undefined || !isClose(line.size, before.size) || line.isBold !== before.isBold || line.isMono)
      break
    if (line.y - before.y > 1.7 * line.size || line.y <= before.y || ITEM.test(line.text)) break
    // A numbered line is the next heading.
    if (/^(?:\d+(?:\.\d+)*\.?|[A-Z]\.\d*(?:\.\d+)*)\s+\p{L}/u.test(line.text)) break
  }
  return count
}

/** Tests if there is more space around the lines than between lines of text. */
function isSetApart(lines: readonly Line[], from: number, count: number, usual: TypicalText): boolean {
  const [first, before, last, next] = [lines[from], lines[from - 1], lines[from + count - 1], lines[from + count]]
  if (first === undefined || last === undefined) return false
  const far = (usual.leading * 1.12 + 0.05) * Math.max(first.size, usual.size)
  const isBelow =
    before === undefined || first.y - before.y > far || before.y > first.y || before.size > first.size * 1.1
  const isAbove = next === undefined || next.y < last.y || !isClose(next.size, last.size) || next.isBold !== last.isBold
  return isBelow && (isAbove || (next !== undefined && next.y - last.y > far))
}

/** Sets the level of every heading: by the file's outline, otherwise by font size. @see docs/compatibility/documents.md#files */
export function rankHeadings(headings: readonly Heading[], titles: Titles): void {
  const depths = headings.map(({ spans }) => depthOf(textOf(spans), titles))
  const listed = headings.filter((_, index) => depths[index] !== undefined)
  const known = new Map<number, number>()
  const largest = Math.max(...headings.map(({ size }) => size))
  const first = headings[0]
  // The title of the document precedes the entries of the outline and ranks above them.
  const hasTitle =
    first !== undefined &&
    depths[0] === undefined &&
    first.page < 3 &&
    isClose(first.size, largest) &&
    listed.every(({ size }) => size < first.size * 1.02)
  const offset = listed.length > 2 && hasTitle ? 2 : 1
  if (listed.length > 2) {
    headings.forEach((heading, index) => {
      const depth = depths[index]
      if (depth === undefined) return
      heading.level = Math.min(6, depth + offset)
      const size = Math.round(heading.size * 2) / 2
      known.set(size, Math.max(known.get(size) ?? 0, heading.level))
    })
  }
  const others = headings.filter((_, index) => listed.length <= 2 || depths[index] === undefined)
  const levels = levelsOf(others)
  for (const heading of others)
    heading.level = known.size === 0 ? (levels.get(heading) ?? 1) : Math.min(6, estimateLevel(heading.size, known))
}

/**
 * Estimates the level of a heading that is not in the outline, from its size and from headings whose level is known.
 */
function estimateLevel(size: number, known: ReadonlyMap<number, number>): number {
  const sorted = [...known].sort((a, b) => b[0] - a[0])
  const same = sorted.find(([other]) => isClose(other, size))
  if (same) return same[1]
  const larger = sorted.filter(([other]) => other > size).map(([, level]) => level)
  return larger.length === 0 ? 1 : Math.max(...larger) + 1
}

const MAX_LEVEL = 6

/** Ranks headings by appearance: by size, then upright before italic, then by numbering. */
function levelsOf(headings: readonly Heading[]): Map<Heading, number> {
  const levels = new Map<Heading, number>()
  let above = 0
  for (const size of sizesOf(headings)) {
    const sameSize = headings.filter((heading) => isClose(heading.size, size))
    for (const isSlanted of [false, true]) {
      const group = sameSize.filter((heading) => isItalicThroughout(heading) === isSlanted && !levels.has(heading))
      if (group.length === 0) continue
      const depths = depthsOf(group.map(({ spans }) => numberingOf(textOf(spans))))
      group.forEach((heading, index) => levels.set(heading, Math.min(MAX_LEVEL, above + 1 + (depths[index] ?? 0))))
      above += 1 + extentOf(depths)[1]
    }
  }
  return levels
}

/** Tests if a heading is italic throughout. */
const isItalicThroughout = ({ spans }: Heading): boolean =>
  spans.every((span) => span.isItalic || !/\p{L}/u.test(span.text))

/** Lists the sizes of headings, largest first. */
function sizesOf(headings: readonly Heading[]): number[] {
  const sizes: number[] = []
  for (const { size } of [...headings].sort((a, b) => b.size - a.size)) {
    const last = sizes.at(-1)
    if (last === undefined || !isClose(last, size)) sizes.push(size)
  }
  return sizes
}

/** Returns the numbering scheme of a heading: `1.1` for two numbers, `I` or `A`; empty for none. */
function numberingOf(text: string): string {
  const numbers = /^\d+(?:\.\d+)*(?=\.?\s)/.exec(text)?.[0]
  if (numbers !== undefined) return numbers.replace(/\d+/g, '1')
  const letters = /^([IVXLC]+|[A-Z])\.\s/.exec(text)?.[1]
  if (letters === undefined) return ''
  return letters.length > 1 || /^[IVX]$/.test(letters) ? 'I' : 'A'
}

/**
 * Determines the depth of the numbering scheme of each heading. A scheme that is used between headings of an earlier
 * scheme is nested in it. One that begins after the last of them, as in appendices, is not.
 */
function depthsOf(schemes: readonly string[]): number[] {
  const order = [...new Set(schemes.filter((scheme) => scheme !== ''))]
  const depths = new Map<string, number>([['', 0]])
  for (const scheme of order) {
    const outer = order.slice(0, order.indexOf(scheme)).filter((other) => isNestedIn(scheme, other, schemes))
    depths.set(scheme, Math.max(-1, ...outer.map((other) => depths.get(other) ?? 0)) + 1)
  }
  return schemes.map((scheme) => depths.get(scheme) ?? 0)
}

const isNestedIn = (scheme: string, other: string, schemes: readonly string[]): boolean =>
  scheme.startsWith(`${other}.`) ||
  (!other.startsWith(`${scheme}.`) && schemes.lastIndexOf(other) > schemes.indexOf(scheme))
