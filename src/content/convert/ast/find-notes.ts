import {
  type ChildNode,
  type Element,
  type ParentNode,
  collapse,
  hasText,
  isElement,
  isText,
  textOf,
  walk,
} from '../../html/tree.js'

/**
 * Footnotes of a page whose mark and text are both in the content. GitHub's Markdown has them, though its specification
 * does not.
 *
 * @see https://github.blog/changelog/2021-09-30-footnotes-now-supported-in-markdown-fields/
 */
export interface Notes {
  /** True if the page has none, so that no element needs to be asked for one. */
  readonly isEmpty: boolean
  /** Returns the label of the note that a link refers to; undefined for other links. */
  labelOf(link: Element): string | undefined
  /** Returns the label of the note that an element is; undefined for other elements. */
  noteAt(element: Element): string | undefined
  /** Returns the note that an element writes where its mark stands; `'mark'` for the number right before one; undefined for other elements. */
  noteInLine(element: Element): NoteInLine | 'mark' | undefined
  /** True for a link from a note back to its mark. */
  isBackLink(link: Element): boolean
}

/** A note that is written inside the sentence, where its mark stands. A style sheet moves it elsewhere. */
export interface NoteInLine {
  readonly label: string
  readonly content: Element
}

const NO_NOTES: Notes = {
  isEmpty: true,
  labelOf: () => undefined,
  noteAt: () => undefined,
  noteInLine: () => undefined,
  isBackLink: () => false,
}

const NUMBERING = /^[[(]?(\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]{1,3}|(?:note|fn|n)\s?\d{1,3})[\])]?$/i
const NAMED = /foot-?note|note-?ref|fn-?ref|cite_ref|^fn|reference/i
const NOTE_ELEMENTS = new Set(['li', 'p', 'div', 'aside', 'dd', 'dt', 'section'])
const LISTS = new Set(['dl', 'ol', 'ul'])
const MAX_NOTE_LENGTH = 3000

/** The page of the content. */
export interface LinkPage {
  /** True for a URL that refers to a place on the page itself. */
  isOnPage(href: string): boolean
}

/** Finds the links that look like footnote marks, and the notes that they refer to. */
export function findNotes(content: ParentNode, page: LinkPage): Notes {
  const search = { isFound: false }
  walk(content, findMark, undefined, search)
  if (!search.isFound) return NO_NOTES

  const marks = new Map<Element, string>()
  const targets = new Map<string, Element>()
  const inLine: Element[] = []
  walk(content, (node) => {
    if (!isElement(node)) return
    if (isNoteInLine(node)) inLine.push(node)
    const { id, name, href } = node.attribs
    if (id !== undefined && !targets.has(id)) targets.set(id, node)
    if (node.name !== 'a') return
    if (name !== undefined && !targets.has(name)) targets.set(name, node)
    if (href === undefined || !href.includes('#') || !isMark(node) || !page.isOnPage(href)) return
    // A note follows its marks. A link to an earlier element is a link back to a mark.
    const fragment = fragmentOf(href)
    if (!targets.has(fragment)) marks.set(node, fragment)
  })
  const notes = new Map<Element, string>()
  const labels = new Map<Element, string>()
  const backs = new Set<string>()
  const others = new Set<Element>()
  /** Elements in which a link is not a mark: notes, and lists of notes. */
  const places = new Set<Element>()
  const taken = new Map<string, number>()
  for (const [mark, fragment] of marks) {
    const target = targets.get(fragment)
    const note = target === undefined ? undefined : findNoteBlock(target)
    if (note === undefined || others.has(note) || isInside(mark, new Set([note]))) continue
    let label = notes.get(note)
    if (label === undefined) {
      // Tested once per note: many marks may refer to one.
      if (!isNote(note)) {
        others.add(note)
        continue
      }
      label = uniqueLabel(textOf(mark), taken)
      notes.set(note, label)
      places.add(note)
      // The label may have an element of its own, such as a `dt` beside the note's `dd`.
      if (note.parent !== null && isElement(note.parent) && LISTS.has(note.parent.name)) places.add(note.parent)
    }
    labels.set(mark, label)
    for (const anchor of [mark, mark.parent, mark.parent?.parent])
      if (anchor && isElement(anchor) && anchor.attribs['id'] !== undefined) backs.add(anchor.attribs['id'])
  }
  const notesInLine = new Map<Element, NoteInLine | 'mark'>()
  for (const element of inLine) {
    const mark = partOf(element, 'ltx_note_mark')
    const text = partOf(partOf(element, 'ltx_note_outer'), 'ltx_note_content')
    if (mark && text && NUMBERING.test(collapse(textOf(mark))))
      notesInLine.set(element, { label: uniqueLabel(textOf(mark), taken), content: text })
    else if (isUnmarkedNote(element)) {
      const own = ownMarkOf(element)
      const label = own === undefined ? nextLabel(taken) : uniqueLabel(textOf(own), taken)
      notesInLine.set(element, { label, content: element })
      if (own) notesInLine.set(own, 'mark')
    }
  }
  return {
    isEmpty: notes.size + notesInLine.size === 0,
    noteInLine: (element) => notesInLine.get(element),
    labelOf: (link) => labels.get(link),
    noteAt: (element) => notes.get(element),
    isBackLink: (link) => {
      const { href } = link.attribs
      return href !== undefined && backs.has(fragmentOf(href)) && page.isOnPage(href) && isInside(link, places)
    },
  }
}

function findMark(node: ChildNode, search: { isFound: boolean }): boolean | 'stop' {
  if (!isElement(node) || !MAY_MARK.has(node.name)) return true
  search.isFound = node.name === 'a' ? node.attribs['href']?.includes('#') === true && isMark(node) : isNoteInLine(node)
  return search.isFound ? 'stop' : true
}

