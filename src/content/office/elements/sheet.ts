import { type Element, append } from '../../html/tree.js'
import { createElement, spanAttributes } from './create-element.js'
import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import { findRegions, type SheetRegion } from './sheet-regions.js'
import type { CellRange, SheetCell } from './sheet-cell.js'
import { extendHead } from './extend-head.js'

/** Makes the whole text of a cell a link. */
function linkCell(cell: SheetCell, href: string): void {
  cell.links = [{ start: 0, end: cell.text.length, href }]
}

/** Matches the formula of a link with its address, and its text if there is one. */
const LINK_FORMULA = /^(?:[a-z]+:=)?\s*HYPERLINK\(\s*"([^"]+)"\s*(?:[,;]\s*"([^"]*)"\s*)?[,;)]/i

/**
 * Creates a cell with the link of its formula, if that is a link out of the file.
 *
 * @param text stored value of the formula; some programs store none, and then the formula states it
 */
export function linkByFormula(text: string, formula: string): SheetCell {
  const [, href, written = href] = LINK_FORMULA.exec(formula) ?? []
  if (href === undefined) return { text }
  const shown = text === '' ? (written ?? '') : text
  const cell: SheetCell = { text: shown }
  if (!href.startsWith('#')) linkCell(cell, href)
  return cell
}

/** Limits on the displayed part of a sheet. */
interface SheetLimits {
  readonly rows: number
  readonly columns: number
}

/** Maximum numbers of non-empty rows and columns that are displayed. */
const SHEET_LIMITS: SheetLimits = { rows: 10_000, columns: 200 }

/** Maximum length of a cell's text, as in office programs; longer texts are cut. */
export const MAX_CELL_LENGTH = 32_767

const MAX_CELLS = 50_000

/**
 * Budget of cells and characters for all sheets of a file. Many cells can refer to one long shared string, so neither
 * the size nor the number of cells of a file bounds the output.
 */
export class SheetBudget {
  cells = MAX_CELLS
  characters = 4_000_000

  /** True until the first cell is counted. */
  get isUnused(): boolean {
    return this.cells === MAX_CELLS
  }
}

/** Cost of a line break or a link in a cell, in characters, as it creates two nodes. */
const NODE_COST = 50

/** Maximum number of cells of the created table, empty ones included. */
const MAX_AREA = 250_000

/** Maximum number of columns of a sheet. */
export const MAX_COLUMNS = 16_384

/** Maximum number of hidden rows of a sheet, beyond which they are shown, and of characters of hidden cells that are counted. */
const MAX_HIDDEN = 1_000_000

/** Maximum number of positions that merged cells cover in one sheet. Beyond it, cells stay separate. */
const MAX_COVERED = 1_000_000

/** Maximum number of rows and cells that are looked at for the links of a sheet: each of many links may cover all of it. */
const MAX_LINK_STEPS = 1_000_000

/** Collects the non-empty cells of a sheet, and counts those that exceed the limits. */
export class Sheet {
  readonly #budget: SheetBudget
  readonly cells = new Map<number, Map<number, SheetCell>>()
  readonly merges: CellRange[] = []
  readonly hiddenRows = new Set<number>()
  readonly #hiddenColumns = new Uint8Array(MAX_COLUMNS)
  readonly #rowsHidden = new Set<number>()
  readonly #columnsHidden = new Set<number>()
  readonly #hiddenTexts: string[] = []
  #hiddenCharacters = 0
  #lastLeftOut = -1
  #rowsLeftOut = 0
  #cellsLeftOut = 0
  #cellsCut = 0
  #linkSteps = 0
  /** Number of formulas of which the file has no value, because no office program has calculated them. */
  formulasWithoutValue = 0

  constructor(
    readonly name: string,
    budget: SheetBudget,
  ) {
    this.#budget = budget
  }

