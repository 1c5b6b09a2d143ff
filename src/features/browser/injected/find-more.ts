import { builtInsOf, findBody, pageDocument } from './built-ins-of.js'
import { LOAD_MORE, RETRY } from '../../../base/text/more-of-list.js'
import type { PageFunctions } from './page-functions.js'
import { childrenIn, findAll, isInside, listRoots, outerOf, textIn } from './shadow-tree.js'

/** Maximum numbers of elements and text nodes to inspect on one page, and of items in one list. */
const MAX_BUTTONS = 2000
const MAX_ITEMS = 500
const MAX_GRIDS = 20
const MAX_TEXT_NODES = 20_000

/** Elements with these classes have no role, but scripts make buttons of them. */
const namedButtons = ['load-more', 'loadmore', 'load_more', 'show-more', 'showmore']
  .map((name) => `:is(div, span, p)[class*="${name}" i]:not(:has(*))`)
  .join(', ')
const buttonSelector = `button, [role="button"], input[type="button"], a:not([href]), a[href^="#"], ${namedButtons}`

/**
 * Finds a sign that a list is not completely in the tree: a visible button after a list that loads more of it, a
 * virtual list (which has only the rows in view), or a text such as "Showing 1 to 20 of 340". For an isolated world.
 */
export const findMore: PageFunctions['findMore'] = () => {
  if (findMoreButton()) return 'button'
  if (hasUnderfilledGrid() || hasUnderfilledSet() || hasVirtualList()) return 'virtual'
  if (pageDocument.querySelector('[rel="next"], .pagination a, [class*="pager"] a')) return undefined
  return statesMore() ? 'total' : undefined
}

const childrenOf = (element: Element): Element[] => childrenIn(element).slice(0, MAX_ITEMS)
/** Returns the text of an element; of a component and of a slot, what they show. */
const textOf = (element: Element): string =>
  (builtInsOf(element).textContent.trim() || (isDrawnElsewhere(element) ? textIn(element).trim() : '')).replace(
    /\s+/g,
    ' ',
  )
const isDrawnElsewhere = (element: Element): boolean =>
  builtInsOf(element).shadowRoot !== null || builtInsOf(element).querySelector('slot') !== null
/** Tests whether an element takes a place in the page, and is drawn there. */
export const isShown = (element: Element): boolean =>
  builtInsOf(element).checkVisibility({ visibilityProperty: true }) && builtInsOf(element).getClientRects().length > 0
/** Returns a key of an element's tag and first class, which is the same for the items of a list. */
function kindOf(element: Element): string {
  const { localName, classList } = builtInsOf(element)
  return `${localName}.${classList[0] ?? ''}`
}

