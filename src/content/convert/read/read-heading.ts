import { type Element, findElement, hasText, isElement, isHeading, isText } from '../../html/tree.js'
import { type ElementReader, type ReadingContext, readLines } from '../ast/element-reader.js'
import type { Notes } from '../ast/find-notes.js'

/**
 * Reads a heading: always one line; in a table cell, which cannot contain one, bold text.
 *
 * @see https://spec.commonmark.org/0.31.2/#atx-headings
 */
export const readHeading: ElementReader = (element, context) => {
  const { view } = context
  if (view.inHeading) return context.readChildren(element)
  if (!context.notes.isEmpty && isAboveNotes(element, context)) return
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

/** Maximum elements after a heading that may be notes. */
const MAX_NOTES = 200

/** True for a heading below which stand notes alone. They have their own place in Markdown, at the end of the text. */
function isAboveNotes({ next }: Element, { notes }: ReadingContext): boolean {
  let found = 0
  for (let at = next; at !== null; at = at.next) {
    if (isElement(at) && isOfNotes(at, notes)) found += 1
    else if (isText(at) ? at.data.trim() !== '' : isElement(at) && at.name !== 'hr') return false
    if (found > MAX_NOTES) return false
  }
  return found > 0
}

/** True for a note, or a list of notes. */
const isOfNotes = (element: Element, notes: Notes): boolean =>
  notes.noteAt(element) !== undefined ||
  (element.children.some(isElement) &&
    element.children.every((child) =>
      isElement(child) ? notes.noteAt(child) !== undefined : !isText(child) || child.data.trim() === '',
    ))

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
