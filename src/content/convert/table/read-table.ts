import { type Element, findElement, isElement, parentElement, textOf } from '../../html/tree.js'
import type { Alignment, ViewNode } from '../markdown-view.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'
import { isNumbersCell } from '../text/code-frame.js'
import { codeText, isGutter } from '../text/code-text.js'
import { codeLanguage } from '../text/code-language.js'
import { equationsIn } from '../math/read-equations.js'
import { addFormula } from '../math/read-formula.js'
import { keepsLineBreaks } from '../text/white-space.js'
import { readSign } from './read-sign.js'
import { hasHeader, isLayout } from '../../html/table-kind.js'
import { type TableCell, type TableRow, placeCells, readRows } from '../../html/table-grid.js'

/**
 * Reads a table: rows and columns for a data table, one block after another for a layout table, code for a table
 * whose rows are lines of code beside their numbers, and formulas for one that lays these out.
 *
 * @see https://github.github.com/gfm/#tables-extension-
 */
export const readTable: ElementReader = (element, context) => {
  const rows = readRows(element, isGutterCell)
  if (element.name !== 'table' && (isInRoles(element) || !holdAll(rows, element))) return context.readChildren(element)
  const { view } = context
  if (view.inCell) return readNested(rows, context)
  for (const child of element.children) if (isElement(child) && child.name === 'caption') context.read(child)
  const { titles, lines } = splitTitles(rows)
  if (isListing(element, lines)) {
    for (const title of titles) readLine(title.element, context)
    // Highlighters that use a table write non-breaking spaces, so that indentation does not collapse.
    const language = codeLanguage(element, context.language)
    const code = lines.map(({ cells }) => cells.map((cell) => codeText(cell.element, language)).join('')).join('\n')
    return view.leaf('codeBlock', code.replaceAll('\u00A0', ' '), { language })
  }
  const equations = equationsIn(element, rows)
  if (equations !== undefined) return equations.forEach((tex) => addFormula(tex, true, view))
  const grid = placeCells(rows)
  if (grid === undefined || isLayout(element, rows)) {
    for (const { cells } of rows) for (const cell of cells) readLine(cell.element, context)
    return
  }
  readGrid(rows, grid, context)
}

const isGutterCell = (cell: Element): boolean => isGutter(cell) || isNumbersCell(cell)

/** Reads a table that is made of other elements: see {@link readCellGrid}. */
export function readCellTable(rows: readonly TableRow[], context: ReadingContext): void {
  if (context.view.inCell) return readNested(rows, context)
  readGrid(rows, rows.map(cellsOf), context)
}

const cellsOf = ({ cells }: TableRow): readonly TableCell[] => cells

/** The cells of a table by rows and columns. */
type Grid = readonly (readonly (TableCell | undefined)[])[]

function readGrid(rows: readonly TableRow[], grid: Grid, context: ReadingContext): void {
  const { view } = context
  const nodes = new Map<Element, ViewNode>()
  // Filled when the cells are read.
  const places: (ViewNode | undefined)[][] = []
  const table = view.openBlock('table', {
    rows: places,
    hasHeader: hasHeader(rows),
    alignments: alignmentsOf(grid),
  })
  view.inCell = true
  for (const { cells } of rows) for (const { element } of cells) nodes.set(element, readCell(element, context))
  view.inCell = false
  view.closeBlock(table)
  for (const row of grid) {
    const line: (ViewNode | undefined)[] = []
    for (const cell of row) line.push(cell && nodes.get(cell.element))
    places.push(line)
  }
}

function readCell(element: Element, context: ReadingContext): ViewNode {
  const { view } = context
  const block = view.openBlock('cell')
  const sign = readSign(element, context.language)
  if (sign === undefined) readContents(element, context)
  else view.text(sign)
  view.closeBlock(block)
  return block.node
}

function readLine(cell: Element, context: ReadingContext): void {
  context.view.endLine()
  readContents(cell, context)
  context.view.endLine()
}

