import { type ChildNode, type Element, isElement, walk } from './tree.js'

export interface TableCell {
  readonly element: Element
  readonly columns: number
  readonly rows: number
  /** True for a cell that names its row or column. */
  readonly isHead: boolean
}

export interface TableRow {
  readonly cells: readonly TableCell[]
  readonly inHead: boolean
  /** Number of the `thead`, `tbody` or `tfoot` of a row; a row outside of them has that of the rows beside it. */
  readonly group?: number
}

// The bound of `colspan` in the HTML standard.
const MAX_COLUMNS = 1000

// Maximum size of a grid as a multiple of its real cells. Wide spans make larger ones, which are not worth their size;
// this also bounds the time to find out.
const MAX_PLACES_PER_CELL = 20
const MAX_STEPS_PER_PLACE = 10

/**
 * Returns the rows of a table, without those of nested tables.
 *
 * @param isSkipped selects cells that are left out, such as those with line numbers. @default none
 */
export function readRows(table: Element, isSkipped: (cell: Element) => boolean = skipNothing): TableRow[] {
  if (table.name !== 'table') return readRolesAsRows(table, isSkipped)
  const rows: TableRow[] = []
  // HTML 4 has `tfoot` before the rows. It is shown after them.
  const foot: TableRow[] = []
  let group = 0
  let isInGroup = false
  for (const part of table.children) {
    if (!isElement(part)) continue
    if (part.name === 'tr') {
      if (isInGroup) group += 1
      isInGroup = false
      rows.push({ ...readRow(part.children, false, isSkipped), group })
    } else if (part.name === 'thead' || part.name === 'tbody' || part.name === 'tfoot') {
      const into = part.name === 'tfoot' ? foot : rows
      group += 1
      isInGroup = true
      for (const row of part.children)
        if (isElement(row) && row.name === 'tr')
          into.push({ ...readRow(row.children, part.name === 'thead', isSkipped), group })
    }
  }
  return foot.length === 0 ? rows : [...rows, ...foot]
}

export const skipNothing = (): boolean => false

/** Returns the rows of an ARIA table. @see https://www.w3.org/TR/wai-aria-1.2/#row */
const readRolesAsRows = (table: Element, isSkipped: (cell: Element) => boolean): TableRow[] =>
  findByRole(table, ROW).map((row) => readRow(findByRole(row, CELL), false, isSkipped))

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

function readRow(children: readonly ChildNode[], inHead: boolean, isSkipped: (cell: Element) => boolean): TableRow {
  const cells: TableCell[] = []
  for (const element of children) {
    if (!isElement(element)) continue
    const { name, attribs } = element
    const role = attribs['role'] ?? ''
    if ((name !== 'td' && name !== 'th' && !CELL.has(role)) || isSkipped(element)) continue
    const isHead = name === 'th' || HEADER_CELL.has(role)
    cells.push({ element, columns: span(element, 'colspan'), rows: span(element, 'rowspan'), isHead })
  }
  return { cells, inHead }
}

function span({ attribs }: Element, attribute: string): number {
  const stated = attribs[attribute]
  if (stated === undefined) return 1
  const value = Number.parseInt(stated, 10)
  // A `rowspan` of 0 reaches to the end of its group.
  if (value === 0 && attribute === 'rowspan') return Infinity
  return value > 1 ? Math.min(value, attribute === 'colspan' ? MAX_COLUMNS : Infinity) : 1
}

/**
 * Assigns cells to rows and columns. A cell that spans rows is repeated in each of them, so that every row is complete.
 * It ends with its group of rows.
 * A cell that spans columns is put into the first of them. Columns in which no cell starts are left out.
 *
 * @returns undefined for a grid that is much larger than its number of cells, by `MAX_PLACES_PER_CELL`
 * @see https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
 */
export function placeCells(rows: readonly TableRow[]): (TableCell | undefined)[][] | undefined {
  const most = 1000 + MAX_PLACES_PER_CELL * rows.reduce((sum, { cells }) => sum + cells.length, 0)
  let steps = 0
  const placed: Map<number, TableCell>[] = []
  const begun = new Set<number>()
  // For each column that a cell from above spans into: the cell, and the number of rows left.
  let reaching = new Map<number, { readonly cell: TableCell; readonly left: number; readonly isFirst: boolean }>()
  let last = rows[0]?.group
  for (const { cells, group } of rows) {
    if (group !== last) reaching = new Map()
    last = group
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
