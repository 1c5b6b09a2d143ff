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
  if (role === 'presentation' || role === 'none' || isAdmonition(table)) return true
  const contents: CellContent[] = []
  let widest = 0
  let hasHeads = false
  for (const { cells } of rows) {
    widest = Math.max(widest, cells.length)
    for (const { element, isHead } of cells) {
      hasHeads ||= isHead
      contents.push(readContent(element))
    }
  }
  // A code listing in a cell, which is one line, would lose its lines, but for a few of them below a named column.
  if (contents.some(hasListing) && !(isNamed(rows, widest) && contents.every(isShort))) return true
  if (contents.some(hasTable)) return !isNamed(rows, widest) || contents.some(hasLongTable)
  if (hasHeads || table.children.some((child) => isElement(child) && child.name === 'caption')) return false
  if (widest < 2 || contents.some(isPart)) return true
  const long = contents.filter(isLong).length
  return rows.length === 1 ? long > 0 || contents.some(hasHeading) : long * 2 > contents.length
}

/** True for a table that puts an icon beside the text of a box, as Asciidoctor writes it. */
const isAdmonition = ({ parent }: Element): boolean =>
  parent !== null && isElement(parent) && /(?:^|\s)admonitionblock(?=\s|$)/.test(parent.attribs['class'] ?? '')

/** True for a table whose first row names its columns. */
const isNamed = ([first]: readonly TableRow[], widest: number): boolean =>
  widest > 1 && first !== undefined && first.cells.length > 1 && first.cells.every(isHeadCell)

/** Facts about a cell that decide about the kind of its table, found in one walk. */
interface CellContent {
  readonly element: Element
  hasListing: boolean
  hasTable: boolean
  hasPagePart: boolean
  hasHeading: boolean
  paragraphs: number
  /** Length of the text. Characters. */
  length: number
}

function readContent(element: Element): CellContent {
  const content: CellContent = {
    element,
    hasListing: false,
    hasTable: false,
    hasPagePart: false,
    hasHeading: false,
    paragraphs: 0,
    length: 0,
  }
  walk(element, noteNode, undefined, content)
  return content
}

function noteNode(node: ChildNode, content: CellContent): boolean | 'stop' {
  if (isText(node)) content.length += node.data.length
  if (!isElement(node)) return true
  const { name } = node
  content.hasTable ||= name === 'table'
  content.hasPagePart ||= PAGE_PARTS.has(name)
  content.hasHeading ||= HEADINGS.has(name)
  if (PARAGRAPHS.has(name)) content.paragraphs += 1
  content.hasListing = name === 'pre' && textOf(node).trim().includes('\n')
  return content.hasListing ? 'stop' : true
}

const hasListing = (content: CellContent): boolean => content.hasListing
/** Maximum length of the code of a cell. Lines, characters. */
const MAX_LISTING = { lines: 12, characters: 600 }

/** True for a cell that is read at a glance, with its code. A cell with a listing has been read up to it. */
function isShort({ element, hasListing: isCode }: CellContent): boolean {
  if (!isCode) return true
  const text = textOf(element).trim()
  return text.length <= MAX_LISTING.characters && text.split('\n').length <= MAX_LISTING.lines
}

const hasTable = (content: CellContent): boolean => content.hasTable
const hasLongTable = (content: CellContent): boolean => content.hasTable && content.length > MUCH_TEXT
const hasHeading = (content: CellContent): boolean => content.hasHeading
const isLong = ({ paragraphs, length }: CellContent): boolean => paragraphs > 2 || length > MUCH_TEXT

/** True for a cell that is a part of the page. */
const isPart = (content: CellContent): boolean =>
  content.hasPagePart || (content.hasHeading && holdsPart(content.element))

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

/**
 * True if the first row names the columns: it is in the `thead`, it consists of header cells, or, in a table without
 * any, it looks like a header.
 *
 * @see docs/compatibility/documents.md#markdown
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
