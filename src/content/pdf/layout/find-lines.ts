import { extentOf } from './extent-of.js'
import { MAX_RAISED_GAP, RAISED_SIZE } from './find-segments.js'
import { isCjk, joinRuns } from './join-runs.js'
import { isRtlLine, isRtlText, orderRuns } from './order-runs.js'
import type { GridRow, Line, TextRegion, Run, Segment } from '../page-text.js'

/**
 * Groups the segments of a region to lines from top to bottom. Right-to-left text is mirrored, so that every line
 * begins at its left.
 */
export function findLines(segments: readonly Segment[]): TextRegion {
  const rows = groupByBaseline(segments)
  const isRtl = isRtlText(rows)
  const found = rows.map((row) => makeLine(row, isRtl)).filter(({ text }) => text.trim() !== '')
  const lines = isRtl ? found.map(mirror) : found
  const rights = lines.map(({ right }) => right).sort((a, b) => a - b)
  const lefts = lines.map(({ left }) => left).sort((a, b) => a - b)
  return {
    lines,
    left: lefts[Math.floor(lefts.length * 0.05)] ?? 0,
    right: rights[Math.floor(rights.length * 0.95)] ?? 0,
  }
}

/** Groups segments by baseline, large ones first, so that superscripts join their line. */
function groupByBaseline(segments: readonly Segment[]): Segment[][] {
  const rows: { readonly segments: Segment[]; readonly top: number; readonly bottom: number; readonly y: number }[] = []
  const sorted = [...segments].sort((a, b) => a.y - b.y)
  for (const segment of sorted) {
    const top = segment.y - 0.7 * segment.size
    const bottom = segment.y + 0.2 * segment.size
    // Segments are sorted from top to bottom, so that only the last rows can match.
    const row = rows.slice(-4).findLast((other) => {
      if (segment.row !== undefined || other.segments[0]?.row !== undefined) return false
      const shared = Math.min(other.bottom, bottom) - Math.max(other.top, top)
      const smaller = Math.min(other.bottom - other.top, bottom - top)
      if (shared < 0.55 * smaller) return false
      return other.segments.every(
        (own) => Math.min(own.right, segment.right) - Math.max(own.left, segment.left) < 0.5 * segment.size,
      )
    })
    if (row === undefined) rows.push({ segments: [segment], top, bottom, y: segment.y })
    else {
      row.segments.push(segment)
      if (segment.size > 1.2 * (row.bottom - row.top)) Object.assign(row, { top, bottom, y: segment.y })
    }
  }
  return rows.map((row) => row.segments)
}

function makeLine(segments: readonly Segment[], isAmongRtl: boolean): Line {
  const [only] = segments
  if (only?.row !== undefined) return makeRow(only, only.row)
  const sizes = new Map<number, number>()
  let [all, bold, mono] = [0, 0, 0]
  for (const { runs } of segments) {
    for (const run of runs) {
      const count = run.text.trim().length
      sizes.set(run.size, (sizes.get(run.size) ?? 0) + count)
      all += count
      if (run.isBold) bold += count
      if (run.isMono) mono += count
    }
  }
  const [size = 10] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? []
  const main = segments.find((segment) => Math.abs(segment.size - size) < 0.5) ?? segments[0]
  const y = main?.y ?? 0
  const isRtl = isRtlLine(
    segments.flatMap((segment) => segment.runs),
    isAmongRtl,
  )
  const ordered = order(segments, isRtl)
  // A bullet in another font begins an item of a list, also if the rest of it is an identifier.
  const [sign] = ordered[0]?.runs ?? []
  const isItem = sign?.text.trim() === '•' && !sign.isMono
  const isMono = mono > 0.9 * all && all > 0 && !isItem
  const found = orderRuns(
    ordered.flatMap((segment) => segment.runs),
    isRtl,
  )
    .flatMap(splitRaised)
    .map((run, at, line) => raise(isMono ? run : dropSigns(run), line[at - 1] ?? line[1], { y, size }))
  const start = found[0]?.text ?? ''
  // Few lines begin so: others cost no look at their letters.
  const runs = start[1] === ' ' && start[3] === ' ' ? joinSpacedLetters(found) : found
  return {
    segments: ordered,
    runs,
    text: joinRuns(runs),
    left: extentOf(segments.map(({ left }) => left))[0],
    right: extentOf(segments.map(({ right }) => right))[1],
    y,
    size,
    isBold: bold > 0.95 * all && all > 0,
    isMono,
  }
}

