import {
  collapse,
  type Element,
  findElement,
  isBlockElement,
  isElement,
  isImage,
  isText,
  walk,
} from '../../html/tree.js'
import { holdsCaption, isDivider, isNamedAnew, isWrapperOf, MAX_WRAPPERS } from '../../html/adjacent-tables.js'
import { readCellGrid } from '../../html/cell-grid.js'
import { placeCells, readRows, type TableCell, type TableRow } from '../../html/table-grid.js'
import { hasHeader, isLayout } from '../../html/table-kind.js'
import { divideDigits, readInlineDigits } from '../../html/inline-digits.js'
import { isCommand } from '../rules/button-in-text.js'
import type { EntryGroup } from './find-groups.js'
import type { PageMeasures } from './measure-page.js'
import { oldPlaceOf, readSale } from './price-cells.js'
import { type Cell, isSaidAgain, readCells } from './read-cells.js'

/** A table of data: its rows, with the names of its columns. */
export interface TableGroup extends EntryGroup {
  /** Further tables that the first one goes on in. */
  readonly parts?: readonly Element[]
  /** Cells of each row, by their columns. */
  readonly cells: readonly (readonly Cell[])[]
}

/** A table that takes up those it goes on in. */
interface FoundTable extends TableGroup {
  readonly entries: Element[][]
  readonly parts: Element[]
  readonly cells: Cell[][]
}

/** A page whose tables are found. */
interface TablePage {
  readonly measures: PageMeasures
  readonly isInvisible: (element: Element) => boolean
}

/** Maximum characters of a cell and of a header. */
const MAX_TEXT = 20_000
const MAX_HEADER = 200

const TABLE_ROLES: ReadonlySet<string> = new Set(['table', 'grid', 'treegrid'])

/** Finds the tables of data on a page, with their spans resolved. Nested tables are a part of the outer one's cells. */
export function findTables(measures: PageMeasures, isInvisible: (element: Element) => boolean): TableGroup[] {
  const found: FoundTable[] = []
  for (const element of measures.keys()) {
    const isTable = element.name === 'table' || TABLE_ROLES.has(element.attribs['role'] ?? '')
    const rows = isTable ? readRows(element, isInvisible) : readCellGrid(element, isInvisible)
    const table = rows && readTable(element, rows, isInvisible)
    const before = found.at(-1)
    if (table !== undefined && before !== undefined && goesOnIn(before, table, { measures, isInvisible }))
      joinTable(before, table)
    else if (table !== undefined) found.push(table)
  }
  return found
}

/** Tests whether a table follows one with the same headers right away, as the parts of a table in columns do. */
function goesOnIn(one: FoundTable, other: FoundTable, { measures, isInvisible }: TablePage): boolean {
  if (one.kind !== other.kind || !/[^(|)]/u.test(one.kind.slice('table'.length)) || holdsCaption(other.container))
    return false
  const hasContent = (element: Element): boolean => {
    const measure = measures.get(element)
    if (measure !== undefined && measure.text + measure.images > 0) return true
    return !isInvisible(element) && isDivider(element)
  }
  let at = one.parts.at(-1) ?? one.container
  if (isNamedAnew(at, other.container)) return false
  for (let up = 0; up <= MAX_WRAPPERS; up += 1) {
    let next = at.next
    while (next !== null && (isElement(next) ? !hasContent(next) : !isText(next) || next.data.trim() === ''))
      next = next.next
    if (next !== null) return isElement(next) && isWrapperOf(next, other.container)
    if (at.parent === null || !isElement(at.parent)) return false
    at = at.parent
  }
  return false
}

/** Adds the rows of a table to those of the one that it continues. */
function joinTable(one: FoundTable, other: FoundTable): void {
  for (const entry of other.entries) one.entries.push(entry)
  for (const cells of other.cells) one.cells.push(cells)
  one.parts.push(other.container)
}

