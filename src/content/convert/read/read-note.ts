import { type ChildNode, type Element, type Text, collapse, isElement, isText, textOf } from '../../html/tree.js'
import type { NoteInLine } from '../ast/find-notes.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'

/**
 * Reads a footnote, without the number that the page puts before it.
 *
 * @see https://github.blog/changelog/2021-09-30-footnotes-now-supported-in-markdown-fields/
 */
export function readNote(label: string, element: Element, context: ReadingContext): void {
  // The text of a term's note follows the term.
  const content = element.name === 'dt' ? meaningsOf(element) : withoutNumber(element, label)
  const block = context.view.openBlock('note', { label })
  const [first] = content
  const text = first && firstTextOf(first)
  const typed = text?.data ?? ''
  if (text)
    text.data = typed.replace(TYPED_NUMBER, (found, number: string) => (number === numberOf(label) ? '' : found))
  for (const node of content) context.read(node)
  if (text) text.data = typed
  context.view.closeBlock(block)
}

/** A number that is typed before the text of a note, beside that of its list. */
const TYPED_NUMBER = /^\s*[[(]?([^\s[\]().:]{1,5})(?:[\])][.:]?|[.:])\s+/

function firstTextOf(node: ChildNode): Text | undefined {
  let at: ChildNode | undefined = node
  while (at !== undefined && isElement(at)) at = at.children.find((child) => !isBlank(child))
  return at !== undefined && isText(at) ? at : undefined
}

/** Returns the number that the page shows, without the suffix that tells two notes with the same one apart. */
const numberOf = (label: string): string => label.replace(/-\d+$/, '')

function meaningsOf(term: Element): ChildNode[] {
  const meanings: ChildNode[] = []
  for (let at = term.next; at !== null && !(isElement(at) && at.name === 'dt'); at = at.next) {
    if (isElement(at)) meanings.push(...at.children)
  }
  return meanings
}

/** Returns the contents of the note after its own number. */
function withoutNumber({ children }: Element, label: string): ChildNode[] {
  const first = children.findIndex((child) => !isBlank(child) && !isNumber(child, label))
  return first < 0 ? [...children] : children.slice(first)
}

const isBlank = (node: ChildNode): boolean => isText(node) && node.data.trim() === ''

/** Maximum length of a note's number. Characters. */
const MAX_NUMBER = 100

function isNumber(node: ChildNode, label: string): boolean {
  const text = isElement(node) ? collapse(textOf(node)) : undefined
  if (text === undefined || text.length > MAX_NUMBER) return false
  return /^[[(]?\s*(.*?)\s*[\])]?[.:]?$/.exec(text)?.[1] === numberOf(label)
}

/**
 * Reads a footnote that is written inside a sentence: its mark alone. The note follows at the end, because it would divide
 * the sentence.
 */
export function readNoteInLine({ label, content }: NoteInLine, context: ReadingContext): void {
  context.view.inline('inlineText', `[^${label}]`)
  context.readAtEnd(() => readNote(label, content, context))
}

/** Reads superscript. Footnote marks are superscript in any case. */
export const readRaised: ElementReader = (element, context) => {
  const { notes } = context
  const marks = new Set(element.children.filter((child) => isElement(child) && notes.labelOf(child) !== undefined))
  const isOnlyMarks =
    marks.size > 0 &&
    element.children.every((child) => marks.has(child) || (isText(child) && /^[\s,;[\]()]*$/.test(child.data)))
  if (isOnlyMarks) for (const mark of marks) context.read(mark)
  else context.readMarked('superscript', element)
}
