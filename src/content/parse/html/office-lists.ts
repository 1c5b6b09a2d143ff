import {
  append,
  type ChildNode,
  collapse,
  type Document,
  Element,
  isElement,
  isText,
  type ParentNode,
  setChildren,
  Text,
  textOf,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/** Item of a list in HTML of Word: `mso-list:l0 level2 lfo1`. */
const WORD_ITEM = /(?:^|;)\s*mso-list\s*:\s*(l\d+) level(\d)/i
const WORD_MARK = /(?:^|;)\s*mso-list\s*:\s*ignore/i
/** The gap between mark and text in Word's filtered HTML, which names no lists. */
const GAP = /(?:^|;)\s*font:\s*7\.0pt\b/i
const INDENT = /(?:^|;)\s*margin-left:\s*(\d{0,4}(?:\.\d{0,4})?)(pt|in|cm)/i
const POINTS: ReadonlyMap<string, number> = new Map([
  ['pt', 1],
  ['in', 72],
  ['cm', 28.35],
])
/** Indent of a list without one of its own, and maximum elements from a paragraph to its gap. */
const FIRST_INDENT = 36
/** Maximum length of a mark, such as `(viii)`. Characters. */
const MAX_MARK = 10
const MAX_LEVELS = 3
/** List of Google Docs, with its depth: `lst-kix_a1b2-1`. */
const GOOGLE_LIST = /(?:^|\s)(lst-kix_\w+)-(\d)(?=\s|$)/
/** A number that a list of Markdown writes. Another label, such as `1.2` or `b)`, may be referred to, and stays text. */
const NUMBER = /^(\d{1,6})[.)]$/
/** A bullet: one character, often a letter of a font of signs. */
const BULLET = /^.$/su

/**
 * Nests the lists of word processors: Word writes each item as a paragraph that names its list and level, with the bullet as text, and
 * Google Docs writes a list of its own for each level.
 */
export const officeLists: TreeRepair = { mark: /mso-list:|lst-kix_|font:7\.0pt/, apply: nestOfficeLists }

function nestOfficeLists(document: Document): void {
  const parents = new Set<ParentNode>()
  walk(document, (node) => {
    if (isElement(node) && node.parent !== null && placeOf(node) !== undefined) parents.add(node.parent)
  })
  for (const parent of parents) nestChildren(parent)
}

/** An item, or a list of items of one level. */
interface Place {
  readonly list: string
  readonly level: number
}

function placeOf(element: Element): Place | undefined {
  const { name, attribs } = element
  const isList = name === 'ul' || name === 'ol'
  const found = isList ? GOOGLE_LIST.exec(attribs['class'] ?? '') : WORD_ITEM.exec(attribs['style'] ?? '')
  if (!found && name === 'p' && gapOf(element)) return { list: '', level: indentOf(attribs['style'] ?? '') }
  if (!found || (!isList && name !== 'p' && !/^h[1-6]$/.test(name) && name !== 'div')) return undefined
  return { list: found[1] ?? '', level: Number(found[2]) }
}

/** Returns the gap that follows the mark of a paragraph, with which it begins. */
function gapOf(paragraph: Element): Element | undefined {
  let at: ChildNode | undefined = paragraph
  for (let level = 0; level <= MAX_LEVELS && at && isElement(at); level += 1) {
    const [mark, gap]: ChildNode[] = at.children.filter((child) => !isText(child) || child.data.trim() !== '')
    if (mark && isText(mark)) return collapse(mark.data).length <= MAX_MARK && isGap(gap) ? gap : undefined
    at = mark
  }
  return undefined
}

/** True for a gap alone: what is small may also be a text of its own. */
const isGap = (node: ChildNode | undefined): node is Element =>
  node !== undefined && isElement(node) && GAP.test(node.attribs['style'] ?? '') && collapse(textOf(node)) === ''

function indentOf(style: string): number {
  const [, length, unit = ''] = INDENT.exec(style) ?? []
  return length === undefined ? FIRST_INDENT : Math.round(Number(length) * (POINTS.get(unit.toLowerCase()) ?? 1))
}

function nestChildren(parent: ParentNode): void {
  const made: ChildNode[] = []
  let open: (Place & { readonly element: Element })[] = []
  for (const child of parent.children) {
    const place = isElement(child) ? placeOf(child) : undefined
    if (!isElement(child) || place === undefined || /^h\d/.test(child.name)) {
      if (!isBetween(child)) open = []
      made.push(child)
      continue
    }
    const isItem = child.name === 'p' || child.name === 'div'
    const number = isItem ? takeMark(child) : undefined
    const items = isItem ? [toItem(child, number)] : child.children
    const list = isItem ? new Element(number === undefined ? 'ul' : 'ol', {}) : child
    const ofList = open.filter((one) => one.list === place.list)
    open = ofList.filter((one) => one.level <= place.level)
    // A list that began deeper than it goes on.
    const [deeper] = ofList.filter((one) => one.level > place.level)
    if (deeper && open.at(-1)?.level !== place.level) open.push({ ...deeper, level: place.level })
    const last = open.at(-1)
    if (last?.level === place.level && last.element.name === list.name) {
      for (const item of items) append(last.element, detach(item))
      continue
    }
    const outer = last && open.findLast((one) => one.level < place.level)
    const item = outer?.element.children.findLast(isElement)
    setChildren(list, items)
    if (item) append(item, detach(list))
    else made.push(list)
    open = [...open.filter((one) => one.level < place.level), { ...place, element: list }]
  }
  setChildren(parent, made)
}

/** True for what may stand between two items of a list. */
const isBetween = (node: ChildNode): boolean => (isText(node) ? node.data.trim() === '' : !isElement(node))

/** Removes the bullet or the number that a paragraph has as text. @returns the number */
function takeMark(item: Element): string | undefined {
  let number: string | undefined
  const gap = gapOf(item)
  if (gap?.parent) {
    // The mark and the gap, before the text or in an element of their own.
    const own = gap.parent.children
    const mark = collapse(
      own
        .slice(0, own.indexOf(gap))
        .map((one) => (isText(one) ? one.data : ''))
        .join(''),
    )
    number = NUMBER.exec(mark)?.[1]
    const kept = number !== undefined || BULLET.test(mark) ? [] : [new Text(`${mark} `)]
    setChildren(gap.parent, [...kept, ...own.slice(own.indexOf(gap) + 1)])
    return number
  }
  walk(item, (node) => {
    if (!isElement(node) || !WORD_MARK.test(node.attribs['style'] ?? '')) return true
    const mark = collapse(textOf(node))
    number = NUMBER.exec(mark)?.[1]
    setChildren(node, number !== undefined || BULLET.test(mark) ? [] : [new Text(`${mark} `)])
    return 'stop'
  })
  return number
}

/** Makes an item of a paragraph, with what else its attributes say of it, such as that it is hidden. */
function toItem(paragraph: Element, number: string | undefined): Element {
  paragraph.name = 'li'
  if (number !== undefined) paragraph.attribs['value'] = number
  return paragraph
}

function detach<Node extends ChildNode>(node: Node): Node {
  node.parent = node.prev = node.next = null
  return node
}
