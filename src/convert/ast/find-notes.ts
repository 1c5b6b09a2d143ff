import { type Element, type ParentNode, collapse, isElement, isText, textOf, walk } from '../../html/tree.js'

/** The footnotes of a page, where both the mark in the text and the note are part of the content. @see GFM footnotes */
export interface Notes {
  /** What the note is called that this link leads to; undefined for other links. */
  labelOf(link: Element): string | undefined
  /** What this element is called as a note; undefined for other elements. */
  noteAt(element: Element): string | undefined
  /** Whether the link leads back from a note to its mark. */
  isWayBack(link: Element): boolean
}

const NO_NOTES: Notes = { labelOf: () => undefined, noteAt: () => undefined, isWayBack: () => false }

const NUMBERING = /^[[(]?(\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§]{1,3}|(?:note|fn|n)\s?\d{1,3})[\])]?$/i
const NAMED = /foot-?note|note-?ref|fn-?ref|cite_ref|^fn|reference/i
const NOTE_ELEMENTS = new Set(['li', 'p', 'div', 'aside', 'dd', 'dt', 'section'])
const LISTS = new Set(['dl', 'ol', 'ul'])
const MAX_NOTE_LENGTH = 3000

/** Finds the marks that look like ones of footnotes, and the notes that they lead to. */
export function findNotes(content: ParentNode, isOnPage: (href: string) => boolean): Notes {
  let hasMarks = false
  walk(content, (node) => {
    if (!isElement(node) || node.name !== 'a' || !node.attribs['href']?.includes('#') || !isMark(node)) return true
    hasMarks = true
    return 'stop'
  })
  if (!hasMarks) return NO_NOTES

  const marks = new Map<Element, string>()
  const targets = new Map<string, Element>()
  walk(content, (node) => {
    if (!isElement(node)) return
    const { id, name, href } = node.attribs
    for (const anchor of [id, node.name === 'a' ? name : undefined])
      if (anchor !== undefined && !targets.has(anchor)) targets.set(anchor, node)
    if (node.name !== 'a' || href === undefined || !href.includes('#') || !isMark(node) || !isOnPage(href)) return
    // Notes come later; what leads to an earlier place is the way back.
    const fragment = fragmentOf(href)
    if (!targets.has(fragment)) marks.set(node, fragment)
  })
  const notes = new Map<Element, string>()
  const labels = new Map<Element, string>()
  const backs = new Set<string>()
  const others = new Set<Element>()
  /** Notes, and lists of them. */
  const places = new Set<Element>()
  const taken = new Map<string, number>()
  for (const [mark, fragment] of marks) {
    const target = targets.get(fragment)
    const note = target === undefined ? undefined : noteAround(target)
    if (note === undefined || others.has(note) || isAmong(mark, new Set([note]))) continue
    let label = notes.get(note)
    if (label === undefined) {
      // Asked once of each: many marks may lead to one.
      if (!isNote(note)) {
        others.add(note)
        continue
      }
      label = freeLabel(textOf(mark), taken)
      notes.set(note, label)
      places.add(note)
      // Its label may have an element of its own, e.g. a `dt` beside the note's `dd`.
      if (note.parent !== null && isElement(note.parent) && LISTS.has(note.parent.name)) places.add(note.parent)
    }
    labels.set(mark, label)
    for (const anchor of [mark, mark.parent, mark.parent?.parent])
      if (anchor && isElement(anchor) && anchor.attribs['id'] !== undefined) backs.add(anchor.attribs['id'])
  }
  return {
    labelOf: (link) => labels.get(link),
    noteAt: (element) => notes.get(element),
    isWayBack: (link) => {
      const { href } = link.attribs
      return href !== undefined && backs.has(fragmentOf(href)) && isOnPage(href) && isAmong(link, places)
    },
  }
}

/** Whether a link looks like the mark of a footnote: a number or sign, raised or named as one. */
function isMark(link: Element): boolean {
  // Most links are none: their text is not read to its end.
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

/** The block that the place of a note is in. */
function noteAround(target: Element): Element | undefined {
  let at: Element = target
  for (let left = 4; left > 0 && !NOTE_ELEMENTS.has(at.name); left--) {
    if (at.parent === null || !isElement(at.parent)) return undefined
    at = at.parent
  }
  return NOTE_ELEMENTS.has(at.name) ? at : undefined
}

/** Whether an element stands in one of these. */
function isAmong(element: Element, around: ReadonlySet<Element>): boolean {
  for (let at: ParentNode | null = element; at !== null && isElement(at); at = at.parent)
    if (around.has(at)) return true
  return false
}

/** Whether an element is a note, and no part of the page: short, without headings or other notes' list. */
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

/** What a note is called: as its mark shows, and told apart from others of the same name. */
function freeLabel(text: string, taken: Map<string, number>): string {
  const label = collapse(text).replace(/[[\]()\s]/g, '')
  const count = (taken.get(label) ?? 0) + 1
  taken.set(label, count)
  return count === 1 ? label : `${label}-${count}`
}
