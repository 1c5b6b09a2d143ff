import type { Span, Table } from '../block.js'
import { extentOf } from '../layout/extent-of.js'
import { joinRuns } from '../layout/join-runs.js'
import { isProse, type Piece } from '../layout/wraps.js'
import { breakSpans, joinLines, joinSpans, spansOf } from './join-spans.js'
import { findColumns, type Interval, mergeSpanningHeadings, placeInColumns } from './table-columns.js'
import { hasRuleBelow, mergeRows } from './table-rows.js'
import { findListMark, hasMarkApart } from './list-mark.js'
import type { Line, RulingLine, Run, Segment } from '../page-text.js'

/** Table with the number of its lines. */
export interface FoundTable {
  readonly table: Table
  readonly lines: number
}

type Words = ReadonlyMap<string, number>

const LEADERS = /(?:\.\s?){4,}|(?:\. ){3,}|(?:_\s?){6,}/

/** Finds the table with drawn cells that begins at a line. */
export function findGrid(lines: readonly Line[], from: number, words: Words, page: number): FoundTable | undefined {
  const table = lines[from]?.row?.table
  if (table === undefined) return undefined
  let to = from
  while (lines[to]?.row?.table === table) to++
  const rows = lines.slice(from, to).flatMap(({ row }) => row ?? [])
  return {
    lines: to - from,
    table: {
      kind: 'table',
      page,
      hasHead: rows[0]?.isHead === true,
      rows: rows.map(({ cells }) => cells.map((cell) => readCell(cell, words))),
    },
  }
}

/** Joins the text of a cell, with a line break where its lines are far apart. */
function readCell(lines: readonly Line[], words: Words): Span[] {
  const spans: Span[] = []
  let above: Line | undefined
  for (const line of lines) {
    if (above === undefined || line.y - above.y < 1.7 * Math.max(line.size, above.size))
      joinSpans(spans, spansOf(line.runs), words)
    else breakSpans(spans, spansOf(line.runs))
    above = line
  }
  return spans
}

/** Surroundings of the lines that may be a table. */
export interface TableContext {
  readonly rules: readonly RulingLine[]
  readonly words: Words
  /** Index of the page, from 0. */
  readonly page: number
}

/** Finds the table that begins with the line at `from`. */
export function findTable(
  all: readonly Line[],
  from: number,
  { rules, words, page }: TableContext,
): FoundTable | undefined {
  const lines = partLines(all, from)
  const first = lines[from]
  if (first === undefined || countCells(first) < 2 || !isCells(first)) return undefined
  const run = takeTableLines(lines, from)
  const placed = placeInColumns(run)
  const { cells } = placed
  const columns = mergeSpanningHeadings(placed)
  const filled = cells.filter((row) => row.filter((cell) => cell.length > 0).length > 1)
  if (columns.length < 2 || filled.length < (columns.length === 2 ? 3 : 2)) return undefined
  if (isFormula(run, cells)) return undefined
  // This is a list whose markers form a column, or one in each level.
  if (
    run.every(
      (line) =>
        line.segments.length < 2 ||
        (columns.length === 2 ? findListMark(line) !== undefined : line.segments.length === 2 && hasMarkApart(line)),
    )
  )
    return undefined
  const rows = mergeRows(run, cells, rules, isOfProse(cells, placed.columns.length))
  const hasHead = run[0]?.isBold === true || hasRuleBelow(run, rules)
  const table: Table = {
    kind: 'table',
    page,
    hasHead,
    rows: rows.map((row) =>
      columns.map((_, index) => {
        const parts = row.map((line) => line[index] ?? []).filter((cell) => cell.length > 0)
        return joinLines(
          parts.map((cell) => spansOf(cell)),
          words,
        )
      }),
    ),
  }
  return { table, lines: run.length }
}

/** Tests if a line has dot leaders (`Title ..... 12`), which are followed by text. */
export const hasLeaders = ({ text }: Line): boolean => LEADERS.test(text) && !/(?:\.\s?){4,}$/.test(text)

