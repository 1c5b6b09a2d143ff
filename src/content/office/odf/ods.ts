import type { Element } from '../../html/tree.js'
import { boundedNumber, type OfficeContent, textOfParts } from '../elements/create-element.js'
import { DroppedLines } from '../../../base/text/dropped-lines.js'
import { readAddress } from './odf-line.js'
import { openOpenDocument } from './odf-package.js'
import { linkByFormula, MAX_COLUMNS, Sheet, SheetBudget } from '../elements/sheet.js'
import type { CellLink, SheetCell } from '../elements/sheet-cell.js'
import { EMPTY_WORKBOOK_WARNING, formulaWarnings, hiddenWarning } from '../warnings.js'
import { showPercent, showPlain } from '../xlsx/xlsx-values.js'
import { child, childrenNamed, descendants, elements, type XmlElement, type XmlNode } from '../package/xml.js'

/** Reads an OpenDocument spreadsheet: a heading and a table for each sheet that is not hidden. */
export function readOds(body: Uint8Array): OfficeContent {
  const document = openOpenDocument(body)
  const hiddenStyles = findHiddenStyles(document.content)
  const content: Element[] = []
  const warnings: string[] = [...document.warnings]
  const hidden: string[] = []
  const dropped = new DroppedLines()
  const hiddenBudget = new SheetBudget()
  const budget = new SheetBudget()
  const hiddenParts: string[] = []
  let formulasWithoutValue = 0
  for (const table of childrenNamed(document.body, 'table:table')) {
    const name = table.attributes['table:name'] ?? ''
    if (hiddenStyles.has(table.attributes['table:style-name'] ?? '')) {
      hidden.push(name)
      const sheet = new Sheet(name, hiddenBudget)
      readRows(table, sheet, { row: 0 })
      dropped.add({ selector: 'table', text: textOfParts(sheet.build(() => undefined)), reason: 'is a hidden sheet' })
      continue
    }
    const sheet = new Sheet(name, budget)
    hideColumns(table, sheet, { column: 0 })
    readRows(table, sheet, { row: 0 })
    hiddenParts.push(...sheet.describeHidden(dropped))
    formulasWithoutValue += sheet.formulasWithoutValue
    content.push(...sheet.build((sentence) => void warnings.push(sentence)))
  }
  const isWhole = warnings.length === 0 && hiddenBudget.cells > 0 && hiddenBudget.characters > 0
  if (hidden.length > 0) warnings.push(hiddenWarning('sheet', hidden))
  warnings.push(...hiddenParts)
  warnings.push(...formulaWarnings(formulasWithoutValue))
  if (budget.isUnused) warnings.push(EMPTY_WORKBOOK_WARNING)
  const { metadata, sourceBytes } = document
  return { content, metadata, warnings, sourceBytes, dropped: isWhole ? dropped : undefined }
}

const findHiddenStyles = (content: XmlElement): ReadonlySet<string> =>
  new Set(
    descendants(child(content, 'office:automatic-styles'), 'style:style')
      .filter((style) => child(style, 'style:table-properties')?.attributes['table:display'] === 'false')
      .map(({ attributes }) => attributes['style:name'] ?? ''),
  )

/** Maximum repetitions of a row. */
const MAX_ROWS_REPEATED = 1000

function readRows(parent: XmlElement, sheet: Sheet, place: { row: number }): void {
  for (const element of elements(parent)) {
    if (element.name !== 'table:table-row') {
      if (/^table:table-(?:rows|row-group|header-rows)$/.test(element.name)) readRows(element, sheet, place)
      continue
    }
    const repeated = countIn(element.attributes['table:number-rows-repeated'])
    if (sheet.isFull) {
      // Rows beyond the limit are only counted: placing their cells would take thousands of steps for each row.
      if (holdsCell(element)) sheet.leaveOut(repeated)
      place.row += repeated
      continue
    }
    sheet.formulasWithoutValue += childrenNamed(element, 'table:table-cell').filter(hasNoValue).length
    const cells = readCells(element)
    const isHidden = isCollapsed(element)
    if (isHidden) for (let at = 0; at < Math.min(repeated, MAX_ROWS_REPEATED); at += 1) sheet.hideRow(place.row + at)
    if (cells.length > 0) {
      const times = Math.min(repeated, MAX_ROWS_REPEATED)
      for (let at = 0; at < times; at += 1)
        for (const { column, cell } of cells) sheet.set(place.row + at, column, { ...cell })
      if (!isHidden) sheet.leaveOut(repeated - times)
      for (const { column, rows, columns } of cells)
        if (rows > 1 || columns > 1) sheet.merges.push({ row: place.row, column, rows, columns })
    }
    place.row += repeated
  }
}

/** True for rows and columns that are hidden, by hand or by a filter. */
const isCollapsed = ({ attributes }: XmlElement): boolean =>
  /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')

function hideColumns(parent: XmlElement, sheet: Sheet, place: { column: number }): void {
  for (const element of elements(parent)) {
    if (/^table:table-(?:columns|column-group|header-columns)$/.test(element.name)) hideColumns(element, sheet, place)
    if (element.name !== 'table:table-column') continue
    const repeated = countIn(element.attributes['table:number-columns-repeated'])
    if (isCollapsed(element)) sheet.hideColumns(place.column, repeated)
    place.column += repeated
  }
}

