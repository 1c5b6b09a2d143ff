import { type Element, isElement, isText, walk } from '../../html/tree.js'
import { findDisclosed } from './find-disclosed.js'

const NEVER_SHOWN = new Set(['script', 'style', 'link', 'meta', 'base', 'title', 'head', 'param', 'track', 'datalist'])

/** Whether the element is no content by its name: scripts, styles, what belongs into the head, an inert template. */
export function isNeverShown({ name, attribs, parent }: Element): boolean {
  if (name === 'template') return attribs['shadowrootmode'] === undefined
  if (name === 'title') return !(parent !== null && 'name' in parent && parent.name === 'svg')
  return NEVER_SHOWN.has(name) || (name === 'input' && attribs['type'] === 'hidden')
}

/** What a click on the page shows: the other tabs, and the folded parts of an accordion. */
const REVEALED = /tab-?_?pane|tab-?_?content|accordion|collapsib|expander|(?:^|[\s_-])(?:faq|toggle-?_?content)/i

/**
 * Whether the element's own mark-up hides it from every reader.
 *
 * `aria-hidden` alone is not meant: it hides from screen readers, and pages put it around their whole content while a
 * dialog is open. What a click shows is content, too.
 */
export function isHidden({ name, attribs }: Element): boolean {
  const { hidden, style } = attribs
  const isMarked =
    (hidden !== undefined && hidden.toLowerCase() !== 'until-found') ||
    (name === 'dialog' && attribs['open'] === undefined) ||
    (style !== undefined && /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style))
  // Asked last: hardly any element is marked, and each has a class.
  return isMarked && !REVEALED.test(`${attribs['role'] ?? ''} ${attribs['class'] ?? ''}`)
}

/**
 * Finds the elements that a reader does not see. Two cautions, for pages that are shown only by their scripts: an element that hides
 * most of the page's text is not taken at its word, and `noscript` is content where it holds more text than all the rest.
 */
export function findUnseen(body: Element): Visibility {
  const amounts = countText(body)
  const noscriptIsContent = amounts.noscript > Math.max(MUCH_TEXT, amounts.seen)
  const shown = new Set<Element>()
  for (const [element, amount] of amounts.hidden) if (amount > Math.max(MUCH_TEXT, amounts.seen)) shown.add(element)
  const isTakenAtItsWord = (element: Element): boolean => isHidden(element) && !shown.has(element)
  const disclosed = amounts.hidden.size === 0 ? NONE : findDisclosed(body, isTakenAtItsWord)
  return {
    disclosed,
    isUnseen: (element) => {
      if (element.name === 'noscript') return !noscriptIsContent
      return isNeverShown(element) || (isTakenAtItsWord(element) && !disclosed.has(element))
    },
  }
}

/** What a reader sees of a page. */
export interface Visibility {
  readonly isUnseen: (element: Element) => boolean
  /** Hidden elements that a control of the page opens: they are seen. */
  readonly disclosed: ReadonlySet<Element>
}

const NONE: ReadonlySet<Element> = new Set()

const MUCH_TEXT = 400

interface TextAmounts {
  seen: number
  noscript: number
  /** The text of each hidden element that lies in no other. */
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
