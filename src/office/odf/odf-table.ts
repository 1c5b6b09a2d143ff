import { type Element, append } from '../../html/tree.js'
import { boundedNumber, createElement, readSpan, spanAttributes } from '../elements/create-element.js'
import type { OpenStyles } from './odf-styles.js'
import { childrenNamed, elements, type XmlElement } from '../package/xml.js'

/** Maximum number of repetitions of a cell. Programs repeat an empty cell up to the end of a row. */
const MAX_REPEATED = 64

interface Row {
  readonly element: XmlElement
  readonly isHead: boolean
}

/**
 * Builds a table of a text or a slide.
 *
 * @param readCell appends the content of a cell to an element
 * @see OpenDocument 1.3 part 3, section 9
 */
export function readOpenTable(
  table: XmlElement,
  styles: OpenStyles,
  readCell: (cell: XmlElement, into: Element) => void,
): Element {
  const made = createElement('table')
  const rows = rowsOf(table, false)
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
      const bounds = { least: 1, most: MAX_REPEATED, otherwise: 1 }
      for (let left = boundedNumber(attributes['table:number-columns-repeated'], bounds); left > 0; left -= 1) {
        const element = createElement(isHead ? 'th' : 'td', spans)
        readCell(cell, element)
        append(line, element)
        // Only empty cells are repeated: nested tables in repeated cells would grow exponentially.
        if (element.children.length > 0) break
      }
    }
  }
  return made
}

function rowsOf(parent: XmlElement, isHead: boolean): Row[] {
  return elements(parent).flatMap((element): Row[] => {
    switch (element.name) {
      case 'table:table-row':
        return [{ element, isHead }]
      case 'table:table-header-rows':
        return rowsOf(element, true)
      case 'table:table-rows':
      case 'table:table-row-group':
        return rowsOf(element, isHead)
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
