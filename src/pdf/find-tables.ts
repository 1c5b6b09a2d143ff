import type { Table } from './block.js'
import { joinSpans, spansOf } from './join-spans.js'
import { findListMark } from './list-mark.js'
import type { Line, Rule, Segment } from './page-text.js'

/** A table, and how many lines it takes. */
export interface FoundTable {
  readonly table: Table
  readonly lines: number
}

type Interval = readonly [from: number, to: number]

const LEADERS = /(?:\.\s?){4,}|(?:\. ){3,}|(?:_\s?){6,}/

/**
 * Whether there is a table with empty cells: only the lines that are drawn say then what is a row. They are not cheap to have.
 */
export function needsRules(lines: readonly Line[]): boolean {
  for (let at = 0; at < lines.length; at++) {
    const found = (lines[at]?.segments.length ?? 0) > 1 ? findTable(lines, at, [], new Map(), 0) : undefined
    if (
      found?.table.rows.some((row) => row.some((cell) => cell.length === 0)) ||
      (found && found.lines > found.table.rows.length)
    )
      return true
    at += (found?.lines ?? 1) - 1
  }
  return false
}

/** The table that begins with this line; undefined where none does. */
export function findTable(
  lines: readonly Line[],
  from: number,
  rules: readonly Rule[],
  words: ReadonlyMap<string, number>,
  page: number,
): FoundTable | undefined {
  const first = lines[from]
  if (first === undefined || first.segments.length < 2 || !isCells(first)) return undefined
  const run = takeRun(lines, from)
  const columns = findColumns(run)
  const cells = run.map((line) => placeCells(line, columns))
  const filled = cells.filter((row) => row.filter((cell) => cell.length > 0).length > 1)
  if (columns.length < 2 || filled.length < (columns.length === 2 ? 3 : 2)) return undefined
  // A list with its marks set apart.
  if (columns.length === 2 && run.every((line) => line.segments.length < 2 || findListMark(line) !== undefined))
    return undefined
  const rows = mergeRows(run, cells, rules)
  const hasHead = run[0]?.isBold === true || hasRuleBelow(run, rules)
  const table: Table = {
    kind: 'table',
    page,
    hasHead,
    rows: rows.map((row) =>
      columns.map((_, index) => {
        const parts = row.map((line) => line[index] ?? []).filter((cell) => cell.length > 0)
        return parts
          .map((cell) => spansOf(cell.flatMap(({ runs }) => runs)))
          .reduce((before, next) => joinSpans(before, next, words), [])
      }),
    ),
  }
  return { table, lines: run.length }
}

/** Whether dots lead from a title to its page. */
export const hasLeaders = ({ text }: Line): boolean => LEADERS.test(text) && !/(?:\.\s?){4,}$/.test(text)

const isCells = (line: Line): boolean => !line.isMono && !hasLeaders(line)

/** The lines that leave a gap of the first one's free. */
function takeRun(lines: readonly Line[], from: number): Line[] {
  let gaps = gapsOf(lines[from])
  let to = from + 1
  let lastFull = from
  for (; to < lines.length; to++) {
    const [before, line] = [lines[to - 1], lines[to]]
    if (before === undefined || line === undefined) break
    if (!isCells(line) || line.y - before.y > 3.2 * Math.max(line.size, before.size)) break
    const left = gaps
      .map((gap) => line.segments.flatMap(({ left: start, right: end }) => [[start, end] as const]).reduce(cut, gap))
      .filter(([start, end]) => end - start > 0.7 * line.size)
    if (left.length === 0) break
    gaps = left
    if (line.segments.length > 1) lastFull = to
  }
  // Single words below the last row go on in its cells where they stand close.
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

/** What of a gap a segment leaves free: the wider part, where it stands within. */
function cut([from, to]: Interval, [start, end]: Interval): Interval {
  if (end <= from || start >= to) return [from, to]
  const [before, after]: [Interval, Interval] = [
    [from, Math.max(from, start)],
    [Math.min(to, end), to],
  ]
  return before[1] - before[0] >= after[1] - after[0] ? before : after
}

/** Where the columns are: what the segments of all lines cover together. */
function findColumns(run: readonly Line[]): Interval[] {
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

function placeCells(line: Line, columns: readonly Interval[]): Segment[][] {
  return columns.map(([from, to]) => line.segments.filter(({ left, right }) => left < to && right > from))
}

/** The lines of each row: a line goes on in the cells of the one before it where nothing parts them. */
function mergeRows(run: readonly Line[], cells: readonly Segment[][][], rules: readonly Rule[]): Segment[][][][] {
  const gaps = run.slice(1).map((line, index) => line.y - (run[index]?.y ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  const border = most > 1.3 * least ? (least + most) / 2 : undefined
  const parted = run.slice(1).filter((line, index) => isRuleBetween(run[index], line, rules)).length
  const rows: Segment[][][][] = []
  run.forEach((line, index) => {
    const row = rows.at(-1)
    const own = cells[index] ?? []
    const before = run[index - 1]
    const isFirstEmpty = (own[0] ?? []).length === 0
    const isClose = border !== undefined && (gaps[index - 1] ?? 0) < border && own.some((cell) => cell.length === 0)
    const goesOn =
      parted > 1
        ? !isRuleBetween(before, line, rules) && (gaps[index - 1] ?? 0) < 1.5 * line.size
        : isFirstEmpty || isClose
    if (row !== undefined && goesOn) row.push(own)
    else rows.push([own])
  })
  return rows
}

const isRuleBetween = (above: Line | undefined, below: Line, rules: readonly Rule[]): boolean =>
  above !== undefined &&
  rules.some(
    ({ left, right, top, bottom }) =>
      bottom - top < 3 &&
      top > above.y - 1 &&
      bottom < below.y - 0.4 * below.size &&
      left < below.right &&
      right > below.left,
  )

const hasRuleBelow = (run: readonly Line[], rules: readonly Rule[]): boolean =>
  run[1] !== undefined && isRuleBetween(run[0], run[1], rules)
