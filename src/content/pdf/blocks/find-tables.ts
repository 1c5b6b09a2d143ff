import type { Span, Table } from '../block.js'
import { extentOf } from '../layout/extent-of.js'
import { joinRuns } from '../layout/join-runs.js'
import { isProse, type Piece } from '../layout/wraps.js'
import { breakSpans, joinLines, joinSpans, spansOf } from './join-spans.js'
import { findListMark, hasMarkApart } from './list-mark.js'
import type { Line, RulingLine, Run, Segment } from '../page-text.js'

/** Table with the number of its lines. */
export interface FoundTable {
  readonly table: Table
  readonly lines: number
}

type Words = ReadonlyMap<string, number>
export type Interval = readonly [from: number, to: number]

/** Number of rows at the top of a table in which a cell can be the heading of several columns. */
const MAX_HEADER_ROWS = 3

/** Minimum number of columns that are told by their number alone. */
const MIN_EVEN = 3

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
  const stretches = findColumns(run)
  const cells = run.map((line) => placeCells(line, stretches))
  const columns = mergeSpanningHeadings(cells, stretches)
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
  const rows = mergeRows(run, cells, rules, isOfProse(cells, stretches.length))
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
export function partLines(lines: readonly Line[], from: number): readonly Line[] {
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

/** Takes the following lines whose text leaves at least one gap between the segments of the first line empty. */
export function takeTableLines(lines: readonly Line[], from: number): Line[] {
  let gaps = gapsOf(lines[from])
  let to = from + 1
  let lastFull = from
  for (; to < lines.length; to++) {
    const [before, line] = [lines[to - 1], lines[to]]
    if (before === undefined || line === undefined) break
    if (!isCells(line) || line.y - before.y > 3.2 * Math.max(line.size, before.size) || isTitle(line, before)) break
    const left = gaps
      .map((gap) =>
        line.segments.flatMap(({ left: start, right: end }) => [[start, end] as const]).reduce(subtractSegment, gap),
      )
      .filter(([start, end]) => end - start > 0.7 * line.size)
    if (left.length === 0) break
    gaps = left
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

/** Finds the columns: the union of the segments of all lines. */
export function findColumns(run: readonly Line[]): Interval[] {
  const even = evenColumns(run)
  if (even !== undefined) return even
  const sorted = run
    .flatMap(({ segments }) => segments.map(({ left, right }): Interval => [left, right]))
    .sort((a, b) => a[0] - b[0])
  const size = run[0]?.size ?? 10
  const columns: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = columns.at(-1)
    if (last !== undefined && from - last[1] < 0.5 * size) last[1] = Math.max(last[1], to)
    else columns.push([from, to])
  }
  return columns
}

/** Returns the columns of lines with the same number of segments, such as centred heads over numbers; undefined if they overlap. */
function evenColumns(run: readonly Line[]): Interval[] | undefined {
  const count = run[0]?.segments.length ?? 0
  if (count < MIN_EVEN || run.some(({ segments }) => segments.length !== count)) return undefined
  const columns = Array.from({ length: count }, (_, at): Interval => {
    const own = run.flatMap(({ segments }) => segments[at] ?? [])
    return [extentOf(own.map(({ left }) => left))[0], extentOf(own.map(({ right }) => right))[1]]
  })
  return columns.some(([left], at) => left <= (columns[at - 1]?.[1] ?? -Infinity)) ? undefined : columns
}

function placeCells(line: Line, columns: readonly Interval[]): Run[][] {
  return columns.map(([from, to]) => line.runs.filter(({ left, right }) => left < to && right > from))
}

/** Removes columns that contain only a centred heading of their neighbours, and assigns the heading to the left one. */
function mergeSpanningHeadings(cells: Run[][][], columns: readonly Interval[]): Interval[] {
  const isOnly = (column: number): boolean => {
    const filled = cells.filter((row) => (row[column] ?? []).length > 0)
    const [row] = filled
    return (
      filled.length === 1 &&
      row !== undefined &&
      cells.indexOf(row) < MAX_HEADER_ROWS &&
      (row[column - 1] ?? []).length === 0 &&
      (row[column + 1] ?? []).length === 0
    )
  }
  const between = columns.map((_, column) => column > 0 && column < columns.length - 1 && isOnly(column))
  for (const row of cells) {
    for (let column = columns.length - 1; column > 0; column--) {
      if (between[column] !== true) continue
      const [own] = row.splice(column, 1)
      if (own !== undefined && own.length > 0) row[column - 1] = own
    }
  }
  return columns.filter((_, column) => between[column] !== true)
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

/**
 * Groups lines to rows. A line is in the row of the line before it unless a ruling line, space or a filled first column
 * separates them.
 */
function mergeRows(
  run: readonly Line[],
  cells: readonly Run[][][],
  rules: readonly RulingLine[],
  isProseRun: boolean,
): Run[][][][] {
  const gaps = run.slice(1).map((line, index) => line.y - (run[index]?.y ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  const border = most > 1.3 * least ? (least + most) / 2 : undefined
  const ruledRows = run.slice(1).filter((line, index) => isRuleBetween(run[index], line, rules)).length
  const rows: Run[][][][] = []
  run.forEach((line, index) => {
    const row = rows.at(-1)
    const own = cells[index] ?? []
    const before = run[index - 1]
    const isFirstEmpty = (own[0] ?? []).length === 0
    const isClose =
      border !== undefined && (gaps[index - 1] ?? 0) < border && (isProseRun || own.some((cell) => cell.length === 0))
    const isContinuation =
      ruledRows > 1
        ? !isRuleBetween(before, line, rules) && (gaps[index - 1] ?? 0) < 1.5 * line.size
        : isFirstEmpty || isClose
    if (row !== undefined && isContinuation) row.push(own)
    else rows.push([own])
  })
  return rows
}

const isRuleBetween = (above: Line | undefined, below: Line, rules: readonly RulingLine[]): boolean =>
  above !== undefined &&
  rules.some(
    ({ left, right, top, bottom }) =>
      bottom - top < 3 &&
      top > above.y - 1 &&
      bottom < below.y - 0.4 * below.size &&
      left < below.right &&
      right > below.left,
  )

const hasRuleBelow = (run: readonly Line[], rules: readonly RulingLine[]): boolean =>
  run[1] !== undefined && isRuleBetween(run[0], run[1], rules)
