import type { Element } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'

/** A heading: one line, whatever it holds; in a cell, where there are none, bold text. @see CommonMark 4.2 */
export const readHeading: ElementReader = (element, { view, readChildren }) => {
  if (view.inHeading) return readChildren(element)
  if (view.inCell) {
    view.endLine()
    view.mark('strong', {}, () => readChildren(element))
    return view.endLine()
  }
  view.inHeading = true
  view.block('heading', { level: levelOf(element) }, () => readChildren(element))
  view.inHeading = false
}

/** From the name, or from what an element in the role of a heading says. @see WAI-ARIA 1.2, 6.6 "aria-level" */
function levelOf({ name, attribs }: Element): number {
  const level = Number(/^h[1-6]$/.test(name) ? name.slice(1) : (attribs['aria-level'] ?? 2))
  return Number.isInteger(level) && level >= 1 ? Math.min(level, 6) : 2
}