const MAY_MARK: ReadonlySet<string> = new Set(['a', 'span', 'small', 'd-footnote', 'dt-fn'])

/** True for a note whose text stands where its mark is shown. */
const isNoteInLine = (element: Element): boolean => isLatexNote(element) || isUnmarkedNote(element)

/** True for a footnote of LaTeXML, which writes the mark, and the number and the text of the note, in one `span`. */
const isLatexNote = ({ name, attribs }: Element): boolean =>
  name === 'span' && attribs['class']?.includes('ltx_role_footnote') === true && IN_LINE.test(attribs['class'])

const NO_SENTENCE: ReadonlySet<string> = new Set(['a', 'pre', 'code', 'button', 'label', 'summary', 'nav'])
const ASIDE = /(?:^|\s)(?:(?:side|margin|inline)-?note|(?:inline-?)?foot-?note|fn)(?=\s|$)/i

/**
 * True for a note in the midst of a sentence, which a style sheet or a script numbers and moves to the margin.
 *
 * @see https://distill.pub/guide/
 * @see https://edwardtufte.github.io/tufte-css/
 */
function isUnmarkedNote(element: Element): boolean {
  const { name, attribs, parent } = element
  const isNamed =
    name === 'd-footnote' ||
    name === 'dt-fn' ||
    ((name === 'span' || name === 'small') &&
      (ASIDE.test(attribs['class'] ?? '') || attribs['role'] === 'note' || attribs['role'] === 'tooltip'))
  if (!isNamed || parent === null || !isElement(parent) || !isNote(element) || !hasText(element)) return false
  // The mark of a note elsewhere has the name of one.
  if (attribs['class'] !== undefined && NUMBERING.test(collapse(textOf(element)))) return false
  // The type of a name in code, or the words of a control.
  for (
    let at: ParentNode | null = parent, left = 6;
    left > 0 && at !== null && isElement(at);
    at = at.parent, left -= 1
  )
    if (NO_SENTENCE.has(at.name)) return false
  for (let before = element.prev; before !== null; before = before.prev) {
    if (isText(before) ? /\S/.test(before.data) : isElement(before) && hasText(before)) return true
  }
  return false
}

/** Finds the element with the number of a note, right before it: a switch that shows the note may stand between. */
function ownMarkOf(note: Element): Element | undefined {
  for (let before = note.prev; before !== null; before = before.prev) {
    if (isText(before) && /\S/.test(before.data)) return undefined
    if (!isElement(before) || before.name === 'input') continue
    const mayBe = /^(?:sup|label|a|span)$/.test(before.name) && before.children.length <= 3
    return mayBe && NUMBERING.test(collapse(textOf(before))) ? before : undefined
  }
  return undefined
}

/** Not `ltx_role_footnotemark`, which has no text. */
const IN_LINE = /(?:^|\s)ltx_role_footnote(?=\s|$)/

const partOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.filter(isElement).find(({ attribs }) => attribs['class'] === name)

/** True for a link that looks like a footnote mark: a number or sign, in superscript or named as a reference. */
function isMark(link: Element): boolean {
  // Most links are none, and their text is not read to its end.
  if (link.children.length > 3) return false
  const text = collapse(textOf(link))
  if (!NUMBERING.test(text)) return false
  if (/^\[.*\]$/.test(text) || link.children.some((child) => isElement(child) && child.name === 'sup')) return true
  const { attribs, parent } = link
  if (attribs['role'] === 'doc-noteref' || attribs['epub:type'] === 'noteref') return true
  if (NAMED.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)) return true
  return parent !== null && isElement(parent) && (parent.name === 'sup' || NAMED.test(parent.attribs['class'] ?? ''))
}

const fragmentOf = (href: string): string => {
  const fragment = href.slice(href.indexOf('#') + 1)
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Returns the block that contains the target of a mark. */
function findNoteBlock(target: Element): Element | undefined {
  let at: Element = target
  for (let left = 4; left > 0 && !NOTE_ELEMENTS.has(at.name); left--) {
    if (at.parent === null || !isElement(at.parent)) return undefined
    at = at.parent
  }
  return NOTE_ELEMENTS.has(at.name) ? at : undefined
}

/** True for an element inside one of these. */
function isInside(element: Element, around: ReadonlySet<Element>): boolean {
  for (let at: ParentNode | null = element; at !== null && isElement(at); at = at.parent)
    if (around.has(at)) return true
  return false
}

/** True for an element short enough to be a note, without headings. */
function isNote(element: Element): boolean {
  let length = 0
  let isShort = true
  walk(element, (node) => {
    if (isText(node)) length += node.data.length
    if (isElement(node) && /^(?:h[1-6]|article|main|nav)$/.test(node.name)) isShort = false
    return isShort && length < MAX_NOTE_LENGTH ? true : 'stop'
  })
  return isShort && length < MAX_NOTE_LENGTH
}

/** Returns the number of a note that shows none. */
function nextLabel(taken: Map<string, number>): string {
  let number = taken.size + 1
  while (taken.has(String(number))) number += 1
  return uniqueLabel(String(number), taken)
}

/** Returns the label of a note as its mark shows it, with a suffix if the label is already used. */
function uniqueLabel(text: string, taken: Map<string, number>): string {
  const label = collapse(text).replace(/[[\]()\s]/g, '')
  const count = (taken.get(label) ?? 0) + 1
  taken.set(label, count)
  return count === 1 ? label : `${label}-${count}`
}
