import { extentOf } from '../layout/extent-of.js'
import type { Line, Run, Segment } from '../page-text.js'

export type Interval = readonly [from: number, to: number]

/** Number of rows at the top of a table in which a cell can be the heading of several columns. */
const MAX_HEADER_ROWS = 3
/** Minimum number of columns that are told by their number alone. */
const MIN_EVEN = 3
/** Minimum share of a column's width that a cell over several columns covers. */
const MIN_COVER = 0.5
/** Minimum gap between such columns, in font sizes. A space of monospaced text is 0.6. */
const MIN_GUTTER = 0.7

/** Columns of a table, and the cells of each of its lines. */
interface PlacedCells {
  readonly columns: readonly Interval[]
  /** Runs of each cell, by line and column. */
  readonly cells: Run[][][]
}

/**
 * Places the text of lines in columns. A cell that reaches over several columns, such as their heading or the label of a total, does
 * not unite them if most lines have a cell in each.
 */
export function placeInColumns(run: readonly Line[]): PlacedCells {
  const columns = findColumns(run)
  const parted = partColumns(run)
  if (parted.length <= columns.length) return { columns, cells: run.map((line) => placeRuns(line, columns)) }
  return { columns: parted, cells: run.map((line) => placeSegments(line, parted)) }
}

/** Returns the columns of the lines with as many segments as most have; none if other lines between these cross several. */
function partColumns(run: readonly Line[]): readonly Interval[] {
  const even = mostEven(run)
  const [first, last] = [even[0], even.at(-1)]
  const columns = even.length === run.length ? undefined : evenColumns(even)
  if (columns === undefined || first === undefined || last === undefined) return []
  if (columns.some(([left], at) => left - (columns[at - 1]?.[1] ?? -Infinity) < MIN_GUTTER * first.size)) return []
  const isCrossing = (segment: Segment): boolean =>
    columns.filter(([from, to]) => segment.left < to && segment.right > from).length > 1
  const between = run.slice(run.indexOf(first), run.indexOf(last))
  return between.some(({ segments }) => segments.length > 1 && segments.some(isCrossing)) ? [] : columns
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

/** Returns the lines with the number of segments that most have; none if fewer than half have it. */
function mostEven(run: readonly Line[]): readonly Line[] {
  const counts = new Map<number, number>()
  for (const { segments } of run) counts.set(segments.length, (counts.get(segments.length) ?? 0) + 1)
  const [count, lines] = [...counts].reduce((most, own) => (own[1] > most[1] ? own : most), [0, 0])
  return lines > 1 && 2 * lines >= run.length ? run.filter(({ segments }) => segments.length === count) : []
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

function placeRuns(line: Line, columns: readonly Interval[]): Run[][] {
  return columns.map(([from, to]) => line.runs.filter(({ left, right }) => left < to && right > from))
}

/** Places each segment in one column, with all its runs. */
function placeSegments({ segments, runs }: Line, columns: readonly Interval[]): Run[][] {
  const cells: Run[][] = columns.map(() => [])
  const places = segments.map((segment) => ({ segment, column: columnOf(segment, columns) }))
  for (const run of runs) {
    const middle = (run.left + run.right) / 2
    const own = places.find(({ segment }) => segment.left <= middle && segment.right >= middle)
    cells[own?.column ?? columnOf(run, columns)]?.push(run)
  }
  return cells
}

/** Returns the index of the column of a segment: the first one that it covers, or that nearest to it. */
function columnOf({ left, right }: Run | Segment, columns: readonly Interval[]): number {
  let [best, most] = [0, -Infinity]
  for (const [at, [from, to]] of columns.entries()) {
    const shared = Math.min(right, to) - Math.max(left, from)
    if (shared >= MIN_COVER * (to - from)) return at
    if (shared > most) [best, most] = [at, shared]
  }
  return best
}

/** Removes columns that contain only a centred heading of their neighbours, and assigns the heading to the left one. */
export function mergeSpanningHeadings({ cells, columns }: PlacedCells): readonly Interval[] {
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
