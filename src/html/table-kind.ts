import { type ChildNode, type Element, findElement, isElement, isText, textOf, walk } from './tree.js'
import type { TableCell, TableRow } from './table-grid.js'

/** Elements that no data cell contains. */
const PAGE_PARTS = new Set(['table', 'hr', 'article', 'section', 'form', 'details'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote'])
const PARAGRAPHS = new Set(['p', 'li', 'dd'])
const MUCH_TEXT = 400
/** Maximum nodes in a cell of a table that is made of other elements. */
const MAX_NODES = 200

/** True for a layout table, whose cells contain parts of the page. */
export function isLayout(table: Element, rows: readonly TableRow[]): boolean {
  const { role } = table.attribs
  if (role === 'presentation' || role === 'none') return true
  const cells = rows.flatMap((row) => row.cells)
  // A code listing in a cell, which is one line, would lose its lines.
  if (cells.some(({ element }) => holdsListing(element))) return true
  const widest = rows.reduce((most, row) => Math.max(most, row.cells.length), 0)
  const hasHeads = cells.some(({ isHead }) => isHead)
  const [first] = rows
  const isNamed =
    widest > 1 && first !== undefined && first.cells.length > 1 && first.cells.every(({ isHead }) => isHead)
  if (cells.some(holdsTable)) return !isNamed || cells.some((cell) => holdsTable(cell) && isMuch(cell.element))
  if (hasHeads || table.children.some((child) => isElement(child) && child.name === 'caption')) return false
  if (widest < 2 || cells.some(({ element }) => holds(element, PAGE_PARTS) || holdsPart(element))) return true
  const long = cells.filter(({ element }) => holdsParagraphs(element) || isMuch(element))
  return rows.length === 1 ? long.length > 0 || holdsHeading(cells) : long.length * 2 > cells.length
}

const holds = (element: Element, names: ReadonlySet<string>): boolean =>
  findElement(element, ({ name }) => names.has(name)) !== undefined

const holdsTable = ({ element }: TableCell): boolean =>
  findElement(element, ({ name }) => name === 'table') !== undefined

const holdsListing = (element: Element): boolean =>
  findElement(element, (inner) => inner.name === 'pre' && textOf(inner).trim().includes('\n')) !== undefined

const holdsHeading = (cells: readonly TableCell[]): boolean => cells.some(({ element }) => holds(element, HEADINGS))

/** True for a cell with a heading or a quote and more beside it: it is a part of the page, and no name in bold. */
function holdsPart(cell: Element): boolean {
  const heading = findElement(cell, ({ name }) => HEADINGS.has(name))
  return heading !== undefined && textOf(heading).trim().length < textOf(cell).trim().length
}

/**
 * True for an element that is no cell: it contains a section, a heading, an entry of a list, a listing, or much. No more than a few nodes
 * are read.
 */
export function isPartOfPage(cell: Element): boolean {
  const search: PartSearch = { nodes: 0, text: 0, isPart: false }
  walk(cell, findPart, undefined, search)
  return search.isPart
}

interface PartSearch {
  nodes: number
  text: number
  isPart: boolean
}

function findPart(node: ChildNode, search: PartSearch): boolean | 'stop' {
  search.nodes += 1
  if (isText(node)) search.text += node.data.length
  else if (isElement(node))
    search.isPart = PAGE_PARTS.has(node.name) || HEADINGS.has(node.name) || node.name === 'li' || node.name === 'pre'
  search.isPart ||= search.nodes > MAX_NODES || search.text > MUCH_TEXT
  return search.isPart ? 'stop' : true
}

const isMuch = (element: Element): boolean => textOf(element).length > MUCH_TEXT

function holdsParagraphs(cell: Element): boolean {
  let found = 0
  return findElement(cell, ({ name }) => PARAGRAPHS.has(name) && ++found > 2) !== undefined
}

/**
 * True if the first row names the columns: it is in the `thead`, it consists of header cells, or, in a table without
 * any, it looks like a header.
 *
 * @see docs/compatibility.md#markdown
 */
export function hasHeader(rows: readonly TableRow[]): boolean {
  const [first] = rows
  if (first === undefined) return false
  if (first.inHead) return true
  if (first.cells.some(isHeadCell)) return first.cells.every(isHeadCell)
  if (rows.length < 2 || rows.some(hasHeadCell)) return false
  return first.cells.length > 1 && first.cells.every(holdsName)
}

const isHeadCell = ({ isHead }: TableCell): boolean => isHead

const hasHeadCell = ({ cells }: TableRow): boolean => cells.some(isHeadCell)

const holdsName = ({ element }: TableCell): boolean => isName(textOf(element))

const isName = (text: string): boolean => text.trim() !== '' && text.trim().length <= 60