/** Makes a line of a drawn table's row. */
function makeRow(segment: Segment, row: GridRow): Line {
  const { runs, left, right, y, size } = segment
  const text = row.cells
    .flat()
    .map((line) => line.text)
    .join(' ')
  return { segments: [segment], runs, text, left, right, y, size, isBold: row.isHead, isMono: false, row }
}

function order(segments: readonly Segment[], isRtl: boolean): Segment[] {
  const sorted = [...segments].sort((a, b) => a.left - b.left)
  return isRtl ? sorted.reverse() : sorted
}

const RAISED = /[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+/

/** Splits a run at Unicode superscripts, which may be footnote markers. */
function splitRaised(run: Run): Run[] {
  const found = RAISED.exec(run.text)
  // Superscripts of units, as in m², are not markers.
  if (!found || /(?:^|[^\p{L}])[kcmd]?m$/u.test(run.text.slice(0, found.index))) return [run]
  const width = (run.right - run.left) / run.text.length
  const cut = (from: number, to: number, isRaised: boolean): Run[] => {
    const text = run.text.slice(from, to)
    const part = { ...run, text, left: run.left + from * width, right: run.left + to * width }
    return text === '' ? [] : [isRaised ? { ...part, text: text.normalize('NFKC'), isRaised: true } : part]
  }
  const end = found.index + found[0].length
  return [...cut(0, found.index, false), ...cut(found.index, end, true), ...cut(end, run.text.length, false)]
}

/** Ignores the monospaced style of quotation marks in proportional text. */
const dropSigns = (run: Run): Run =>
  run.isMono && run.text.trim().length <= 2 && !/[\p{L}\p{N}]/u.test(run.text) ? { ...run, isMono: false } : run

const mirror = (line: Line): Line => ({
  ...turn(line),
  segments: line.segments.map((segment) => ({ ...turn(segment), runs: segment.runs.map(turn) })),
  runs: line.runs.map(turn),
})

const turn = <T extends { readonly left: number; readonly right: number }>(part: T): T => ({
  ...part,
  left: -part.right,
  right: -part.left,
})

/**
 * Marks a superscript. One that is little smaller than the text touches the text before it, or after it at the beginning of the
 * line, unlike that of another column.
 */
function raise(run: Run, beside: Run | undefined, { y, size }: { readonly y: number; readonly size: number }): Run {
  const gap = beside && Math.max(run.left - beside.right, beside.left - run.right)
  const isBeside = gap !== undefined && Math.abs(gap) < MAX_RAISED_GAP * size
  const isSmaller = run.size < (isBeside ? RAISED_SIZE : 0.85) * size
  return isSmaller && y - run.y > 0.2 * size && !isCjk(run.text) ? { ...run, isRaised: true } : run
}

/** Matches letters with a space between each two. */
const SPACED = /^\p{L}(?: \p{L})*[.,:;!?]?$/u
/** Minimum number of letters of a line, in capitals and in others, and of its longest word. */
const [MIN_CAPITALS, MIN_LETTERS, MIN_WORD] = [5, 6, 4]
/** Maximum number of letters of a word. Where there are more, the spaces between words are lost. */
const MAX_WORD = 18
/** Minimum share of letters other than those of answers, notes and bases. */
const MIN_OTHERS = 0.4
const OTHERS = /[^A-EGTa-egt]/g

/**
 * Joins the letters of a line that are drawn apart from each other, as those of titles are: `L I G H T`. The words are apart as runs.
 * Other lines are returned as they are, and so are lists of letters, such as `A B C D E`.
 */
export function joinSpacedLetters(runs: readonly Run[]): readonly Run[] {
  if (!runs.every(({ text }) => SPACED.test(text.trim()))) return runs
  const words = runs.map(({ text }) => text.replaceAll(' ', ''))
  const letters = words.join('')
  const [longest] = words.toSorted((a, b) => b.length - a.length)
  const isCapital = letters === letters.toUpperCase()
  if (letters.length < (isCapital ? MIN_CAPITALS : MIN_LETTERS)) return runs
  if (longest === undefined || longest.length < MIN_WORD || longest.length > MAX_WORD) return runs
  if ((letters.match(OTHERS)?.length ?? 0) < MIN_OTHERS * letters.length || isAlphabet(letters)) return runs
  return runs.map((run, at) => ({ ...run, text: words[at] ?? '' }))
}

/** Tests if most letters come after the one before them in the alphabet. */
function isAlphabet(letters: string): boolean {
  const codes = Array.from(letters, (letter) => letter.codePointAt(0) ?? 0)
  return 2 * codes.filter((code, at) => at > 0 && code === (codes[at - 1] ?? 0) + 1).length > codes.length
}
