import type { CellRange, SheetCell } from './sheet-cell.js'

/** Rows and columns of a sheet that are one table, or a text above or below one. */
export interface SheetRegion {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

/** The parts of a sheet that decide where its tables end. */
interface RegionSource {
  readonly cells: ReadonlyMap<number, ReadonlyMap<number, SheetCell>>
  readonly merges: readonly CellRange[]
  readonly hiddenRows: ReadonlySet<number>
}

/** Maximum number of rows of merged cells that are looked at. */
const MAX_MERGED_ROWS = 100_000

/**
 * Divides the cells of a sheet into tables, where empty rows and columns part them. A table may have empty rows in it: one that follows such
 * a row begins with a header, above values of another kind or in other columns. A cell alone is a text.
 */
export function findRegions(all: SheetRegion, source: RegionSource): readonly SheetRegion[] {
  const bands = divideRows(all, source)
  const found: SheetRegion[] = []
  for (const band of bands) {
    const last = found.at(-1)
    if (last !== undefined && !isSingle(band, source) && !isSingle(last, source) && !beginsAnew(band, last, source))
      found.splice(-1, 1, join(last, band, all))
    else found.push(band)
  }
  return found.flatMap((band) => divideTitle(band, source)).flatMap((band) => divideColumns(band, source))
}

/** Divides the title of a table, a cell alone in its first row, from the header below it. */
function divideTitle(region: SheetRegion, source: RegionSource): readonly SheetRegion[] {
  const rest = withoutTitle(region, source)
  return rest === region || !hasHeader(rest, source) ? [region] : [{ ...region, rows: region.rows.slice(0, 1) }, rest]
}

/** Returns a part of a sheet without its first row if that has one cell, which is not merged with others. */
function withoutTitle(region: SheetRegion, { cells, merges }: RegionSource): SheetRegion {
  const [first = -1, ...rows] = region.rows
  const isTitle = rows.length > 1 && cells.get(first)?.size === 1 && !merges.some(({ row }) => row === first)
  return isTitle ? { ...region, rows } : region
}

function divideRows({ rows, columns }: SheetRegion, source: RegionSource): SheetRegion[] {
  const merged = mergedRows(source.merges)
  const bands: number[][] = []
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    let between = before === undefined ? row : before + 1
    while (between < row && (source.hiddenRows.has(between) || merged.has(between))) between += 1
    if (before === undefined || between < row) bands.push([row])
    else bands.at(-1)?.push(row)
  }
  return bands.map((band) => ({ rows: band, columns: usedColumns(band, columns, source) }))
}

/** Returns the rows below the first one of merged cells. */
function mergedRows(merges: readonly CellRange[]): ReadonlySet<number> {
  const merged = new Set<number>()
  let left = MAX_MERGED_ROWS
  for (const { row, rows } of merges)
    for (let at = row + 1; at < row + rows && left > 0; at += 1, left -= 1) merged.add(at)
  return merged
}

function usedColumns(rows: readonly number[], columns: readonly number[], { cells }: RegionSource): readonly number[] {
  const used = new Set<number>()
  for (const row of rows) for (const column of cells.get(row)?.keys() ?? []) used.add(column)
  return columns.filter((column) => used.has(column))
}

const isSingle = ({ rows, columns }: SheetRegion, { cells }: RegionSource): boolean =>
  rows.length === 1 && (columns.length === 1 || cells.get(rows[0] ?? -1)?.size === 1)

function join(one: SheetRegion, other: SheetRegion, all: SheetRegion): SheetRegion {
  const used = new Set([...one.columns, ...other.columns])
  return { rows: [...one.rows, ...other.rows], columns: all.columns.filter((column) => used.has(column)) }
}

/** Tests if a part of a sheet begins with a header of its own. */
function beginsAnew(whole: SheetRegion, before: SheetRegion, source: RegionSource): boolean {
  const region = withoutTitle(whole, source)
  if (!hasHeader(region, source)) return false
  const isElsewhere = region.columns.join() !== before.columns.join()
  return isElsewhere || region.rows.slice(1).some((row) => valuesIn(row, region, source).some(isNumber))
}

/** Tests if the first row has a text in each column, and other rows follow. */
function hasHeader(region: SheetRegion, source: RegionSource): boolean {
  const [first = -1] = region.rows
  const titles = valuesIn(first, region, source)
  return region.rows.length > 1 && region.columns.length > 1 && titles.every((text) => text !== '' && !isNumber(text))
}

const valuesIn = (row: number, { columns }: SheetRegion, { cells }: RegionSource): string[] =>
  columns.map((column) => cells.get(row)?.get(column)?.text ?? '')

/** Tests for a number, an amount or a date. */
const isNumber = (text: string): boolean => /^[\p{Sc}+(-]{0,3}\s?\d/u.test(text)

/** Divides a part of a sheet at its empty columns, if there is a table on either side. */
function divideColumns(region: SheetRegion, source: RegionSource): readonly SheetRegion[] {
  const groups: number[][] = []
  for (const column of region.columns) {
    const last = groups.at(-1)
    if (last !== undefined && (last.at(-1) ?? column) === column - 1) last.push(column)
    else groups.push([column])
  }
  if (groups.length === 1) return [region]
  const parts = groups.map((columns) => ({ columns, rows: region.rows.filter((row) => hasCell(row, columns, source)) }))
  const isAcross = source.merges.some(({ row, column, rows, columns }) => {
    const isWithin = row <= (region.rows.at(-1) ?? -1) && row + rows > (region.rows[0] ?? 0)
    return isWithin && groups.filter((group) => group.some((at) => at >= column && at < column + columns)).length > 1
  })
  return !isAcross && parts.every((part) => hasHeader(part, source)) ? parts : [region]
}

const hasCell = (row: number, columns: readonly number[], { cells }: RegionSource): boolean =>
  columns.some((column) => cells.get(row)?.has(column) === true)
