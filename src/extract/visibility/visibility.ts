import { type Element, isElement, isText, walk } from '../../html/tree.js'
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
  const amounts = countText(body)
  const noscriptIsContent = amounts.noscript > Math.max(MIN_CONTENT_TEXT, amounts.seen)
  const shown = new Set<Element>()
  for (const [element, amount] of amounts.hidden)
    if (amount > Math.max(MIN_CONTENT_TEXT, amounts.seen)) shown.add(element)
  const isTrulyHidden = (element: Element): boolean => isHidden(element) && !shown.has(element)
  const parts = amounts.hidden.size === 0 ? NONE : findDisclosed(body, isTrulyHidden)
  return {
    ...parts,
    isInvisible: (element) => {
      if (element.name === 'noscript') return !noscriptIsContent
      return isNeverShown(element) || (isTrulyHidden(element) && !parts.disclosed.has(element))
    },
  }
}

/** Visibility of the elements of a page. */
export interface Visibility extends HiddenParts {
  /** True for hidden elements but those that a control opens, which count as visible. */
  readonly isInvisible: (element: Element) => boolean
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

function countText(body: Element): TextAmounts {
  const amounts: TextAmounts = { seen: 0, noscript: 0, hidden: new Map() }
  let within: Element | undefined
  walk(
    body,
    (node) => {
      if (isText(node)) {
        const length = node.data.trim().length
        if (within === undefined) amounts.seen += length
        else if (within.name === 'noscript') amounts.noscript += length
        else amounts.hidden.set(within, (amounts.hidden.get(within) ?? 0) + length)
      }
      if (!isElement(node) || isNeverShown(node)) return false
      if (within === undefined && (node.name === 'noscript' || isHidden(node))) within = node
      return true
    },
    (element) => {
      if (within === element) within = undefined
    },
  )
  return amounts
}
