import { append, type Element, isElement, setChildren } from '../../html/tree.js'
import { takeChildren } from './create-element.js'

/**
 * Moves rows into the head of a table until no cell of the head spans rows below it. HTML ends a cell with its
 * `thead`, so that the cells of the next row would stand one column too far to the left. A head of all rows becomes
 * the body.
 *
 * @see https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
 */
export function extendHead(table: Element): void {
  const [head, body] = table.children.filter(isElement)
  if (head?.name !== 'thead' || body?.name !== 'tbody') return
  const rows = [head, body].map((part) => part.children.filter(isElement))
  const heads = rows[0]?.length ?? 0
  const all = rows.flat()
  let end = heads
  for (let at = 0; at < end && end < all.length; at += 1) end = Math.max(end, at + tallestOf(all[at]))
  if (end === heads) return
  const target = end >= all.length ? body : head
  takeChildren(head)
  takeChildren(body)
  for (const [at, row] of all.entries()) append(at < end ? target : body, row)
  for (const row of all.slice(heads, end))
    for (const cell of row.children) if (target === head && isElement(cell)) cell.name = 'th'
  if (target === body)
    setChildren(
      table,
      table.children.filter((part) => part !== head),
    )
}

/** Returns the largest number of rows that a cell of a row spans. */
function tallestOf(row: Element | undefined): number {
  const spans = (row?.children ?? []).filter(isElement).map(({ attribs }) => Number(attribs['rowspan'] ?? '1'))
  return Math.max(1, ...spans)
}
