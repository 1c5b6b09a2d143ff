import {
  type ChildNode,
  type Element,
  isElement,
  isText,
  parentElement,
  type ParentNode,
  walk,
} from '../../html/tree.js'
import { findDisclosed, type HiddenParts } from './find-disclosed.js'

const NEVER_SHOWN = new Set(['script', 'style', 'link', 'meta', 'base', 'title', 'head', 'param', 'track', 'datalist'])

/** True for elements that are never content: scripts, styles, elements of the head, inert templates. */
export function isNeverShown({ name, attribs, parent }: Element): boolean {
  if (name === 'template') return attribs['shadowrootmode'] === undefined
  if (name === 'title') return !(parent !== null && 'name' in parent && parent.name === 'svg')
  return NEVER_SHOWN.has(name) || (name === 'input' && attribs['type'] === 'hidden')
}

/** Class names of parts that a click shows: the other tabs, and the collapsed parts of an accordion. */
const REVEALED_BY_CLICK =
  /tab-?_?pane|tab-?_?content|accordion|collapsib|expander|(?:^|[\s_-])(?:faq|toggle-?_?content)/i

/**
 * True for an element that its own markup hides from every reader.
 *
 * `aria-hidden` alone does not count: it hides from screen readers, and pages set it on their whole content while a
 * dialog is open. Parts that a click shows count as visible.
 */
export function isHidden({ name, attribs }: Element): boolean {
  const { hidden, style } = attribs
  const isMarked =
    (hidden !== undefined && hidden.toLowerCase() !== 'until-found') ||
    (name === 'dialog' && attribs['open'] === undefined) ||
    (style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style))
  // Tested last: hardly any element has the attributes, and nearly every one has a class.
  return isMarked && !REVEALED_BY_CLICK.test(`${attribs['role'] ?? ''} ${attribs['class'] ?? ''}`)
}

/**
 * Finds the elements that are not visible. There are two exceptions, for pages that only their scripts make visible: a
 * hidden element with most of the page's text counts as visible, and so does a `noscript` with more text than the rest
 * of the page.
 */
export function findVisibility(body: Element): Visibility {
  const whole = parentElement(body) ?? body
  const reader = new VisibilityReader(body)
  walk(whole, enterNode, leaveElement, reader)
  const { neverShown, noscripts, marked, amounts } = reader
  if (isHidden(whole)) marked.add(whole)
  const noscriptIsContent = amounts.noscript > Math.max(MIN_CONTENT_TEXT, amounts.seen)
  for (const [element, amount] of amounts.hidden)
    if (amount > Math.max(MIN_CONTENT_TEXT, amounts.seen)) marked.delete(element)
  const parts = amounts.hidden.size === 0 ? NONE : findDisclosed(body, marked)
  const invisible = neverShown
  if (!noscriptIsContent) for (const noscript of noscripts) invisible.add(noscript)
  for (const element of marked) if (!parts.disclosed.has(element)) invisible.add(element)
  return { ...parts, invisible }
}

/** Returns the elements that are never shown, for a page without a body. */
export function findNeverShown(root: ParentNode): ReadonlySet<Element> {
  const found = new Set<Element>()
  walk(root, (node) => {
    if (isElement(node) && isNeverShown(node)) found.add(node)
  })
  return found
}

/** Visibility of the elements of a page. */
export interface Visibility extends HiddenParts {
  /**
   * Hidden elements but those that a control opens, which count as visible. It is a set and no test, because several
   * walks ask for every element.
   */
  readonly invisible: ReadonlySet<Element>
}

const NONE: HiddenParts = { disclosed: new Set(), findWithheld: () => [] }

/** Minimum text of a hidden element, or of all `noscript` elements, that can be the content of a page. Characters. */
export const MIN_CONTENT_TEXT = 400

interface TextAmounts {
  seen: number
  noscript: number
  /** Characters of text in each outermost hidden element. */
  readonly hidden: Map<Element, number>
}

const enterNode = (node: ChildNode, reader: VisibilityReader): boolean => reader.enter(node)
const leaveElement = (element: Element, reader: VisibilityReader): void => reader.leave(element)

/** Collects the elements that are not visible, and measures the text in and outside of them. */
class VisibilityReader {
  readonly neverShown = new Set<Element>()
  readonly noscripts: Element[] = []
  /** Elements that their own markup hides, also those inside of others. */
  readonly marked = new Set<Element>()
  readonly amounts: TextAmounts = { seen: 0, noscript: 0, hidden: new Map() }
  readonly #body: Element
  /** The outermost open element that is never shown. */
  #unread: Element | undefined
  /** The outermost open element that is hidden, or a `noscript`. */
  #within: Element | undefined

  constructor(body: Element) {
    this.#body = body
  }

  enter(node: ChildNode): boolean {
    if (isText(node) && this.#unread === undefined) this.#addText(node.data.trim().length)
    if (!isElement(node)) return false
    const isNoscript = node.name === 'noscript'
    const isMarked = !isNoscript && isHidden(node)
    if (isNoscript) this.noscripts.push(node)
    else if (isMarked) this.marked.add(node)
    if (isNeverShown(node)) {
      this.neverShown.add(node)
      this.#unread ??= node
    } else if ((isNoscript || isMarked) && this.#unread === undefined && node !== this.#body) this.#within ??= node
    return true
  }

  leave(element: Element): void {
    if (this.#unread === element) this.#unread = undefined
    if (this.#within === element) this.#within = undefined
  }

  #addText(length: number): void {
    const { amounts } = this
    const within = this.#within
    if (within === undefined) amounts.seen += length
    else if (within.name === 'noscript') amounts.noscript += length
    else amounts.hidden.set(within, (amounts.hidden.get(within) ?? 0) + length)
  }
}