interface PlacedCell {
  readonly column: number
  readonly cell: SheetCell
  readonly rows: number
  readonly columns: number
}

/** Lists the non-empty cells of a row. */
function readCells(row: XmlElement): PlacedCell[] {
  const found: PlacedCell[] = []
  let column = 0
  for (const element of elements(row)) {
    if (column >= MAX_COLUMNS) break
    const { attributes, name } = element
    if (name !== 'table:table-cell' && name !== 'table:covered-table-cell') continue
    const repeated = countIn(attributes['table:number-columns-repeated'])
    const cell: SheetCell = name === 'table:table-cell' ? readCell(element) : { text: '' }
    if (cell.text !== '') {
      const rows = countIn(attributes['table:number-rows-spanned'])
      const columns = countIn(attributes['table:number-columns-spanned'])
      for (let at = column; at < Math.min(column + repeated, MAX_COLUMNS); at += 1)
        found.push({ column: at, cell, rows, columns })
    }
    column += repeated
  }
  return found
}

const hasNoValue = (cell: XmlElement): boolean =>
  cell.attributes['table:formula'] !== undefined &&
  cell.attributes['office:value-type'] === undefined &&
  readCell(cell).text === ''

const holdsCell = (row: XmlElement): boolean =>
  elements(row).some((element) => element.name === 'table:table-cell' && readCell(element).text !== '')

const countIn = (value: string | undefined): number =>
  boundedNumber(value, { least: 1, most: 10_000_000, otherwise: 1 })

/** Reads the displayed text of a cell with its links, or with the link of its formula. */
function readCell(cell: XmlElement): SheetCell {
  const shown = readText(cell)
  const text = showValue(cell.attributes, shown.text)
  const [first] = shown.links
  if (first === undefined) return linkByFormula(text, cell.attributes['table:formula'] ?? '')
  // The positions of the links do not apply to a number that is shown instead of the text.
  return { text, links: text === shown.text ? shown.links : [{ ...first, start: 0, end: text.length }] }
}

/**
 * Returns the displayed value of a cell: dates in ISO 8601, other numbers with all their digits unless more than digits is
 * displayed, otherwise its text.
 *
 * @param shown text of the cell, which programs may leave out
 */
function showValue(attributes: XmlElement['attributes'], shown: string): string {
  const value = attributes['office:value'] ?? ''
  if (attributes['calcext:value-type'] === 'error') return shown
  switch (attributes['office:value-type']) {
    case 'float':
      return value === '' || hasAddition(shown) ? shown : showFloat(value)
    case 'percentage':
      return Number.isFinite(Number(value || Number.NaN)) ? showPercent(Number(value)) : shown
    case 'currency':
      return shown || (value && `${showFloat(value)} ${attributes['office:currency'] ?? ''}`.trim())
    case 'date':
      return (attributes['office:date-value'] ?? shown)
        .replace(/T00:00:00(?:\.0+)?$/, '')
        .replace('T', ' ')
        .replace(/(\d\d:\d\d):00(?:\.0+)?$/, '$1')
    case 'time':
      return showTime(attributes['office:time-value']) ?? shown
    case 'boolean':
      return attributes['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE'
    default:
      return shown === '' ? (attributes['office:string-value'] ?? '') : shown
  }
}

/** Tests if the displayed number has a unit, a sign, leading zeros, or separators as telephone numbers have, or is a word. */
const hasAddition = (shown: string): boolean =>
  /\d|^\p{L}/u.test(shown) && /[\p{L}\p{Sc}]|[°%#]|^\+|^0\d|\d[)-]\s?\d/u.test(shown.replace(/(\d)E(?=[+-]?\d)/i, '$1'))

const showFloat = (value: string): string => (Number.isFinite(Number(value)) ? showPlain(value) : value)

/** Formats a duration: `PT12H30M00S` as `12:30`. @see https://en.wikipedia.org/wiki/ISO_8601#Durations */
function showTime(span: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = /^PT(\d{1,9})H(\d{1,2})M(\d{1,2})(?:[.,]\d+)?S$/.exec(span ?? '') ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const time = `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`
  return Number(seconds) === 0 ? time : `${time}:${seconds?.padStart(2, '0')}`
}

/** Reads the paragraphs of a cell, one a line, and its links out of the file. */
function readText(cell: XmlElement): { readonly text: string; readonly links: readonly CellLink[] } {
  let text = ''
  const links: CellLink[] = []
  const visit = (node: XmlNode): void => {
    if (typeof node === 'string') text += node.replace(/[ \t\r\n]+/g, ' ')
    else if (node.name === 'text:s' || node.name === 'text:tab') text += ' '
    else if (node.name === 'text:line-break') text += '\n'
    else {
      const start = text.length
      node.children.forEach(visit)
      const href = node.name === 'text:a' ? readAddress(node.attributes['xlink:href']) : undefined
      if (href !== undefined && !href.startsWith('#') && start >= (links.at(-1)?.end ?? 0) && text.length > start)
        links.push({ start, end: text.length, href })
    }
  }
  for (const [at, paragraph] of childrenNamed(cell, 'text:p').entries()) {
    if (at > 0) text += '\n'
    visit(paragraph)
  }
  return { text, links }
}
