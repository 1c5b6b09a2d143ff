import { extentOf } from './extent-of.js'
import type { Grid } from './find-grids.js'
import { findLines } from './find-lines.js'
import { findSegments } from './find-segments.js'
import { isRightToLeft } from './order-runs.js'
import { isProse } from './wraps.js'
import type { GridRow, Line, Run, Segment } from '../page-text.js'

/** Runs outside of drawn tables, and the rows of those tables. */
interface FilledGrids {
  readonly rest: readonly Run[]
  readonly rows: readonly Segment[]
}

/** Assigns runs to the cells of drawn tables. Frames around text are not tables. */
export function fillGrids(runs: readonly Run[], grids: readonly Grid[]): FilledGrids {
  let rest = runs
  const rows: Segment[] = []
  for (const [table, grid] of grids.entries()) {
    const inside = rest.filter((run) => isInside(run, grid))
    const filled = fill(inside, grid, table)
    if (filled === undefined) continue
    rows.push(...filled)
    const taken = new Set(inside)
    rest = rest.filter((run) => !taken.has(run))
  }
  return { rest, rows }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const middleOf = ({ y, size }: Run): number => y - 0.3 * size

function isInside(run: Run, { xs, ys }: Grid): boolean {
  const [x, y] = [(run.left + run.right) / 2, middleOf(run)]
  return x > (xs[0] ?? 0) && x < (xs.at(-1) ?? 0) && y > (ys[0] ?? 0) && y < (ys.at(-1) ?? 0)
}

/** Builds the rows of a table. Undefined if text crosses its lines or most cells are empty: it is a drawing. */
function fill(given: readonly Run[], grid: Grid, table: number): Segment[] | undefined {
  const runs = given.flatMap((run) => splitRun(run, linesOver(run, grid)))
  const crossing = runs.filter((run) => crossesLine(run, grid))
  if (runs.length === 0 || crossing.length > 0.05 * runs.length) return undefined
  const [columns, bands] = [grid.xs.length - 1, grid.ys.length - 1]
  const cells = new Map<number, Run[]>()
  for (const run of runs) {
    const key = placeOf(run, grid)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [run])
    else cell.push(run)
  }
  const read = upTo(bands).map((band) => upTo(columns).map((column) => linesOf(cells.get(band * columns + column))))
  const rows = read.flatMap((row) => (bands > 3 ? [row] : splitBand(row))).filter((row) => countFilled(row) > 0)
  const used = upTo(columns).filter((column) => rows.some((row) => (row[column]?.length ?? 0) > 0))
  const kept = rows.map((row) => used.map((column) => row[column] ?? []))
  if (isFrame(kept.flat())) return undefined
  const filled = kept.reduce((sum, row) => sum + countFilled(row), 0)
  if (used.length < 2 || kept.length < 2 || filled < 0.4 * used.length * kept.length) return undefined
  if (isRightToLeft(findSegments(runs))) for (const row of kept) row.reverse()
  return kept.map((row, index) => asSegment(row, index, grid, table))
}

/** Number of lines of a cell, and its share of the text of a table, from which the lines are a frame around a page. */
const [FRAME_LINES, FRAME_SHARE] = [20, 0.8]

/** Tests if nearly all text is in one long cell. */
function isFrame(cells: readonly (readonly Line[])[]): boolean {
  const lengths = cells.map((lines) => lines.reduce((sum, { text }) => sum + text.length, 0))
  const all = lengths.reduce((sum, length) => sum + length, 0)
  return cells.some((lines, at) => lines.length > FRAME_LINES && (lengths[at] ?? 0) > FRAME_SHARE * all)
}

/** Yields the positions of the vertical lines that a run crosses. */
const linesOver = (run: Run, grid: Grid): Iterable<number> =>
  grid.linesBetween(run.left + 0.4 * run.size, run.right - 0.4 * run.size, middleOf(run))

const crossesLine = (run: Run, grid: Grid): boolean => linesOver(run, grid)[Symbol.iterator]().next().done !== true

/** Maximum distance of a line from the space that it replaces, in font sizes: the space's position is an estimate. */
const MAX_SPACE_DISTANCE = 0.8

/**
 * Splits a run at the lines that it crosses, each at the space nearest to it: the library joins texts that are little more than
 * a space apart, also those of two cells. A run without a space near the first line stays whole.
 */
