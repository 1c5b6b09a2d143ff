import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isHeading,
  isText,
  textOf,
  walk,
} from '../../html/tree.js'
import type { ViewDetails } from '../markdown-view.js'
import type { ElementReader } from '../ast/element-reader.js'
import type { ViewBuilder } from '../ast/view-builder.js'
import { isSkipLink, withoutWindow } from '../text/screen-reader-text.js'

/** Signs that sites use for a link to a heading, and for a link from a footnote back to the text. */
const SIGN = /^[^\p{L}\p{N}]*$/u
const NAMED_SIGN = /^\s*(?:permalink|link to th(?:e|is) (?:heading|section))\b.{0,80}$/i

/**
 * Reads a link. A link around blocks marks its heading or else its first line, because a Markdown link cannot contain
 * blocks.
 *
 * @see https://spec.commonmark.org/0.31.2/#links
 */
export const readLink: ElementReader = (element, context) => {
  const { view, notes } = context
  const note = notes.labelOf(element)
  if (note !== undefined) return view.inline('inlineText', `[^${note}]`)
  if (notes.isBackLink(element)) return
  const href = destination(element)
  const text = textOf(element)
  const isFragment = href !== undefined && context.isOnPage(href)
  if (isFragment && (SIGN.test(text) || NAMED_SIGN.test(text)) && !holdsImage(element)) return
  if (isFragment && (isSkipLink(text) || leadsToHeadingBefore(element, href))) return
  if (href === undefined || view.inLink || (view.inHeading && isFragment)) return context.readChildren(element)
  const title = withoutWindow(collapse(element.attribs['title'] ?? ''))
  const details = title !== '' && !collapse(text).includes(title) ? { href, title } : { href }
  const isPictured = view.parts.images !== 'none' && holdsImage(element)
  if (text.trim() === '' && !isPictured) {
    // An icon beside the text of a heading leads to the heading itself, to its source or to an editor.
    if (!view.inHeading || !view.hasHeadingText) nameLink(element, details, view)
    // A space inside of a link without words separates the words around it.
    if (text !== '') view.text(' ')
    return
  }
  view.inLink = true
  const mark = view.openMark('link', details, holdsHeading(element) ? 'first line of a heading' : 'first line')
  context.readChildren(element)
  view.closeMark(mark)
  view.inLink = false
}

/** True for a link right after a heading that leads to it, whatever its text. */
function leadsToHeadingBefore({ prev, children }: Element, href: string): boolean {
  const before = prev !== null && isText(prev) && prev.data.trim() === '' ? prev.prev : prev
  if (before === null || !isElement(before) || !isHeading(before) || children.some(isMedia)) return false
  return href.slice(href.indexOf('#') + 1) === before.attribs['id']
}

const isMedia = (node: ChildNode): boolean => isElement(node) && isPicture(node)

/** Adds a link with an icon alone, or with an image that is not written: it gets its accessible name. */
function nameLink(element: Element, where: ViewDetails, view: ViewBuilder): void {
  const { attribs } = element
  const label = collapse(attribs['aria-label'] ?? attribs['title'] ?? alternativeOf(element))
  if (label === '' || isNamedBeside(element, label)) return
  view.inLink = true
  const mark = view.openMark('link', where)
  view.text(label)
  view.closeMark(mark)
  view.inLink = false
}

const alternativeOf = (element: Element): string =>
  findElement(element, ({ name, attribs }) => name === 'img' && attribs['alt'] !== undefined)?.attribs['alt'] ?? ''

/**
 * True if another link of the same card leads to the same page with the same words: many a card has a picture drawn by
 * style, which is a link named by its title, beside the title.
 */
function isNamedBeside(element: Element, label: string): boolean {
  let around = element.parent
  for (let left = MAX_LEVELS; left > 0 && around !== null && isElement(around); left -= 1) {
    const search: NameSearch = { element, label, left: MAX_CARD, isFound: false }
    walk(around, findName, undefined, search)
    if (search.isFound || search.left === 0) return search.isFound
    around = around.parent
  }
  return false
}

interface NameSearch {
  readonly element: Element
  readonly label: string
  left: number
  isFound: boolean
}

function findName(node: ChildNode, search: NameSearch): boolean | 'stop' {
  const { element, label } = search
  if (search.left === 0) return 'stop'
  search.left -= 1
  if (!isElement(node) || node.name !== 'a' || node === element) return true
  if (node.attribs['href'] !== element.attribs['href']) return true
  const words = { text: '', left: search.left }
  walk(node, addText, undefined, words)
  search.isFound = words.left > 0 && collapse(words.text) === label
  return search.isFound ? 'stop' : true
}

function addText(node: ChildNode, words: { text: string; left: number }): boolean | 'stop' {
  if (isText(node)) words.text += node.data
  words.left -= 1
  return words.left > 0 ? true : 'stop'
}

/** Number of elements above a link that may be its card. */
const MAX_LEVELS = 4

/** Maximum size of a card, which bounds the time for a page of such links. Nodes. */
const MAX_CARD = 200

/** Returns the target of a link; undefined if it cannot be followed. */
function destination({ attribs }: Element): string | undefined {
  const href = attribs['href']?.trim()
  return href === undefined || href === '' || NO_PAGE.test(href) ? undefined : href
}

const NO_PAGE = /^(?:javascript|data|vbscript|blob|about):/i

const holdsImage = (element: Element): boolean =>
  holdsElements(element) && findElement(element, isPicture) !== undefined

const isPicture = ({ name }: Element): boolean => name === 'img' || name === 'video' || name === 'math'
const isHeadingWithText = (inner: Element): boolean => isHeading(inner) && textOf(inner).trim() !== ''

/** True for a link with more than text. */
function holdsElements({ children }: Element): boolean {
  const [first] = children
  return children.length !== 1 || first === undefined || !isText(first)
}

const holdsHeading = (element: Element): boolean =>
  holdsElements(element) && findElement(element, isHeadingWithText) !== undefined
