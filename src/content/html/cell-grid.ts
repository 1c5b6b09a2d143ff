import { type ChildNode, type Element, isElement, isText, walk } from './tree.js'
import { skipNothing, type TableCell, type TableRow } from './table-grid.js'
import { isPartOfPage } from './table-kind.js'

/** Class names of cells that name a column: `table-header`, `grid-head`, `th`. */
const HEADER = /(?:^|[\s_-])(?:header|heading|head|th)(?:$|[\s_-])/iu
const MIN_COLUMNS = 2
const MAX_COLUMNS = 12
/** Maximum length of the name of a column, and of a class attribute that is read. Characters. */
const MAX_NAME = 60
const MAX_CLASSES = 500
/** Maximum nodes in the name of a column, and characters of each that are read. */
const MAX_NAME_NODES = 40
const MAX_READ = 1000
/** Minimum rows below names that share no class with the cells of their columns. Two titles may stand before one part of a page. */
const MIN_ROWS = 2
/** Names of elements whose children may be cells. */
export const GRIDS: ReadonlySet<string> = new Set(['div', 'section'])
const CELLS: ReadonlySet<string> = new Set(['div', 'span', 'p'])

/**
 * Reads a table that is made of elements which a style sheet arranges in columns, as those of Javadoc: cells that follow each
 * other in one element, those with the names of the columns first. The cells of a column have a class that no other column
 * has.
 *
 * @param isSkipped selects cells that are left out
 * @returns undefined for an element that is no such table
 */
export function readCellGrid(
  container: Element,
  isSkipped: (cell: Element) => boolean = skipNothing,
): TableRow[] | undefined {
  if (!GRIDS.has(container.name)) return undefined
  // Hardly any element has such a first child, so that the children of hardly any are collected.
  const cells = beginsWithHeader(container, isSkipped) ? listCells(container, isSkipped) : []
  // The classes are compared first: the names are texts, and elements may be nested deeply.
  if (cells[1] === undefined || !hasHeaderClass(cells[1])) return undefined
  const width = countHeaders(cells)
  if (width < MIN_COLUMNS || width > MAX_COLUMNS || cells.length % width > 0) return undefined
  const body = cells.slice(width)
  if (body.length === 0 || !body.every(mayBeInBody) || !haveOwnClasses(body, width)) return undefined
  if (body.length < MIN_ROWS * width && !haveOwnClasses(cells, width)) return undefined
  if (body.some(isPartOfPage)) return undefined
  const rows: TableRow[] = []
  for (let at = 0; at < cells.length; at += width) rows.push(toRow(cells, at, at + width, at === 0))
  return rows
}

function beginsWithHeader({ children }: Element, isSkipped: (cell: Element) => boolean): boolean {
  for (const child of children) if (isElement(child) && !isSkipped(child)) return hasHeaderClass(child)
  return false
}

function listCells({ children }: Element, isSkipped: (cell: Element) => boolean): Element[] {
  const cells: Element[] = []
  for (const child of children) if (isElement(child) && !isSkipped(child)) cells.push(child)
  return cells
}

function countHeaders(cells: readonly Element[]): number {
  let count = 0
  for (const cell of cells) {
    if (!isHeader(cell)) break
    count += 1
  }
  return count
}

const hasHeaderClass = ({ name, attribs }: Element): boolean =>
  CELLS.has(name) && HEADER.test((attribs['class'] ?? '').slice(0, MAX_CLASSES))

const isHeader = (cell: Element): boolean => hasHeaderClass(cell) && isName(cell)

const mayBeInBody = (cell: Element): boolean => CELLS.has(cell.name) && !isHeader(cell)

/** True for an element with a short text. Of others, no more than a few nodes are read. */
function isName(cell: Element): boolean {
  const name = { text: '', nodes: 0 }
  walk(cell, readName, undefined, name)
  return name.nodes <= MAX_NAME_NODES && name.text.trimEnd().length <= MAX_NAME
}

function readName(node: ChildNode, name: { text: string; nodes: number }): boolean | 'stop' {
  name.nodes += 1
  if (isText(node)) name.text = (name.text + node.data.slice(0, MAX_READ)).trimStart()
  return name.nodes > MAX_NAME_NODES || name.text.trimEnd().length > MAX_NAME ? 'stop' : true
}

function toRow(all: readonly Element[], start: number, end: number, isHead: boolean): TableRow {
  const cells: TableCell[] = []
  for (let at = start; at < end; at += 1) {
    const element = all[at]
    if (element !== undefined) cells.push({ element, columns: 1, rows: 1, isHead })
  }
  return { inHead: isHead, cells }
}

/** The classes of the cells of a column. */
interface ColumnClasses {
  /** Class attributes that have been read: most cells have the same as others. */
  readonly read: Set<string>
  /** Classes that all cells have. */
  shared: readonly string[]
  /** Classes that any cell has. */
  readonly all: Set<string>
}

/** Tests whether the cells of each column share a class that those of no other column have. */
function haveOwnClasses(cells: readonly Element[], width: number): boolean {
  const columns: ColumnClasses[] = []
  for (let at = 0; at < cells.length; at += 1) {
    const classes = (cells[at]?.attribs['class'] ?? '').slice(0, MAX_CLASSES)
    const column = columns[at % width]
    if (column?.read.has(classes)) continue
    const own = new Set(classes.split(/\s+/u).filter(Boolean))
    if (column === undefined) columns.push({ read: new Set([classes]), shared: [...own], all: own })
    else {
      column.read.add(classes)
      column.shared = column.shared.filter((name) => own.has(name))
      for (const name of own) column.all.add(name)
    }
  }
  return columns.every(({ shared }, column) =>
    shared.some((name) => columns.every(({ all }, other) => other === column || !all.has(name))),
  )
}