function readTable(
  table: Element,
  all: readonly TableRow[],
  isInvisible: (element: Element) => boolean,
): FoundTable | undefined {
  const rows = withoutFoot(all.filter(({ cells }) => cells.length > 0))
  const grid = placeCells(rows)
  if (grid === undefined || isLayout(table, rows)) return undefined
  const heads = countHeads(rows, grid)
  const names = readNames(grid.slice(0, heads), isInvisible)
  const width = grid[0]?.length ?? 0
  if (
    width < (heads > 0 ? 1 : 2) ||
    rows.length === heads ||
    (heads === 0 && !(isRegular(rows) && areSimple(rows, isInvisible)))
  )
    return undefined
  const entries: Element[][] = []
  const cells: Cell[][] = []
  for (const [at, places] of grid.entries()) {
    const row = rows[at]
    const element = row?.cells[0]?.element.parent
    if (at < heads || row === undefined || element === null || element === undefined || !isElement(element)) continue
    if (isHeadBetween(row, heads, width)) continue
    entries.push(element === table ? row.cells.map((cell) => cell.element) : [element])
    cells.push(
      places.flatMap((cell, column) => (cell === undefined ? [] : readPlace(cell, column, names[column], isInvisible))),
    )
  }
  return { container: table, entries, cells, parts: [], kind: `table(${names.join('|')})` }
}

/** Leaves out the rows of a `tfoot`, which sum up the others, or lead to further pages. */
function withoutFoot(rows: readonly TableRow[]): readonly TableRow[] {
  const body = rows.filter(({ cells }) => cells[0] === undefined || !isInFoot(cells[0].element))
  return body.length > 1 ? body : rows
}

const isInFoot = ({ parent }: Element): boolean => {
  const row = parent !== null && isElement(parent) ? parent.parent : null
  return row !== null && isElement(row) && row.name === 'tfoot'
}

/** Minimum share of rows of a table without headers that have the same number of cells. */
const REGULAR_SHARE = 0.8

/** True for a table whose rows nearly all have the same number of cells; the others lay out a page. */
function isRegular(rows: readonly TableRow[]): boolean {
  const numbers = new Map<number, number>()
  for (const { cells } of rows) numbers.set(cells.length, (numbers.get(cells.length) ?? 0) + 1)
  return Math.max(...numbers.values()) >= rows.length * REGULAR_SHARE
}

/** Cells that are examined for values of their own, and the share that must have one at most. */
const SAMPLE = 60
const SIMPLE_SHARE = 0.8

/** True for a table whose rows are named, or whose cells are values. A cell with several is a part of an entry. */
function areSimple(rows: readonly TableRow[], isInvisible: (element: Element) => boolean): boolean {
  if (rows.every(({ cells: [first] }) => first?.isHead === true)) return true
  const sample = rows.flatMap(({ cells }) => cells).slice(0, SAMPLE)
  const simple = sample.filter(
    ({ element }) => readCells([element], isInvisible).filter(({ kind }) => kind === 'text').length < 2,
  )
  return simple.length >= sample.length * SIMPLE_SHARE
}

type GridRow = readonly (TableCell | undefined)[]

/** Counts the rows at the start that name the columns. */
function countHeads(rows: readonly TableRow[], grid: readonly GridRow[]): number {
  if (!hasHeader(rows) || arePictured(rows)) return 0
  const columns = rows.findIndex(({ cells }) => cells.length > 1)
  // One cell below the names of several columns, with none that reaches down beside it, is the heading of rows.
  const after = rows.findIndex(({ cells, inHead }, at) => {
    const isHeading = columns >= 0 && at > columns && grid[at]?.filter(Boolean).length === 1
    return !inHead && (isHeading || !cells.every(({ isHead }) => isHead))
  })
  return Math.max(1, after)
}

/** True for rows whose cells all have pictures: those of cards. A header that the markup states may have some too, for sorting. */
const arePictured = (rows: readonly TableRow[]): boolean =>
  rows.every(
    ({ cells, inHead }) =>
      !inHead && cells.every(({ element, isHead }) => !isHead && findElement(element, isImage) !== undefined),
  )

/** True for a row of headers in the middle of a long table: the first one again, or a heading over all columns. */
const isHeadBetween = ({ cells }: TableRow, heads: number, width: number): boolean => {
  const [first] = cells
  if (heads === 0 || width < 2 || first === undefined || !cells.every(({ isHead }) => isHead)) return false
  return cells.length > 1 || first.columns >= width
}

