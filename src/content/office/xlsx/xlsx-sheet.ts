import type { Relationship } from '../package/open-package.js'
import { linkByFormula, MAX_CELL_LENGTH, type Sheet } from '../elements/sheet.js'
import type { DroppedLines } from '../../../base/text/dropped-lines.js'
import type { CellRange, SheetCell } from '../elements/sheet-cell.js'
import { decodeEscapes, type NumberKind, showNumber } from './xlsx-values.js'
import { decodeXml, scanXml } from '../package/scan-xml.js'

/** Context that the cells of a sheet are read in. */
interface SheetContext {
  readonly strings: readonly string[]
  readonly kinds: readonly NumberKind[]
  readonly is1904: boolean
  readonly relations: ReadonlyMap<string, Relationship>
  /** Reasons by cell style why nobody sees a cell. @default cells stay */
  readonly hiding?: readonly (string | undefined)[]
  /** Gets the cells that nobody sees. */
  readonly hidden?: DroppedLines
}

/** A cell that nobody sees, unless the sheet gives it a background. */
interface UnseenCell {
  readonly row: number
  readonly column: number
  readonly shown: SheetCell
  readonly reason: string
}

type Attributes = Readonly<Record<string, string>>

/**
 * Reads a sheet as a stream of events, because its tree can be a hundred times as large as the displayed part.
 *
 * @see ECMA-376 part 1, section 18.3
 */
export function readSheet(bytes: Uint8Array, sheet: Sheet, context: SheetContext): void {
  const links: Attributes[] = []
  // Only the first cell of those that share a formula states it.
  const sharedFormulas = new Map<string, string>()
  const unseen: UnseenCell[] = []
  let isColoured = false
  // True if rows that state no height have none.
  let hidesRows = false
  let row = -1
  let column = -1
  let cell: Attributes = {}
  let value = ''
  let formula = ''
  let sharedId: string | undefined
  let isText = false
  let isReading = false
  let isFormula = false
  let hasFormula = false
  scanXml(decodeXml(bytes), {
    open(name, attributes) {
      if (name === 'x:row') {
        row = placeOf(attributes['r'], row + 1)
        column = -1
        const isLow = attributes['ht'] === undefined ? hidesRows : Number(attributes['ht']) === 0
        if (isSet(attributes['hidden']) || isLow) sheet.hideRow(row)
      } else if (name === 'x:sheetFormatPr') hidesRows = isSet(attributes['zeroHeight'])
      else if (name === 'x:col' && (isSet(attributes['hidden']) || Number(attributes['width'] ?? 1) === 0)) {
        const first = placeOf(attributes['min'], 0)
        sheet.hideColumns(first, placeOf(attributes['max'], first) - first + 1)
      } else if (name === 'x:c') {
        cell = attributes
        const reference = readReference(attributes['r'])
        column = reference?.column ?? column + 1
        row = reference?.row ?? row
        value = ''
        formula = ''
        isText = false
        hasFormula = false
      } else if (name === 'x:f') {
        isFormula = true
        hasFormula = true
        sharedId = attributes['si']
      } else if (name === 'x:v' || name === 'x:t') {
        isReading = true
        // A cached value takes precedence over inline text.
        if (name === 'x:t') isText = true
      } else if (name === 'x:tablePart' || name === 'x:conditionalFormatting' || name === 'x:picture') isColoured = true
      else if (name === 'x:mergeCell') {
        const merge = readRange(attributes['ref'])
        if (merge !== undefined && sheet.merges.length < MAX_MERGES) sheet.merges.push(merge)
      } else if (name === 'x:hyperlink' && links.length < MAX_MERGES) links.push(attributes)
    },
    text(data) {
      if (isReading && value.length < MAX_CELL_LENGTH) value += data
      else if (isFormula && formula.length < MAX_CELL_LENGTH) formula += data
    },
    close(name) {
      if (name === 'x:v' || name === 'x:t') isReading = false
      else if (name === 'x:f') {
        isFormula = false
        if (sharedId !== undefined && formula === '') formula = sharedFormulas.get(sharedId) ?? ''
        else if (sharedId !== undefined) sharedFormulas.set(sharedId, formula)
      } else if (name === 'x:c' && row >= 0) {
        const shown = linkByFormula(isText ? decodeEscapes(value) : showValue(value, cell, context), formula)
        // Texts may be empty, and have a type.
        if (hasFormula && shown.text === '' && (cell['t'] ?? 'n') === 'n') sheet.formulasWithoutValue += 1
        const reason = context.hiding?.[Number(cell['s'] ?? '0')]
        if (reason !== undefined && shown.text !== '') unseen.push({ row, column, shown, reason })
        else sheet.set(row, column, shown)
      }
    },
  })
  for (const { row: at, column: within, shown, reason } of unseen) {
    // Tables, rules and pictures give cells a background that their own style does not state.
    if (isColoured || context.hidden === undefined) sheet.set(at, within, shown)
    else context.hidden.add({ selector: 'table', text: shown.text, reason, isHidden: true })
  }
  for (const link of links) placeLink(link, sheet, context)
}

const MAX_MERGES = 50_000

const isSet = (flag: string | undefined): boolean => flag === '1' || flag === 'true'

const placeOf = (written: string | undefined, otherwise: number): number => {
  const number = Number.parseInt(written ?? '', 10)
  return number >= 1 && number <= 10_000_000 ? number - 1 : otherwise
}

function showValue(value: string, { t, s }: Attributes, { strings, kinds, is1904 }: SheetContext): string {
  switch (t) {
    case 's':
      return value === '' ? '' : (strings[Number(value)] ?? '')
    case 'b':
      return value === '1' || value === 'true' ? 'TRUE' : value === '' ? '' : 'FALSE'
    case 'd':
      return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ')
    case 'str':
    case 'e':
    case 'inlineStr':
      return value
    default:
      return showNumber(value, kinds[Number(s ?? '0')] ?? { kind: 'number' }, is1904)
  }
}

function placeLink(link: Attributes, sheet: Sheet, { relations }: SheetContext): void {
  const range = readRange(link['ref'])
  const relation = relations.get(link['r:id'] ?? '')
  if (range === undefined || relation?.isExternal !== true) return
  const place = link['location']
  sheet.link(range, `${relation.target}${place === undefined ? '' : `#${place}`}`)
}

/** Parses a cell reference such as `AB12` to row and column, from 0. */
function readReference(reference: string | undefined): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,8})$/i.exec(reference ?? '') ?? []
  if (letters === undefined || digits === undefined) return undefined
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits) - 1, column: column - 1 }
}

function readRange(reference: string | undefined): CellRange | undefined {
  const [from, to] = (reference ?? '').split(':')
  const first = readReference(from)
  const last = to === undefined ? first : readReference(to)
  if (first === undefined || last === undefined || last.row < first.row || last.column < first.column) return undefined
  return { ...first, rows: last.row - first.row + 1, columns: last.column - first.column + 1 }
}
