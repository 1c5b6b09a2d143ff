import { type Element, isElement, walk } from '../../html/tree.js'
import { isGutter } from '../text/code-text.js'

export interface TableCell {
  readonly element: Element
  readonly columns: number
  readonly rows: number
  /** Whether it names its row or column. */
  readonly isHead: boolean
}

export interface TableRow {
  readonly cells: readonly TableCell[]
  readonly inHead: boolean
}

// The standard's own bound on `colspan`. @see WHATWG HTML 4.9.11
const MAX_COLUMNS = 1000

// A grid of more places than this for each cell that is really there is not worth its size: wide spans made it. So many
// times that is the most that is spent on finding out.
const MAX_PLACES_PER_CELL = 20
const MAX_STEPS_PER_PLACE = 10

/** The table's own rows, not those of tables inside of it; cells that hold line numbers are left out. */
export function readRows(table: Element): TableRow[] {
  if (table.name !== 'table') return readRolesAsRows(table)
  return table.children.filter(isElement).flatMap((part): TableRow[] => {
    if (part.name === 'tr') return [readRow(part.children.filter(isElement), false)]
    if (part.name !== 'thead' && part.name !== 'tbody' && part.name !== 'tfoot') return []
    return part.children
      .filter(isElement)
      .filter(({ name }) => name === 'tr')
      .map((row) => readRow(row.children.filter(isElement), part.name === 'thead'))
  })
}

/** The rows of a table that only its roles make one. @see WAI-ARIA 1.2, 5.3.6 */
const readRolesAsRows = (table: Element): TableRow[] =>
  findByRole(table, ROW).map((row) => readRow(findByRole(row, CELL), false))

const ROW = new Set(['row'])
const CELL = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
const HEADER_CELL = new Set(['columnheader', 'rowheader'])

function findByRole(root: Element, roles: ReadonlySet<string>): Element[] {
  const found: Element[] = []
  walk(root, (node) => {
    if (!isElement(node) || !roles.has(node.attribs['role'] ?? '')) return true
    found.push(node)
    return false
  })
  return found
}

function readRow(children: readonly Element[], inHead: boolean): TableRow {
  const cells = children
    .filter(({ name, attribs }) => name === 'td' || name === 'th' || CELL.has(attribs['role'] ?? ''))
    .filter((cell) => !isGutter(cell))
    .map((element) => ({
      element,
      columns: span(element, 'colspan'),
      rows: span(element, 'rowspan'),
      isHead: element.name === 'th' || HEADER_CELL.has(element.attribs['role'] ?? ''),
    }))
  return { cells, inHead }
}

function span({ attribs }: Element, attribute: string): number {
  const value = Number.parseInt(attribs[attribute] ?? '1', 10)
  // A `rowspan` of 0 reaches to the end of the table.
  if (value === 0 && attribute === 'rowspan') return Infinity
  return value > 1 ? Math.min(value, attribute === 'colspan' ? MAX_COLUMNS : Infinity) : 1
}

/**
 * The cells in rows and columns. A cell that spans rows stands in each of them, so that every row can be read by itself; one
 * that spans columns stands in the first. Columns in which no cell begins are left out: only a wide cell reached there.
 *
 * @returns undefined for a grid out of all proportion to its cells
 * @see WHATWG HTML 4.9.12.1, "forming a table"
 */
export function placeCells(rows: readonly TableRow[]): (TableCell | undefined)[][] | undefined {
  const most = 1000 + MAX_PLACES_PER_CELL * rows.reduce((sum, { cells }) => sum + cells.length, 0)
  let steps = 0
  const placed: Map<number, TableCell>[] = []
  const begun = new Set<number>()
  // For each column that a cell from above reaches into: the cell, and how many rows are left.
  let reaching = new Map<number, { readonly cell: TableCell; readonly left: number; readonly isFirst: boolean }>()
  for (const { cells } of rows) {
    const row = new Map<number, TableCell>()
    const next: typeof reaching = new Map()
    for (const [column, { cell, left, isFirst }] of reaching) {
      if (isFirst) row.set(column, cell)
      if (left > 1) next.set(column, { cell, left: left - 1, isFirst })
    }
    steps += reaching.size
    let column = 0
    for (const cell of cells) {
      while (reaching.has(column)) column += 1
      if (column >= MAX_COLUMNS) break
      row.set(column, cell)
      begun.add(column)
      for (let at = 0; at < cell.columns && cell.rows > 1; at++) {
        next.set(column + at, { cell, left: cell.rows - 1, isFirst: at === 0 })
        steps += 1
      }
      column += cell.columns
    }
    placed.push(row)
    reaching = next
    if (steps > most * MAX_STEPS_PER_PLACE) return undefined
  }
  if (placed.length * begun.size > most) return undefined
  const columns = [...begun].sort((a, b) => a - b)
  return placed.map((row) => columns.map((column) => row.get(column)))
}
