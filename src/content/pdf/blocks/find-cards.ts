import { extentOf } from '../layout/extent-of.js'
import { joinRuns } from '../layout/join-runs.js'
import { isProse } from '../layout/wraps.js'
import type { Line, TextRegion } from '../page-text.js'
import { hasBullet } from './list-mark.js'
import { isCells, takeTableLines } from './find-tables.js'
import { type Interval, findColumns } from './table-columns.js'

/** Texts that stand side by side, and how many lines they take. */
interface FoundCards {
  readonly columns: readonly TextRegion[]
  readonly lines: number
}

/** Maximum distance of the lines that a text has more than those beside it, in font sizes. */
const MAX_PITCH = 1.75
/** Minimum gap between the texts, in font sizes. That of spread words of a line is smaller. */
const MIN_GUTTER = 1.2
/** Minimum number of rows of a table of two columns. */
const MIN_ROWS = 3

/**
 * Finds texts side by side that begin at a line, each with its heading, such as the cards of a brochure: lines that leave a gap as
 * those of a table do, but go on in the next one. Of a table, the first column has no text beside the further lines of a row.
 */
export function findCards(lines: readonly Line[], from: number): FoundCards | undefined {
  const first = lines[from]
  if (first === undefined || first.segments.length < 2 || !isCells(first)) return undefined
  const taken = takeTableLines(lines, from)
  const again = taken.findIndex((line, at) => at > 1 && isHead(line) && taken[at - 1]?.isBold === false)
  const run = again < 0 ? withRest(taken, lines, from) : taken.slice(0, again)
  const columns = findColumns(run)
  const gutters = columns.slice(1).map(([left], at) => left - (columns[at]?.[1] ?? left))
  if (columns.length < 2 || extentOf(gutters)[0] < MIN_GUTTER * first.size) return undefined
  const regions = columns.map((column) => run.flatMap((line) => cutLine(line, column) ?? []))
  const rows = run.filter(({ segments }) => segments.length > 1)
  const body = regions.map((region) => region.filter(({ isBold }) => !isBold))
  const prose = body.filter((region) => isProse(region))
  // Under heads one text can be shorter than a line; a table has more rows.
  const isHeaded = isHead(first) && first.segments.length === columns.length && rows.length < MIN_ROWS
  if (prose.length < (isHeaded ? 1 : 2)) return undefined
  if (isTableOfProse(rows, body)) return undefined
  return { columns: regions.map((region) => regionOf(region)), lines: run.length }
}

const isHead = ({ segments, isBold }: Line): boolean => isBold && segments.length > 1

/** Adds the lines that one of the texts has below the others. */
function withRest(taken: readonly Line[], lines: readonly Line[], from: number): readonly Line[] {
  const columns = findColumns(taken)
  const isInColumn = (line: Line): boolean =>
    columns.some(
      ([left], at) => line.left > left - 1 && line.right < (columns[at + 1]?.[0] ?? Infinity) - MIN_GUTTER * line.size,
    )
  let to = from + taken.length
  for (; to < lines.length; to++) {
    const [before, line] = [lines[to - 1], lines[to]]
    if (before === undefined || line === undefined || !isCells(line) || line.isBold) break
    if (line.y - before.y > MAX_PITCH * line.size || Math.abs(line.size - before.size) > 0.1 * line.size) break
    if (!isInColumn(line)) break
  }
  return lines.slice(from, to)
}

/** Tests if there are several rows, parted by space, in all of which the texts begin anew. */
function isTableOfProse(rows: readonly Line[], body: readonly (readonly Line[])[]): boolean {
  const gaps = rows.slice(1).map((line, at) => line.y - (rows[at]?.y ?? 0))
  const [least] = extentOf(gaps)
  const starts = new Set(rows.slice(1).flatMap((line, at) => ((gaps[at] ?? 0) > 1.2 * least ? [line] : [])))
  const begins = [...starts].filter((line) =>
    body.every((region) => region.some((part) => part.y === line.y && !/^\p{Ll}/u.test(part.text) && !hasBullet(part))),
  )
  return begins.length > 1
}

/** Cuts the part of a line that stands in a column. */
function cutLine(line: Line, [from, to]: Interval): Line | undefined {
  const segments = line.segments.filter(({ left, right }) => left < to && right > from)
  const runs = line.runs.filter(({ left, right }) => left < to && right > from)
  if (runs.length === 0) return undefined
  const [left] = extentOf(runs.map((run) => run.left))
  const [, right] = extentOf(runs.map((run) => run.right))
  return { ...line, segments, runs, text: joinRuns(runs), left, right, isBold: runs.every((run) => run.isBold) }
}

const regionOf = (lines: readonly Line[]): TextRegion => ({
  lines,
  left: extentOf(lines.map(({ left }) => left))[0],
  right: extentOf(lines.map(({ right }) => right))[1],
})