export const isCells = (line: Line): boolean => line.row === undefined && !line.isMono && !hasLeaders(line)

/** Counts the segments of a line, each of which can be a cell; the marker of a list item is not one. */
function countCells(line: Line): number {
  const [mark] = line.segments
  const isItem = mark !== undefined && LONE_MARK.test(joinRuns(mark.runs)) && findListMark(line) !== undefined
  return line.segments.length - (isItem ? 1 : 0)
}

const LONE_MARK = /^(?:[^\p{L}\p{N}*+–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])$/u

/** Tests if a line is a title: it has one segment, and larger type than the line before. */
const isTitle = (line: Line, before: Line): boolean =>
  line.segments.length === 1 && line.isBold && line.size > 1.1 * before.size

/** Tests if up to three lines are a formula: pieces of few characters, which are not aligned in columns. */
const isFormula = (run: readonly Line[], cells: readonly Run[][][]): boolean => {
  const filled = cells.flat().filter((cell) => cell.length > 0)
  const signs = filled.reduce((sum, cell) => sum + cell.reduce((all, { text }) => all + text.trim().length, 0), 0)
  return run.length <= 3 && signs < 4 * filled.length && filled.length < 0.8 * cells.length * (cells[0]?.length ?? 1)
}

/** Minimum gap of narrow cells, in font sizes, and the minimum number of lines that have one in the same place. */
const [MIN_PARTED_GAP, MIN_PARTED_LINES] = [0.6, 3]

/**
 * Splits the segments of lines at gaps that are wider than a space, if enough lines from one on have such a gap in the same place: cells
 * of a narrow table are closer to each other than columns of text.
 */
function partLines(lines: readonly Line[], from: number): readonly Line[] {
  const first = lines[from]
  if (first === undefined || !isCells(first) || !isParted(first)) return lines
  const parted: Line[] = []
  let gaps: Interval[] | undefined
  for (let at = from; at < lines.length; at++) {
    const [before, line] = [lines[at - 1], lines[at]]
    if (
      line === undefined ||
      !isCells(line) ||
      (at > from && before !== undefined && line.y - before.y > 3.2 * line.size)
    )
      break
    const own = partSegments(line)
    const left: Interval[] = (gaps ?? gapsOf(own))
      .map((gap) =>
        own.segments.map(({ left: start, right: end }) => [start, end] as const).reduce(subtractSegment, gap),
      )
      .filter(([start, end]) => end - start > MIN_PARTED_GAP * 0.8 * line.size)
    if (left.length === 0 || own.segments.length < 2) break
    gaps = left
    parted.push(own)
  }
  const isWider = parted.some((line, at) => line.segments.length > (lines[from + at]?.segments.length ?? 0))
  if (parted.length < MIN_PARTED_LINES || !isWider) return lines
  return [...lines.slice(0, from), ...parted, ...lines.slice(from + parted.length)]
}

export const isParted = ({ segments }: Line): boolean =>
  segments.length > 1 || segments.some(({ runs }) => runs.some((run, at) => isWideGap(runs[at - 1], run)))

const isWideGap = (before: Run | undefined, run: Run): boolean =>
  before !== undefined && Math.max(run.left - before.right, before.left - run.right) > MIN_PARTED_GAP * run.size

function partSegments(line: Line): Line {
  const segments = line.segments.flatMap((segment) => {
    const parts: Run[][] = []
    for (const run of [...segment.runs].sort((a, b) => a.left - b.left)) {
      const part = parts.at(-1)
      if (part === undefined || isWideGap(part.at(-1), run)) parts.push([run])
      else part.push(run)
    }
    if (parts.length < 2) return [segment]
    return parts.map((runs): Segment => ({
      ...segment,
      runs,
      left: extentOf(runs.map((run) => run.left))[0],
      right: extentOf(runs.map((run) => run.right))[1],
    }))
  })
  return segments.length === line.segments.length ? line : { ...line, segments }
}

