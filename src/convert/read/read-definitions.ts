import { findElement, isElement } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'
import { readNote } from './read-note.js'

const BLOCKS_OR_BOLD = /^(?:h[1-6]|p|pre|ul|ol|dl|table|blockquote|strong|b)$/

/** A definition list: Markdown has none, so each term is a bold line and each meaning follows as text of its own. */
export const readDefinitionList: ElementReader = (element, context) => {
  const { view, read, readChildren, notes } = context
  view.endLine()
  // Whether the meanings that come have been read as a footnote.
  let isNoted = false
  for (const child of element.children) {
    if (!isElement(child)) read(child)
    else if (child.name === 'dt' && notes.noteAt(child) !== undefined) {
      isNoted = true
      readNote(notes.noteAt(child) ?? '', child, context)
    } else if (child.name === 'dd' && isNoted) continue
    // HTML allows each term and its meanings to be grouped.
    else if (child.name === 'div') readDefinitionList(child, context)
    else if (child.name === 'dt') {
      isNoted = false
      view.endLine()
      if (findElement(child, ({ name }) => BLOCKS_OR_BOLD.test(name)) !== undefined) readChildren(child)
      else view.mark('strong', {}, () => readChildren(child))
      view.endLine()
    } else read(child)
  }
  view.endLine()
}

/** A part that opens: its summary is a bold line, its content follows. */
export const readDetails: ElementReader = (element, { view, read, readChildren }) => {
  view.endLine()
  for (const child of element.children) {
    if (!isElement(child) || child.name !== 'summary') {
      read(child)
      continue
    }
    view.endLine()
    if (findElement(child, ({ name }) => BLOCKS_OR_BOLD.test(name)) !== undefined) readChildren(child)
    else view.mark('strong', {}, () => readChildren(child))
    view.endLine()
  }
  view.endLine()
}
