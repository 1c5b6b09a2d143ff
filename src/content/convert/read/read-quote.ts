import type { ElementReader } from '../ast/element-reader.js'
import { type Element, isElement, isText, textOf } from '../../html/tree.js'

/** Reads a quote. In a cell of a table, it is a line. */
export const readQuote: ElementReader = (element, context) => {
  const { view } = context
  view.endLine()
  if (view.inCell) context.readChildren(element)
  else context.readBlock('quote', {}, element)
  view.endLine()
}

/**
 * Reads the name of a source. Forums write who is quoted before the quoted text and in its element, and set it on a line of
 * its own by style alone: `<blockquote><div><cite>Ada wrote:</cite>Hello</div></blockquote>`.
 */
export const readCite: ElementReader = (element, context) => {
  context.readChildren(element)
  if (isQuotedPerson(element)) context.view.endLine()
}

/** True for a `cite` at the beginning of a quote that does not continue as a sentence. */
function isQuotedPerson(element: Element): boolean {
  const { parent, next } = element
  if (parent === null || !isElement(parent) || !isFirst(element)) return false
  const quote = parent.name === 'div' && isFirst(parent) ? parent.parent : parent
  if (quote === null || !isElement(quote) || quote.name !== 'blockquote') return false
  const name = textOf(element).trimEnd()
  const text = next !== null && isText(next) ? next.data : ''
  // After a title, the same word may go on: `<cite>Emma</cite>s Vater`, or any, in scripts without spaces.
  return /[:：]$/.test(name) || (/[:：]/.test(name) ? /^[\p{L}\p{N}]/u : /^[\p{Lu}\p{N}]/u).test(text)
}

/** True for an element with nothing but white space before it. */
function isFirst({ prev }: Element): boolean {
  let before = prev
  while (before !== null && !isElement(before) && (!isText(before) || before.data.trim() === '')) before = before.prev
  return before === null
}