/** Reads the contents of a cell. They keep their line breaks if the style of their row or of a group of rows says so. */
function readContents(cell: Element, context: ReadingContext): void {
  const { view } = context
  const isWithin = view.keepsLines
  const row = parentElement(cell)
  const group = row && row.name !== 'table' ? parentElement(row) : undefined
  view.keepsLines = partKeepsLines(row) ?? partKeepsLines(group) ?? isWithin
  context.readChildren(cell)
  view.keepsLines = isWithin
}

/** Line breaks by row and group of rows. A style may have any length, and each of the cells asks for it. */
const kept = new WeakMap<Element, { readonly keepsLines: boolean | undefined }>()

function partKeepsLines(part: Element | undefined): boolean | undefined {
  const style = part?.attribs['style']
  if (part === undefined || style === undefined) return undefined
  const known = kept.get(part) ?? { keepsLines: keepsLineBreaks(style) }
  kept.set(part, known)
  return known.keepsLines
}

/** Splits the rows above a listing, which name its file, from its lines. */
function splitTitles(rows: readonly TableRow[]): {
  readonly titles: readonly TableCell[]
  readonly lines: readonly TableRow[]
} {
  const first = rows.findIndex(({ cells }) => cells.length !== 1 || cells[0]?.element.name !== 'th')
  return first <= 0
    ? { titles: [], lines: rows }
    : { titles: rows.slice(0, first).flatMap(({ cells }) => cells), lines: rows.slice(first) }
}

/** True if the cells of an ARIA table contain all of its text: many a page sets the roles on a part of it only. */
function holdAll(rows: readonly TableRow[], table: Element): boolean {
  const lengthOf = (element: Element): number => textOf(element).replace(/\s+/g, '').length
  const inCells = rows.reduce((sum, { cells }) => cells.reduce((more, cell) => more + lengthOf(cell.element), sum), 0)
  return rows.length > 0 && inCells === lengthOf(table)
}

/** True for a table inside another ARIA table: nested ones would each be measured to their end. */
function isInRoles({ parent }: Element): boolean {
  for (let at = parent; at !== null && isElement(at); at = at.parent)
    if (at.name !== 'table' && at.attribs['role'] === 'table') return true
  return false
}

/** Reads a table in a cell, with a line for each row. */
function readNested(rows: readonly TableRow[], context: ReadingContext): void {
  const { view } = context
  for (const { cells } of rows) {
    view.endLine()
    for (const { element } of cells) {
      readContents(element, context)
      view.text(' ')
    }
    view.endLine()
  }
}

/** Returns the alignment of each column, as its first cell states it, or else its second. */
function alignmentsOf(grid: Grid): (Alignment | undefined)[] {
  const [first = [], second = []] = grid
  return first.map((cell, at) => alignmentIn(cell) ?? alignmentIn(second[at]))
}

function alignmentIn(cell: TableCell | undefined): Alignment | undefined {
  const { align, style } = cell?.element.attribs ?? {}
  const stated = align ?? (style === undefined ? undefined : TEXT_ALIGN.exec(style)?.[1])
  const alignment = stated?.toLowerCase()
  return alignment === undefined ? undefined : ALIGNMENTS.find((one) => one === alignment)
}

const TEXT_ALIGN = /(?:^|;)\s*text-align\s*:\s*(\w+)/i
const ALIGNMENTS: readonly Alignment[] = ['left', 'center', 'right']

/**
 * True for a code listing: each row is a line of code beside its number, or the only row has all lines beside all
 * numbers.
 */
const isListing = (table: Element, rows: readonly TableRow[]): boolean =>
  rows.every(({ cells }) => cells.length === 1) &&
  tableCells(table).some((cell) => isGutter(cell)) &&
  (rows.length > 1 || rows.some(({ cells }) => cells.some(({ element }) => holdsNoPre(element))))

const holdsNoPre = (cell: Element): boolean => findElement(cell, ({ name }) => name === 'pre') === undefined

const tableCells = (table: Element): Element[] =>
  table.children
    .filter(isElement)
    .flatMap((part) => (part.name === 'tr' ? [part] : part.children.filter(isElement)))
    .flatMap((row) => row.children.filter(isElement))