  /** Sets a cell. Row and column count from 0; rows come in order. */
  set(row: number, column: number, cell: SheetCell): void {
    if (cell.text === '' || column >= MAX_COLUMNS) return
    const isInHiddenRow = this.hiddenRows.has(row)
    if (isInHiddenRow || this.#hiddenColumns[column] === 1)
      return this.#leaveOutHidden(cell, isInHiddenRow, row, column)
    const cells = this.cells.get(row)
    if (cells === undefined && this.isFull) {
      if (row !== this.#lastLeftOut) this.#rowsLeftOut += 1
      this.#lastLeftOut = row
      return
    }
    const budget = this.#budget
    if (budget.characters <= 0) {
      this.#cellsLeftOut += 1
      return
    }
    if (cell.text.length > MAX_CELL_LENGTH) {
      cell.text = cell.text.slice(0, MAX_CELL_LENGTH)
      this.#cellsCut += 1
    }
    budget.cells -= 1
    budget.characters -= cell.text.length + NODE_COST * (countLines(cell.text) + (cell.links?.length ?? 0))
    if (cells === undefined) this.cells.set(row, new Map([[column, cell]]))
    else cells.set(column, cell)
  }

  #leaveOutHidden({ text }: SheetCell, isInRow: boolean, row: number, column: number): void {
    if (isInRow) this.#rowsHidden.add(row)
    else this.#columnsHidden.add(column)
    this.#hiddenCharacters += text.length
    if (this.#hiddenCharacters <= MAX_HIDDEN) this.#hiddenTexts.push(text)
  }

  /** Leaves out the cells of a row. */
  hideRow(row: number): void {
    if (this.hiddenRows.size < MAX_HIDDEN) this.hiddenRows.add(row)
  }

  /** Leaves out the cells of columns. */
  hideColumns(first: number, count: number): void {
    for (let at = Math.max(0, first); at < Math.min(MAX_COLUMNS, first + count); at += 1) this.#hiddenColumns[at] = 1
  }

  /** Makes the non-empty cells of a range links. */
  link({ row, column, rows, columns }: CellRange, href: string): void {
    for (const cells of this.#within(this.cells, row, rows))
      for (const cell of this.#within(cells, column, columns)) linkCell(cell, href)
  }

  /** Yields the values whose keys are among `count` numbers from `first`. */
  *#within<Value>(values: ReadonlyMap<number, Value>, first: number, count: number): Generator<Value> {
    if (this.#linkSteps >= MAX_LINK_STEPS) return
    this.#linkSteps += Math.min(count, values.size)
    const keys = count < values.size ? Array.from({ length: count }, (_, at) => first + at) : values.keys()
    for (const key of keys) {
      const value = values.get(key)
      if (value !== undefined && key >= first && key < first + count) yield value
    }
  }

  /** Counts non-empty rows that are left out. */
  leaveOut(rows: number): void {
    this.#rowsLeftOut += rows
  }

  /** True if no further row is displayed. */
  get isFull(): boolean {
    return this.cells.size >= SHEET_LIMITS.rows || this.#budget.cells <= 0 || this.#budget.characters <= 0
  }

  /** Builds a heading and a table, without empty rows and columns. */
  build(warn: (sentence: string) => void): Element[] {
    const heading = createElement('h2', {}, [this.name])
    const used = [...new Set([...this.cells.values()].flatMap((cells) => [...cells.keys()]))].sort((a, b) => a - b)
    const columns = used.slice(0, SHEET_LIMITS.columns)
    const filled = [...this.cells.keys()].sort((a, b) => a - b)
    const rows = filled.slice(0, Math.max(1, Math.floor(MAX_AREA / Math.max(1, columns.length))))
    this.leaveOut(filled.length - rows.length)
    const left = [
      ...(this.#rowsLeftOut > 0 ? [`${this.#rowsLeftOut} rows`] : []),
      ...(this.#cellsLeftOut > 0 ? [`${this.#cellsLeftOut} cells`] : []),
      ...(used.length > columns.length ? [`${used.length - columns.length} columns`] : []),
    ]
    if (left.length > 0) warn(`Of the sheet “${this.name}”, ${left.join(' and ')} are left out: it is too large.`)
    if (this.#cellsCut > 0)
      warn(`In the sheet “${this.name}”, ${this.#cellsCut} cells are cut after ${MAX_CELL_LENGTH} characters.`)
    if (rows.length === 0) return [heading]
    const regions = findRegions({ rows, columns }, this)
    return [
      heading,
      ...regions.map((region) => this.#buildText(region) ?? this.#buildTable(region.rows, region.columns)),
    ]
  }

  /** Describes the hidden rows and columns with values, which are left out. @param dropped gets their text */
  describeHidden(dropped: DroppedLines): string[] {
    const [rows, columns] = [this.#rowsHidden.size, this.#columnsHidden.size]
    if (rows + columns === 0) return []
    dropped.add({ selector: 'table', text: this.#hiddenTexts.join(' '), reason: 'is in hidden rows or columns' })
    const left = [...(rows > 0 ? [counted(rows, 'row')] : []), ...(columns > 0 ? [counted(columns, 'column')] : [])]
    return [`Of the sheet “${this.name}”, ${left.join(' and ')} ${rows + columns > 1 ? 'are' : 'is'} left out: hidden.`]
  }

  /** Builds a paragraph of a cell that stands alone beside tables. */
  #buildText({ rows, columns }: SheetRegion): Element | undefined {
    const [row = -1] = rows
    const cells = [...(this.cells.get(row)?.values() ?? [])]
    const [cell] = cells
    const isText = rows.length === 1 && cells.length === 1 && columns.length > 0 && this.cells.size > 1
    return isText && cell !== undefined ? createElement('p', {}, cellContent(cell)) : undefined
  }

  #buildTable(rows: readonly number[], columns: readonly number[]): Element {
    const merges = new Map(this.merges.map((merge) => [`${merge.row} ${merge.column}`, merge]))
    const covered = new Set<number>()
    let steps = 0
    const lines = rows.map((row, at) => {
      const line = createElement('tr')
      for (const [place, column] of columns.entries()) {
        if (covered.has(at * columns.length + place)) continue
        const merge = steps > MAX_COVERED ? undefined : merges.get(`${row} ${column}`)
        const spannedColumns = merge === undefined ? 1 : countWithin(columns, place, column + merge.columns)
        const spannedRows = merge === undefined ? 1 : countWithin(rows, at, row + merge.rows)
        if (merge !== undefined) steps += spannedColumns * spannedRows
        if (merge !== undefined && steps <= MAX_COVERED)
          for (let down = at; down < at + spannedRows; down += 1)
            for (let along = place; along < place + spannedColumns; along += 1)
              covered.add(down * columns.length + along)
        const spans = steps > MAX_COVERED ? {} : spanAttributes(spannedColumns, spannedRows)
        const cell = this.cells.get(row)?.get(column)
        append(line, createElement(at === 0 ? 'th' : 'td', spans, cell === undefined ? [] : cellContent(cell)))
      }
      return line
    })
    const [head, ...body] = lines
    const table = createElement('table', {}, [
      createElement('thead', {}, head === undefined ? [] : [head]),
      ...(body.length === 0 ? [] : [createElement('tbody', {}, body)]),
    ])
    extendHead(table)
    return table
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Counts the positions from `first` inclusive to `end` exclusive. */
function countWithin(places: readonly number[], first: number, end: number): number {
  let at = first
  while (at < places.length && (places[at] ?? end) < end) at += 1
  return Math.max(1, at - first)
}

function cellContent({ text, links = [] }: SheetCell): (Element | string)[] {
  const content: (Element | string)[] = []
  let at = 0
  for (const { start, end, href } of links) {
    content.push(...linesOf(text.slice(at, start)))
    const linked = linesOf(text.slice(start, end))
    if (linked.length > 0) content.push(createElement('a', { href }, linked))
    at = end
  }
  content.push(...linesOf(text.slice(at)))
  return content
}

const linesOf = (text: string): (Element | string)[] =>
  text
    .split('\n')
    .flatMap((line, at) => (at === 0 ? [line] : [createElement('br'), line]))
    .filter((part) => part !== '')
