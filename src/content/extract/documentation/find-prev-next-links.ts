import { LINK, type PageNodes } from '../../html/page-nodes.js'
import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isText,
  walk,
  parentElement,
} from '../../html/tree.js'
import type { MeasureOf } from '../rules/measure.js'

/** Names of links to the previous or next page, without signs around them. */
const STEP_NAME = /^(?:prev|previous|next|back|forward)(?: (?:page|chapter|section|topic|node|part))?$/i
const STEP_SIGN = /^\[?\s*(?:<<?|>>?|[«»‹›←→⇐⇒◀▶⟵⟶])\s*\]?$/

/** Names of the other links in such a bar: to the parent page, the home page, the contents, the index. */
const PLACE_NAME = /^(?:up|home|top|first|last|contents|(?:table of )?contents|toc|(?:general )?index|start|about|\?)$/i

/** Maximum text of a navigation bar, which may contain the titles of pages. Characters. */
const MAX_TEXT = 600

/** Maximum ancestors of a link that may be its bar: its cell, row and table, or an item and its list. */
const MAX_AROUND = 6

const TABLE_PARTS: ReadonlySet<string> = new Set(['tr', 'td', 'th', 'tbody', 'thead', 'tfoot'])

/**
 * Finds the navigation bars that HTML books have above and below their text: "Prev Up Home Next", `[ << ] [ < ] [ Up ]
 * [ > ]`. They are recognized by relations, access keys, classes or names of their links.
 *
 * @returns the outermost elements that contain nothing else
 */
export function findPrevNextLinks(
  body: Element,
  cleared: ReadonlySet<Element>,
  measureOf: MeasureOf,
  nodes: PageNodes,
): Element[] {
  const links = readLinks(body, cleared, nodes)
  // Most pages have no link to another page by such a name, and are not measured for it.
  if (!links.kinds.includes('step')) return []
  const counts = countLinks(links, body, measureOf)
  const isBar = (element: Element): boolean => {
    const count = counts.get(element)
    return count !== undefined && count.steps > 0 && count.navigation >= 2 && count.navigation >= 0.5 * count.links
  }
  const bars = new Set<Element>()
  for (const element of counts.keys()) {
    if (!isBar(element) || element.children.some((child) => isElement(child) && isBar(child))) continue
    if (findElement(element, ({ name }) => CONTENT_ELEMENTS.has(name)) === undefined)
      bars.add(widen(element, body, measureOf))
  }
  return [...bars]
}

/** Kind of a navigation link. */
type LinkKind = 'step' | 'place' | undefined

/** The links of a page, in two arrays: an object for each would be a hundredth of all memory that a digest allocates. */
interface Links {
  readonly elements: readonly Element[]
  readonly kinds: readonly LinkKind[]
}

function readLinks(body: Element, cleared: ReadonlySet<Element>, list: PageNodes): Links {
  const { nodes, kinds, ends } = list
  const isCleared = list.mark(cleared)
  const links: { elements: Element[]; kinds: LinkKind[] } = { elements: [], kinds: [] }
  const end = list.endOf(body)
  for (let at = list.indexOf(body) + 1; at < end; at += 1) {
    const isLink = ((kinds[at] ?? 0) & LINK) !== 0
    const isSkipped = isCleared[at] === 1
    if (!isLink && !isSkipped) continue
    const element = nodes[at]
    if (isLink && !isSkipped && element !== undefined && isElement(element)) {
      links.elements.push(element)
      links.kinds.push(linkKind(element))
    }
    at = (ends[at] ?? end) - 1
  }
  return links
}

/** Counts the links in each element that may be a bar, around them. */
function countLinks({ elements, kinds }: Links, body: Element, measureOf: MeasureOf): Map<Element, Count> {
  const counts = new Map<Element, Count>()
  for (const [nth, element] of elements.entries()) {
    const kind = kinds[nth]
    let at = parentElement(element)
    for (let up = 0; up < MAX_AROUND && at !== undefined && at !== body && measureOf(at).text <= MAX_TEXT; up += 1) {
      let count = counts.get(at)
      if (count === undefined) counts.set(at, (count = { links: 0, navigation: 0, steps: 0 }))
      count.links += 1
      if (kind !== undefined) count.navigation += 1
      if (kind === 'step') count.steps += 1
      at = parentElement(at)
    }
  }
  return counts
}

