import { isElement } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'

/** Ruby: the reading in brackets after the word, as browsers without ruby show it. @see WHATWG HTML 4.5.10 */
export const readRuby: ElementReader = (element, { view, read, readChildren }) => {
  for (const child of element.children) {
    if (!isElement(child)) read(child)
    else if (child.name === 'rt' || child.name === 'rtc') {
      view.text('(')
      readChildren(child)
      view.text(')')
    } else if (child.name !== 'rp') read(child)
  }
}
