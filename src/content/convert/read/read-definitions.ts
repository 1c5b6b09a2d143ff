import { type Element, findElement, isElement } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'
import { readNote } from './read-note.js'

const BLOCKS_OR_BOLD: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 p pre ul ol dl table blockquote strong b'.split(' '),
)

const isBlockOrBold = ({ name }: Element): boolean => BLOCKS_OR_BOLD.has(name)

/** Reads a definition list. Markdown has none, so each term is a bold line, and each definition follows as text. */
export const readDefinitionList: ElementReader = (element, context) => {
  const { view, notes } = context
  view.endLine()
  // True while the following definitions have been read as a footnote.
  let isNoted = false
  for (const child of element.children) {
    if (!isElement(child)) context.read(child)
    else if (child.name === 'dt' && notes.noteAt(child) !== undefined) {
      isNoted = true
      readNote(notes.noteAt(child) ?? '', child, context)
    } else if (child.name === 'dd' && isNoted) continue
    // HTML allows a `div` around each term and its definitions.
    else if (child.name === 'div') readDefinitionList(child, context)
    else if (child.name === 'dt') {
      isNoted = false
      view.endLine()
      if (findElement(child, isBlockOrBold) !== undefined) context.readChildren(child)
      else context.readMarked('strong', child)
      view.endLine()
    } else context.read(child)
  }
  view.endLine()
}

/** Reads a disclosure: its summary is a bold line, and its content follows. */
export const readDetails: ElementReader = (element, context) => {
  const { view } = context
  view.endLine()
  for (const child of element.children) {
    if (!isElement(child) || child.name !== 'summary') {
      context.read(child)
      continue
    }
    view.endLine()
    if (findElement(child, isBlockOrBold) !== undefined) context.readChildren(child)
    else context.readMarked('strong', child)
    view.endLine()
  }
  view.endLine()
}