/** Joins the headers above each column: `Size` and `Width` to `Size Width`. */
function readNames(heads: readonly GridRow[], isInvisible: (element: Element) => boolean): string[] {
  const width = heads[0]?.length ?? 0
  return Array.from({ length: width }, (_, column) => {
    const cells = heads.flatMap((row) => spanningCell(row, column) ?? [])
    const texts = cells.map(({ element }) => textOfCell(element, isInvisible))
    return [...new Set(texts.filter((text) => text !== ''))].join(' ').slice(0, MAX_HEADER)
  })
}

/** Returns the header of a column: its own, or the one to its left that spans it. */
function spanningCell(row: GridRow, column: number): TableCell | undefined {
  for (let at = column; at >= 0; at -= 1) {
    const cell = row[at]
    if (cell !== undefined) return at + cell.columns > column ? cell : undefined
  }
  return undefined
}

function readPlace(
  { element }: TableCell,
  column: number,
  name: string | undefined,
  isInvisible: (element: Element) => boolean,
): Cell[] {
  const value = textOfCell(element, isInvisible)
  const place = name === undefined || name === '' ? `column ${column + 1}` : `${name}#${column + 1}`
  const named = name === undefined || name === '' ? {} : { named: { name, source: 'header' as const } }
  const inner = readCells([element], isInvisible)
  const text: Cell = { place, kind: 'text', value, element, ...named }
  return [
    ...(value === '' ? [] : (splitSale(text, inner) ?? [text])),
    ...(['url', 'image'] as const).flatMap((own): Cell[] => {
      const cell = inner.find(({ kind }) => kind === own)
      if (cell === undefined) return []
      const suffix = ` ${own}`
      const called = named.named && { named: { name: `${named.named.name}${suffix}`, source: 'header' as const } }
      return [{ place: `${place}${suffix}`, kind: own, value: cell.value, element: cell.element, ...called }]
    }),
  ]
}

/** Splits a cell with nothing but a price to pay and the one before a sale, or that of a unit. */
function splitSale(cell: Cell, inner: readonly Cell[]): Cell[] | undefined {
  if (!/\d/u.test(cell.value) || inner.length > MAX_PARTS) return undefined
  const { old, current, prices, labels } = readSale(inner)
  const isTold = inner.every(
    (one) => one.kind !== 'text' || labels.has(one) || prices.some((price) => price.cell === one),
  )
  if (old === undefined || current === undefined || !isTold) return undefined
  const place = oldPlaceOf(cell.place)
  return [
    { ...cell, value: current.text, role: 'price' },
    { place, kind: 'text', value: old.text, element: old.cell.element, role: 'oldPrice' },
  ]
}

/** Maximum values in a cell with prices. */
const MAX_PARTS = 12

/**
 * Returns the visible text of a cell, in one line. Commands on the value, such as `Copy`, and texts for screen readers, which
 * say it again, are left out if the cell has other text.
 */
const textOfCell = (cell: Element, isInvisible: (element: Element) => boolean): string =>
  collectText(cell, (element) => isInvisible(element) || isSaidAgain(element) || isButton(element)) ||
  collectText(cell, isInvisible)

const isButton = (element: Element): boolean => element.name === 'button' && isCommand(element)

function collectText(cell: Element, isSkipped: (element: Element) => boolean): string {
  let text = ''
  walk(
    cell,
    (node) => {
      if (isText(node)) text += node.data
      if (!isElement(node)) return text.length < MAX_TEXT ? true : 'stop'
      if (isSkipped(node)) return false
      if (isApart(node)) text += ' '
      const digits = readInlineDigits(node)
      if (digits !== undefined) text = divideDigits(text, digits)
      return true
    },
    (node) => {
      if (isApart(node)) text += ' '
    },
  )
  return collapse(text)
}

/** Elements whose text is not joined with the text beside them. */
const isApart = (element: Element): boolean =>
  isBlockElement(element) || element.name === 'br' || element.name === 'button'