/** Numbers of links in an element: all, navigation links, and those of them to the previous and next page. */
interface Count {
  links: number
  navigation: number
  steps: number
}

const CONTENT_ELEMENTS: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 pre dl blockquote'.split(' '))

/** Extends a bar from the line of its links to the table around it, and to all elements that contain nothing else. */
function widen(element: Element, body: Element, measureOf: MeasureOf): Element {
  let bar = element
  for (let at = parentElement(bar); at !== undefined && at !== body; at = parentElement(at)) {
    const { text } = measureOf(at)
    const isTable = TABLE_PARTS.has(bar.name) && text <= MAX_TEXT
    if (!isTable && text > measureOf(bar).text) break
    bar = at
  }
  return bar
}

function linkKind(link: Element): LinkKind {
  const { rel, accesskey, class: names } = link.attribs
  if (namesStep(rel) || namesStep(names) || namesStep(parentElement(link)?.attribs['class'])) return 'step'
  if (accesskey !== undefined)
    return /^[np]$/i.test(accesskey) ? 'step' : /^[uhtic]$/i.test(accesskey) ? 'place' : undefined
  const text = textOfLabel(link)
  if (text === undefined) return undefined
  return kindByName(text) ?? kindByLabelBefore(link)
}

/** True for a relation or class names that state a step. */
const namesStep = (names: string | undefined): boolean => names !== undefined && STEP.test(names)

const STEP = /(?:^|\s)(?:prev|previous|next)(?:\s|$)/i

/**
 * Returns the words of a link and of its first image; undefined for a link with code or in code. A name in code is a name
 * of the program: `next()`.
 */
function textOfLabel(link: Element): string | undefined {
  const { children, parent } = link
  if (parent !== null && isElement(parent) && isCode(parent)) return undefined
  const only = children.length === 1 ? children[0] : undefined
  if (only !== undefined && isText(only)) return only.data
  const read: Label = { text: '', words: undefined, hasCode: false }
  walk(link, addToLabel, undefined, read)
  if (read.hasCode) return undefined
  return read.words === undefined ? read.text : `${read.text} ${read.words}`
}

interface Label {
  text: string
  /** Alternative text of the first image. */
  words: string | undefined
  hasCode: boolean
}

function addToLabel(node: ChildNode, label: Label): boolean | 'stop' {
  if (isText(node)) label.text += node.data
  if (!isElement(node)) return false
  if (node.name === 'img') label.words ??= node.attribs['alt']
  label.hasCode ||= isCode(node)
  return label.hasCode ? 'stop' : true
}

const isCode = ({ name }: Element): boolean => name === 'code' || name === 'tt'

/** Kind of a link by the label before it: "Next: the title of the page". */
function kindByLabelBefore({ prev }: Element): LinkKind {
  if (prev === null || !isText(prev) || !prev.data.includes(':') || !prev.data.trimEnd().endsWith(':')) return undefined
  const label = /(\p{L}+)\s*:\s*$/u.exec(prev.data.slice(-MAX_NAME_LENGTH))?.[1]
  return label === undefined ? undefined : kindByName(label)
}

function kindByName(text: string): LinkKind {
  if (!PART_OF_NAME.test(text)) return undefined
  const label = collapse(text)
  if (label.length > MAX_NAME_LENGTH) return undefined
  if (STEP_SIGN.test(label)) return 'step'
  const name = label.replace(/^[^\p{L}?]+|[^\p{L}?]+$/gu, '')
  return STEP_NAME.test(name) ? 'step' : PLACE_NAME.test(name) ? 'place' : undefined
}

/** A part of each name and sign. Hardly any link has one, so that the names of hardly any are compared. */
const PART_OF_NAME = /prev|next|back|forward|up|home|top|first|last|contents|toc|index|start|about|[?<>«»‹›←→⇐⇒◀▶⟵⟶]/i

/** Maximum length of a navigation link's name. A longer one is a title. Characters. */
const MAX_NAME_LENGTH = 40