/**
 * Takes the following lines whose text leaves at least one gap between the segments of the first line empty, or has its segments in
 * the columns of those before it.
 */
export function takeTableLines(lines: readonly Line[], from: number): Line[] {
  let gaps = gapsOf(lines[from])
  let columns: readonly Interval[] | undefined
  let to = from + 1
  let lastFull = from
  for (; to < lines.length; to++) {
    const [before, line] = [lines[to - 1], lines[to]]
    if (before === undefined || line === undefined) break
    if (!isCells(line) || line.y - before.y > 3.2 * Math.max(line.size, before.size) || isTitle(line, before)) break
    if (to - from > 1 && isSentenceBelow(line, before, lines[to - 2])) break
    gaps = gaps
      .map((gap) =>
        line.segments.flatMap(({ left: start, right: end }) => [[start, end] as const]).reduce(subtractSegment, gap),
      )
      .filter(([start, end]) => end - start > 0.7 * line.size)
    if (gaps.length === 0) {
      columns ??= findColumns(lines.slice(from, to))
      const size = lines[from]?.size ?? line.size
      const isLike = Math.abs(line.size - size) <= 0.1 * size
      if (to - from < 2 || columns.length < MIN_ALIGNED || !isLike || !isAligned(line, columns)) break
    }
    if (line.segments.length > 1) lastFull = to
  }
  // Single words closely below the last row continue its cells.
  let end = lastFull + 1
  for (; end < to; end++) {
    const [before, line] = [lines[end - 1], lines[end]]
    if (before === undefined || line === undefined || line.y - before.y > 1.35 * line.size) break
    if (line.left < (gaps[0]?.[0] ?? 0) && line.right > (gaps[0]?.[0] ?? 0)) break
  }
  return lines.slice(from, end)
}

/** Minimum number of columns with which the segments of a line are compared. */
const MIN_ALIGNED = 3

/** Tests if each segment of a line, of at least two, is in a column of its own, and crosses no other. */
function isAligned({ segments }: Line, columns: readonly Interval[]): boolean {
  const own = segments.map((segment) => columns.filter(([from, to]) => segment.left < to && segment.right > from))
  return own.length > 1 && own.every((met) => met.length === 1) && new Set(own.flat()).size === own.length
}

/** Tests if a line is a sentence that is further below the rows of a table than they are from each other. */
const isSentenceBelow = (line: Line, before: Line, above: Line | undefined): boolean =>
  line.segments.length === 1 &&
  above !== undefined &&
  line.y - before.y > 1.3 * (before.y - above.y) &&
  /^\p{Lu}.*\s\S+\s\S+.*\s\S+[.!?:]$/u.test(line.text)

function gapsOf(line: Line | undefined): Interval[] {
  const sorted = [...(line?.segments ?? [])].sort((a, b) => a.left - b.left)
  return sorted.slice(1).map((segment, index) => [sorted[index]?.right ?? 0, segment.left])
}

/** Subtracts a segment from a gap, and returns the wider of the remaining parts. */
function subtractSegment([from, to]: Interval, [start, end]: Interval): Interval {
  if (end <= from || start >= to) return [from, to]
  const [before, after]: [Interval, Interval] = [
    [from, Math.max(from, start)],
    [Math.min(to, end), to],
  ]
  return before[1] - before[0] >= after[1] - after[0] ? before : after
}

/** Tests if the cells of two columns or more go on from line to line. */
const isOfProse = (cells: readonly Run[][][], columns: number): boolean => {
  let prose = 0
  for (let column = 0; column < columns && prose < 2; column++) if (isProse(piecesOf(cells, column))) prose += 1
  return prose > 1
}

const piecesOf = (cells: readonly Run[][][], column: number): Piece[] =>
  cells.flatMap((row) => {
    const runs = row[column] ?? []
    const [first] = runs
    if (first === undefined) return []
    const [left, right] = [extentOf(runs.map((run) => run.left))[0], extentOf(runs.map((run) => run.right))[1]]
    return { text: joinRuns(runs), left, right, y: first.y, size: first.size }
  })
