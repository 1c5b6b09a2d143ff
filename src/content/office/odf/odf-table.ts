import { type Element, append } from '../../html/tree.js'
import { boundedNumber, createElement, readSpan, spanAttributes } from '../elements/create-element.js'
import { extendHead } from '../elements/extend-head.js'
import type { OpenStyles } from './odf-styles.js'
import { childrenNamed, descendants, elements, type XmlElement, xmlText } from '../package/xml.js'

/** Maximum number of repetitions of a cell or a row. Programs repeat an empty cell up to the end of a row. */
const MAX_REPEATED = 64

/** Number of elements and characters that repetitions may still add to a file: a hostile one may repeat every cell. */
export class CellRepeats {
  left = 500_000
  /** True if text is shown fewer times than the file says. */
  isCut = false
}

interface Row {
  readonly element: XmlElement
  readonly isHead: boolean
}

/** Properties of the file that a table is read with. */
interface TableContext {
  readonly styles: OpenStyles
  readonly repeats: CellRepeats
}

/**
 * Builds a table of a text or a slide.
 *
 * @param readCell appends the content of a cell to an element
 * @see OpenDocument 1.3 part 3, section 9
 */
export function readOpenTable(
  table: XmlElement,
  { styles, repeats }: TableContext,
  readCell: (cell: XmlElement, into: Element) => void,
): Element {
  const made = createElement('table')
  const rows = rowsOf(table, false, repeats)
  const [first] = rows
  const isNamed = first !== undefined && rows.length > 1 && !first.isHead && isHeaderRow(first.element, table, styles)
  let part: Element | undefined
  for (const [at, row] of rows.entries()) {
    const isHead = row.isHead || (isNamed && at === 0)
    const name = isHead ? 'thead' : 'tbody'
    if (part?.name !== name) {
      part = createElement(name)
      append(made, part)
    }
    const line = createElement('tr')
    append(part, line)
    for (const cell of childrenNamed(row.element, 'table:table-cell')) {
      const { attributes } = cell
      const columns = readSpan(attributes['table:number-columns-spanned'])
      const spans = spanAttributes(columns, readSpan(attributes['table:number-rows-spanned']))
      for (let left = countRepeats(cell, 'table:number-columns-repeated', repeats); left > 0; left -= 1) {
        const element = createElement(isHead ? 'th' : 'td', spans)
        readCell(cell, element)
        append(line, element)
      }
    }
  }
  extendHead(made)
  return made
}

/** Returns how many times a cell or a row is shown. */
function countRepeats(element: XmlElement, attribute: string, repeats: CellRepeats): number {
  const asked = boundedNumber(element.attributes[attribute], { least: 1, most: Infinity, otherwise: 1 })
  if (asked === 1) return 1
  const possible = Math.min(asked, MAX_REPEATED)
  const added = sizeOf(element) * (possible - 1)
  // Tables in repeated cells would grow exponentially.
  const shown = added > repeats.left || descendants(element, 'table:table').length > 0 ? 1 : possible
  if (shown > 1) repeats.left -= added
  if (shown < asked && xmlText(element).trim() !== '') repeats.isCut = true
  return shown
}

/** Counts the elements and characters of an element. */
const sizeOf = ({ children }: XmlElement): number =>
  children.reduce((size, node) => size + (typeof node === 'string' ? node.length : sizeOf(node)), 1)

function rowsOf(parent: XmlElement, isHead: boolean, repeats: CellRepeats): Row[] {
  return elements(parent).flatMap((element): Row[] => {
    switch (element.name) {
      case 'table:table-row': {
        const holdsText = descendants(element, 'text:p', 'text:h').length > 0
        const count = holdsText ? countRepeats(element, 'table:number-rows-repeated', repeats) : 1
        return Array.from({ length: count }, () => ({ element, isHead }))
      }
      case 'table:table-header-rows':
        return rowsOf(element, true, repeats)
      case 'table:table-rows':
      case 'table:table-row-group':
        return rowsOf(element, isHead, repeats)
      default:
        return []
    }
  })
}

/** Tests if the first row is a header row: by the style of its cells, or by a flag of the table. */
function isHeaderRow(row: XmlElement, table: XmlElement, styles: OpenStyles): boolean {
  if (table.attributes['table:use-first-row-styles'] === 'true') return true
  const paragraphs = childrenNamed(row, 'table:table-cell').flatMap((cell) => childrenNamed(cell, 'text:p'))
  return (
    paragraphs.length > 0 &&
    paragraphs.every(({ attributes }) => styles.paragraphStyle(attributes['text:style-name']).isTableHeading)
  )
}