function splitRun(run: Run, lines: Iterable<number>): Run[] {
  if (run.isRtl) return [run]
  let found: ReturnType<typeof findSpaces> | undefined
  const pieces: Run[] = []
  let [rest, from, start, next] = [run, 0, 0, 0]
  for (const line of lines) {
    found ??= findSpaces(run.text)
    const { spaces, width } = found
    const scale = (run.right - rest.left) / (width - start)
    let best: Space | undefined
    let least = MAX_SPACE_DISTANCE * run.size
    for (; next < spaces.length; next++) {
      const space = spaces[next]
      if (space === undefined) break
      const offset = rest.left + (space.middle - start) * scale - line
      if (Math.abs(offset) < least) [best, least] = [space, Math.abs(offset)]
      else if (offset > 0) break
    }
    if (best === undefined || best.at === from || best.at === run.text.length - 1) break
    pieces.push({ ...rest, text: run.text.slice(from, best.at), right: line - BORDER_GAP * run.size })
    from = best.at + 1
    start = best.end
    rest = { ...rest, text: run.text.slice(from), left: line + BORDER_GAP * run.size, isSpaced: true }
  }
  return [...pieces, rest]
}

/** A space in a text. Its middle and end are in the units of {@link widthOf}, from the start of the text. */
interface Space {
  readonly at: number
  readonly middle: number
  readonly end: number
}

/** Finds the spaces of a text, and the width of the text. */
function findSpaces(text: string): { readonly spaces: readonly Space[]; readonly width: number } {
  const spaces: Space[] = []
  let [at, width] = [0, 0]
  for (const character of text) {
    const end = width + widthOf(character)
    if (character === ' ') spaces.push({ at, middle: (width + end) / 2, end })
    width = end
    at += character.length
  }
  return { spaces, width }
}

/** Distance of a divided text from the line that divides it, in font sizes. */
const BORDER_GAP = 0.1

/** Estimates the width of a character, relative to those of most letters. */
const widthOf = (character: string): number =>
  /[ijltfr.,:;'|!()[\] ]/.test(character) ? 0.6 : /[\p{Lu}mw@%]/u.test(character) ? 1.4 : 1

/** Returns the cell of a run: the first of merged cells. */
function placeOf(run: Run, grid: Grid): number {
  const columns = grid.xs.length - 1
  let column = indexIn(grid.xs, (run.left + run.right) / 2)
  let row = indexIn(grid.ys, middleOf(run))
  while (column > 0 && !grid.hasBorderRight(row, column - 1)) column--
  while (row > 0 && !grid.hasBorderBelow(row - 1, column)) row--
  return row * columns + column
}

/** Returns the index of the last position up to a value. */
function indexIn(places: readonly number[], value: number): number {
  let at = 0
  while (at < places.length - 2 && (places[at + 1] ?? 0) <= value) at++
  return at
}

const linesOf = (runs: readonly Run[] | undefined): readonly Line[] =>
  runs === undefined ? [] : findLines(findSegments(runs)).lines

const countFilled = (row: readonly (readonly Line[])[]): number => row.filter((cell) => cell.length > 0).length

/** Splits cells without lines between rows: each line of the first column with text beside it begins a row. */
function splitBand(band: readonly (readonly Line[])[]): (readonly (readonly Line[])[])[] {
  const [first = []] = band.filter((cell) => cell.length > 0)
  const hasBeside = (line: Line): boolean =>
    band.filter((cell) => cell.some((other) => Math.abs(other.y - line.y) < 0.5 * line.size)).length > 1
  const isRow = (line: Line): boolean => first.some((other) => Math.abs(other.y - line.y) < 0.5 * line.size)
  const lines = band.flat()
  if (first.length < 2 || !lines.every(isRow) || !first.every(hasBeside) || band.some(isProse)) return [[...band]]
  return first.map((line) => band.map((cell) => cell.filter((other) => Math.abs(other.y - line.y) < 0.5 * line.size)))
}

function asSegment(cells: GridRow['cells'], index: number, { xs }: Grid, table: number): Segment {
  const lines = cells.flat()
  const runs = lines.flatMap((line) => line.runs)
  const [y, last] = extentOf(lines.map((line) => line.y))
  const isHead = index === 0 && lines.every(({ isBold }) => isBold)
  return {
    runs,
    left: xs[0] ?? 0,
    right: xs.at(-1) ?? 0,
    y,
    size: lines[0]?.size ?? 10,
    order: extentOf(runs.map((run) => run.order))[0],
    row: { table, cells, isHead, height: last - y, lines: Math.max(...cells.map((cell) => cell.length)) },
  }
}