/** Returns the size of the largest group of children with the same kind. */
function countAlike(list: Element): number {
  const counts = new Map<string, number>()
  for (const child of childrenOf(list)) {
    if (!textOf(child)) continue
    const kind = kindOf(child)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

/** Finds a visible button after a list that loads more of it. */
export const findMoreButton = (): HTMLElement | undefined => findButton(LOAD_MORE)

/** Finds a visible button after a list that repeats a request for more of it that failed. */
export const findRetryButton = (): HTMLElement | undefined => findButton(RETRY)

/** Tests whether the page has a visible button that tries something again, at any place. */
export const hasRetryButton = (): boolean => findButton(RETRY, () => true) !== undefined

function findButton(labels: string, isInPlace = isBehindList): HTMLElement | undefined {
  // A label may begin with a sign, such as `+` or an arrow.
  const label = new RegExp(String.raw`^[^\p{L}\p{N}]{0,3}(?:${labels})`, 'iu')
  for (const button of findAll(buttonSelector).slice(0, MAX_BUTTONS)) {
    const { value = '', disabled = false } = button as Partial<HTMLInputElement>
    const text = textOf(button) || value || ''
    const { ariaExpanded, ariaDisabled } = builtInsOf(button)
    if (text.length > 60 || !label.test(text) || disabled || ariaDisabled === 'true' || ariaExpanded !== null) continue
    if (isInside(button, 'nav, header, footer, dialog') || !isShown(button)) continue
    if (isInPlace(button)) return button
  }
  return undefined
}

/** Tests whether the button, or an element around it, follows a list. */
function isBehindList(button: Element): boolean {
  let at: Element | undefined = button
  for (let level = 0; at && at !== pageDocument.body && level < 4; at = outerOf(at), level++) {
    if (isInItem(at, button)) return false
    const outer = outerOf(at)
    if (outer && countAlike(outer) >= 5) return true
    const before = builtInsOf(at).previousElementSibling
    if (before && (countAlike(before) >= 4 || childrenOf(before).some((inner) => countAlike(inner) >= 4))) return true
    // The shadow root of a button or another component is no level.
    if (!builtInsOf(at).parentElement) level--
  }
  return false
}

/**
 * Tests whether the button is inside an item of a list. It then loads more of that item, unless the item has no other
 * text.
 */
function isInItem(at: Element, button: Element): boolean {
  const outer = outerOf(at)
  if (at === button || !outer || textOf(at) === textOf(button)) return false
  return childrenOf(outer).filter((other) => kindOf(other) === kindOf(at) && textOf(other)).length >= 4
}

const hasUnderfilledGrid = (): boolean =>
  findAll('[aria-rowcount]')
    .slice(0, MAX_GRIDS)
    .some(
      (grid) =>
        isShown(grid) &&
        Number(builtInsOf(grid).ariaRowCount) > builtInsOf(grid).querySelectorAll('[role="row"], tr').length + 1,
    )

function hasUnderfilledSet(): boolean {
  const lists = new Set(
    findAll('[aria-setsize]')
      .slice(0, MAX_ITEMS)
      .map((item) => builtInsOf(item).parentElement),
  )
  for (const list of lists) {
    const items = list ? [...builtInsOf(list).children].filter((item) => builtInsOf(item).ariaSetSize !== null) : []
    const isMenu = items.some((item) => /^(?:tab|radio|menuitem|treeitem)/.test(builtInsOf(item).role ?? ''))
    const size = Math.max(...items.map((item) => Number(builtInsOf(item).ariaSetSize)))
    if (!isMenu && items.length > 0 && size > items.length * 1.5) return true
  }
  return false
}

/** Tests for a virtual list: an element as high as all its rows, of which the rows in the tree fill less than half. */
function hasVirtualList(): boolean {
  for (const spacer of findAll('[style*="height"], [style*="padding"]').slice(0, MAX_ITEMS)) {
    const { style, children, firstElementChild, parentElement } = builtInsOf(spacer)
    const padding = toPixels(style.paddingTop) + toPixels(style.paddingBottom)
    const height = Math.max(toPixels(style.height), toPixels(style.minHeight), padding)
    if (height < 1000 || !style.cssText.includes('px')) continue
    const inner = (children.length === 1 ? firstElementChild : undefined) ?? spacer
    // An empty spacer takes the space of rows that are its siblings.
    const list = children.length === 0 && parentElement ? parentElement : inner
    if (countAlike(list) < 3) continue
    const rows = [...builtInsOf(list).children].filter((row) => textOf(row)).slice(0, MAX_ITEMS)
    const filled = rows.reduce((sum, row) => sum + builtInsOf(row).getBoundingClientRect().height, 0)
    if (filled > 0 && filled < builtInsOf(list).scrollHeight * 0.5 && filled < height && isShown(list)) return true
  }
  return false
}

const toPixels = (length: string): number => Number.parseFloat(length) || 0

/** Finds a text such as `Showing 1 to 20 of 340`. */
function statesMore(): boolean {
  const counted = /\b(?:showing|displaying|viewed)\s+(?:1\s*(?:[-–]|to)\s*)?(\d{1,6})\s+(?:of|out of)\s+(\d{1,7})\b/i
  let count = 0
  for (const root of listRoots()) {
    const body = root === document ? findBody() : null
    const walker = pageDocument.createTreeWalker(body ?? root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && count < MAX_TEXT_NODES; node = walker.nextNode(), count++) {
      const text = node.nodeValue ?? ''
      const parent = node.parentElement
      if (
        text.length > 200 ||
        !/showing|displaying|viewed/i.test(text) ||
        !parent ||
        builtInsOf(parent).childNodes.length > 9
      )
        continue
      const [, some, total] = counted.exec(textOf(parent).slice(0, 200)) ?? []
      if (Number(some) < Number(total) && isShown(parent)) return true
    }
  }
  return false
}
