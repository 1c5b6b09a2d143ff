import { type Element, append, textOf } from '../../html/tree.js'
import { boundedNumber, createElement, readSpan, spanAttributes } from '../elements/create-element.js'
import { extendHead } from '../elements/extend-head.js'
import { at, child, childrenNamed, type XmlElement, type XmlNode } from '../package/xml.js'

interface PlacedCell {
  readonly element: Element
  readonly columns: number
  rows: number
}

/**
 * Builds a table. Vertically merged cells become one cell with `rowspan`. Deleted rows and cells are left out.
 *
 * @param readCell appends the content of a cell to an element
 * @see ECMA-376 part 1, section 17.4
 */
export function readWordTable(
  table: XmlElement,
  readCell: (content: readonly XmlNode[], into: Element) => void,
): Element {
  // Cells by their first column, which the next row may extend downwards.
  let above = new Map<number, PlacedCell>()
  const rows: { readonly element: Element; readonly isHead: boolean; readonly cells: PlacedCell[] }[] = []
  for (const row of childrenNamed(table, 'w:tr')) {
    const properties = child(row, 'w:trPr')
    if (child(properties, 'w:del') !== undefined) continue
    const below = new Map<number, PlacedCell>()
    const cells: PlacedCell[] = []
    let column = skipped(properties, 'w:gridBefore')
    if (column > 0) cells.push(place(createElement('td'), column))
    for (const cell of childrenNamed(row, 'w:tc')) {
      const facts = child(cell, 'w:tcPr')
      if (child(facts, 'w:cellDel') !== undefined) continue
      const columns = readSpan(child(facts, 'w:gridSpan')?.attributes['w:val'])
      const merged = child(facts, 'w:vMerge')
      const upper = merged !== undefined && merged.attributes['w:val'] !== 'restart' ? above.get(column) : undefined
      if (upper === undefined) {
        const placed = place(createElement('td'), columns)
        readCell(cell.children, placed.element)
        cells.push(placed)
        if (merged !== undefined) below.set(column, placed)
      } else {
        upper.rows += 1
        below.set(column, upper)
      }
      column += columns
    }
    above = below
    // A row of which every cell was deleted.
    if (column === 0) continue
    const header = child(properties, 'w:tblHeader')
    rows.push({
      element: createElement('tr'),
      isHead: header !== undefined && !/^(?:0|false|off)$/.test(header.attributes['w:val'] ?? ''),
      cells,
    })
  }
  if (rows[0] !== undefined && isHeaderRow(table, rows)) rows[0] = { ...rows[0], isHead: true }
  return build(rows)
}

const place = (element: Element, columns: number): PlacedCell => ({ element, columns, rows: 1 })

const skipped = (properties: XmlElement | undefined, name: string): number =>
  boundedNumber(child(properties, name)?.attributes['w:val'], { least: 0, most: 1000, otherwise: 0 })

function build(rows: readonly { element: Element; isHead: boolean; cells: readonly PlacedCell[] }[]): Element {
  const table = createElement('table')
  let part: Element | undefined
  let isInHead = true
  for (const { element, isHead, cells } of rows) {
    isInHead &&= isHead
    const name = isInHead ? 'thead' : 'tbody'
    if (part?.name !== name) {
      part = createElement(name)
      append(table, part)
    }
    append(part, element)
    for (const cell of cells) {
      if (isInHead) cell.element.name = 'th'
      Object.assign(cell.element.attribs, spanAttributes(cell.columns, cell.rows))
      append(element, cell.element)
    }
  }
  extendHead(table)
  return table
}

const MAX_NAME_LENGTH = 80

/**
 * Tests if the first row is a header row: the table has the flag for it, and the row looks like column names. The flag
 * alone is not enough, because programs set it on nearly every table.
 */
function isHeaderRow(
  table: XmlElement,
  rows: readonly { readonly isHead: boolean; readonly cells: readonly PlacedCell[] }[],
): boolean {
  const look = at(table, 'w:tblPr', 'w:tblLook')?.attributes
  const isAsked =
    look?.['w:firstRow'] === undefined
      ? (Number.parseInt(look?.['w:val'] ?? '0', 16) & 0x20) !== 0
      : /^(?:1|true|on)$/.test(look['w:firstRow'])
  const [first] = rows
  return (
    isAsked &&
    rows.length > 1 &&
    first !== undefined &&
    first.cells.length > 1 &&
    !rows.some(({ isHead }) => isHead) &&
    first.cells.every(({ element }) => textOf(element).length <= MAX_NAME_LENGTH)
  )
}
