import { type Element, findElement, hasText, isHeading } from '../../html/tree.js'
import { type ElementReader, readLines } from '../ast/element-reader.js'

/**
 * Reads a heading: always one line; in a table cell, which cannot contain one, bold text.
 *
 * @see https://spec.commonmark.org/0.31.2/#atx-headings
 */
export const readHeading: ElementReader = (element, context) => {
  const { view } = context
  if (view.inHeading) return context.readChildren(element)
  if (view.inCell) {
    view.endLine()
    context.readMarked('strong', element)
    return view.endLine()
  }
  view.inHeading = true
  view.hasHeadingText = hasText(element)
  context.readBlock('heading', { level: levelOf(element) }, element)
  view.inHeading = false
}

/**
 * Reads an element with the role of a heading. Some pages set the role on a part of the page with headings, lists or
 * tables, which is read as its contents.
 */
export const readHeadingRole: ElementReader = (element, context) => {
  if (findElement(element, isPartOfPage) === undefined) readHeading(element, context)
  else readLines(element, context)
}

const isPartOfPage = (inner: Element): boolean => (isHeading(inner) && hasText(inner)) || PARTS.has(inner.name)

const PARTS: ReadonlySet<string> = new Set('article dl form nav ol pre section table ul'.split(' '))

/** Returns the level by tag name, or by `aria-level`. @see https://www.w3.org/TR/wai-aria-1.2/#aria-level */
function levelOf({ name, attribs }: Element): number {
  const level = Number(/^h[1-6]$/.test(name) ? name.slice(1) : (attribs['aria-level'] ?? 2))
  return Number.isInteger(level) && level >= 1 ? Math.min(level, 6) : 2
}
