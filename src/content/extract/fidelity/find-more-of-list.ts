import { LOAD_MORE, type MoreSign } from '../../../base/text/more-of-list.js'
import { MIN_LIST_ITEMS, areLinked, findListBefore, findListNear } from './near-list.js'
import {
  CONTROL,
  ELEMENT,
  FRAME,
  HAS_CLASS,
  HAS_DIGIT,
  HAS_ID,
  HAS_OTHER,
  HAS_ROLE,
  listNodes,
  type PageNodes,
} from '../../html/page-nodes.js'
import {
  type Element,
  isElement,
  type NodeSet,
  parentElement,
  walk,
  type ChildNode,
  collapse,
  isText,
} from '../../html/tree.js'

/** A list that the page shows only in part. */
export interface PartialList {
  readonly sign: MoreSign
  /** Evidence from the page, for the warning: the label of a button, a count, an attribute or a class name. */
  readonly evidence: string
}

/** Tests that decide which lists of a page are examined. */
interface ListScope {
  readonly invisible: NodeSet
  /** True for elements in the content. Lists outside of the content are ignored. */
  readonly isKept: (element: Element) => boolean
}

/**
 * Finds a list of which a part is not loaded. Signs are a button after it that loads more, an element that triggers
 * loading on scroll, a table or list that states a larger number of rows, and a count beside it.
 *
 * @param nodes nodes of the page. @default they are listed
 */
export function findMoreOfList(
  body: Element,
  scope: ListScope,
  nodes: PageNodes = listNodes(body),
): PartialList | undefined {
  const found = collectSigns(body, scope, nodes)
  const { buttons, sentinels, grids, setSizes, counts, hasNextPage } = found
  const virtual = grids.length + setSizes.size > 0 ? findVirtual(found, scope) : undefined
  if (virtual !== undefined || hasNextPage) return virtual
  return (
    (buttons.length + sentinels.length > 0 ? findButton(found, scope) : undefined) ??
    (counts.length > 0 ? findTotal(found, scope) : undefined)
  )
}

const isLoadMore = new RegExp(`^(?:${LOAD_MORE})`, 'iu')

/** Counts of the first part of a list: `1-24 of 300 results`, `Showing 24 of 300`. */
const RANGE_OF_TOTAL =
  /^(?:(?:\D{0,30}\b(?:showing|displaying|viewed|viewing) )?1 ?(?:[-–—]|to|bis|a|à) ?|\D{0,30}\b(?:showing|displaying|viewed|viewing) )(\d{1,6}) (?:out of|of|von|sur|de|di|van|av|af|из|z) (\d{1,7}|\d{1,3}(?:[.,]\d{3}){1,2})(?!\d)\D{0,40}$/iu

/** Labels that always refer to a list. Others may open the rest of a text. */
const LIST_LABEL =
  /load|laden|charger|cargar|carica|carregar|laad|załaduj|wczytaj|загрузить|ladda|last |読み込む|加载|载入|載入|\d|more [a-z]/iu

/** Labels that begin like those of lists, but refer to menus and texts. */
const NOT_LIST_LABEL = /\b(?:about|detail|details|filters|info|information|less|options|sharing|text)\b/iu

/** Names of elements that scripts observe, to load more when they scroll into view. */
const SENTINEL =
  /^(?:js-|data-)?(?:infinite-?(?:scroll|loader|loading)|load-?more|scroll-?sentinel)(?:-?(?:trigger|sentinel|end|anchor|wrap|container))?$/iu

const SENTINEL_WORD = /infinite|load|sentinel/iu
const MIN_SENTINEL_LENGTH = 'loadmore'.length

const NEXT_RELATION = /(?:^|\s)next(?:\s|$)/iu
const NEXT_PAGE = /[?&/](?:page|p|paged|pg|start|offset)[=/]?\d+/iu

/** Class names of frameworks that hide an element, and those that show it again in a wide window. */
const HIDING = /(?:^|\s)(?:hidden|hide|d-none|is-hidden|u-hidden|sr-only|visually-hidden|screen-reader-text)(?=\s|$)/u
const SHOWING = /(?::|-(?:sm|md|lg|xl)-)(?:block|flex|inline|grid|table)/u

/** Maximum signs of each kind per page, which bounds the time of a hostile page. */
const MAX_SIGNS = { buttons: 50, sentinels: 50, grids: 20, counts: 10 }

class Signs {
  readonly buttons: { readonly element: Element; readonly label: string }[] = []
  readonly sentinels: { readonly element: Element; readonly name: string }[] = []
  readonly grids: Element[] = []
  /** Items by the number of items that they state for their list. */
  readonly setSizes = new Map<number, Element[]>()
  readonly counts: { readonly element: Element; readonly text: string }[] = []
  /** Elements whose text was tested for a count. An element has many texts, and is read once. */
  readonly tested = new Set<Element>()
  hasNextPage = false
}

function collectSigns(body: Element, { invisible }: ListScope, list: PageNodes): Signs {
  const { nodes, kinds, ends, lengths } = list
  const found = new Signs()
  const end = list.endOf(body)
  /** End of the outermost open frame. */
  let frameEnd = 0
  for (let at = list.indexOf(body) + 1; at < end; at += 1) {
    const kind = kinds[at] ?? 0
    const node = nodes[at]
    if ((kind & HAS_DIGIT) !== 0) {
      // A count is short, so that a paragraph with a number is none.
      if (at >= frameEnd && node !== undefined && (lengths[at] ?? 0) <= MAX_LABEL) addCount(found, parentElement(node))
      continue
    }
    if ((kind & ELEMENT) === 0 || node === undefined || !isElement(node)) continue
    if (invisible.has(node) || ((kind & HAS_CLASS) !== 0 && isHiddenByClass(node))) {
      at = (ends[at] ?? end) - 1
      continue
    }
    if ((kind & FRAME) !== 0 && at >= frameEnd) frameEnd = ends[at] ?? end
    if (node.name === 'a' && (kind & HAS_OTHER) !== 0 && leadsToNext(node)) found.hasNextPage = true
    if (at < frameEnd) continue
    if (node.name === 'a' || (kind & (CONTROL | HAS_ROLE)) !== 0) addButton(found, node)
    if ((kind & MAY_BE_SENTINEL) !== 0 && SENTINEL_ELEMENTS.has(node.name)) addSentinel(found, node)
    if ((kind & HAS_OTHER) !== 0 && ('aria-rowcount' in node.attribs || 'aria-setsize' in node.attribs))
      addStatedSize(found, node)
  }
  return found
}

const MAY_BE_SENTINEL = HAS_CLASS | HAS_ID | HAS_OTHER
const SENTINEL_ELEMENTS: ReadonlySet<string> = new Set(['div', 'span', 'section', 'p'])

const isHiddenByClass = ({ attribs }: Element): boolean => {
  const names = attribs['class']
  return names !== undefined && HIDING.test(names) && !SHOWING.test(names)
}

/** True for a link of a pagination: marked as such, or a number or "next" with a page number in the URL. */
function leadsToNext(link: Element): boolean {
  const { rel, href } = link.attribs
  if (rel !== undefined && NEXT_RELATION.test(rel)) return true
  return href !== undefined && NEXT_PAGE.test(href.slice(0, 2_000)) && /^\d{1,4}$|^next\b/iu.test(labelOf(link) ?? '')
}

function addButton(found: Signs, element: Element): void {
  const label = found.buttons.length < MAX_SIGNS.buttons && isButton(element) ? labelOf(element) : undefined
  if (label !== undefined && isLoadMore.test(label) && !NOT_LIST_LABEL.test(label))
    found.buttons.push({ element, label })
}

function addSentinel(found: Signs, element: Element): void {
  const name = found.sentinels.length < MAX_SIGNS.sentinels ? sentinelName(element) : undefined
  if (name !== undefined) found.sentinels.push({ element, name })
}

/** Adds a table or list that states its number of rows, and an item that states that of its list. */
function addStatedSize(found: Signs, element: Element): void {
  const { attribs } = element
  if (attribs['aria-rowcount'] !== undefined && found.grids.length < MAX_SIGNS.grids) found.grids.push(element)
  const size = Number(attribs['aria-setsize'] ?? 0)
  if (size > 0 && attribs['aria-roledescription'] === undefined && !CONTROL_ROLE.test(attribs['role'] ?? '')) {
    const items = found.setSizes.get(size)
    if (items === undefined) found.setSizes.set(size, [element])
    else items.push(element)
  }
}

/** Roles of items in controls, which are no lists of content. */
const CONTROL_ROLE = /^(?:tab|radio|menuitem|treeitem|option|group)/u

/**
 * True for an element that acts when clicked and leads to no page. Controls that open a part of the page do not count.
 */
function isButton({ name, attribs }: Element): boolean {
  // Tested first, because hardly any element is clicked.
  const acts =
    name === 'input'
      ? attribs['type'] === 'button'
      : name === 'a'
        ? NO_TARGET.test((attribs['href'] ?? '').trim())
        : name === 'button' || attribs['role'] === 'button'
  if (!acts || attribs['disabled'] !== undefined || attribs['aria-expanded'] !== undefined) return false
  if (/read-?more/iu.test(attribs['class'] ?? '')) return false
  return attribs['data-toggle'] !== 'collapse' && attribs['data-bs-toggle'] === undefined
}

/** An address that leads to no page. */
const NO_TARGET = /^(?:$|#$|#!|javascript:)/iu

const isSentinel = (name: string): boolean => name.length >= MIN_SENTINEL_LENGTH && SENTINEL.test(name)

function sentinelName({ attribs }: Element): string | undefined {
  const { id = '', class: names = '' } = attribs
  if (isSentinel(id)) return id
  // Hardly any list of names has one of the words, so that hardly any is split.
  const named = SENTINEL_WORD.test(names) ? names.slice(0, 500).split(/\s/u).find(isSentinel) : undefined
  if (named !== undefined) return named
  let left = MAX_ATTRIBUTES
  for (const attribute in attribs) {
    if (isSentinel(attribute)) return attribute
    left -= 1
    if (left === 0) break
  }
  return undefined
}

/** Maximum attributes of an element whose names are tested. */
const MAX_ATTRIBUTES = 50

function addCount(found: Signs, parent: Element | undefined): void {
  if (parent === undefined || found.counts.length >= MAX_SIGNS.counts) return
  // "Showing <b>10</b> of <b>50</b>" is the text of the parent.
  for (const element of [parent, parentElement(parent)]) {
    if (element === undefined || found.tested.has(element)) continue
    found.tested.add(element)
    const text = labelOf(element)
    if (text !== undefined && RANGE_OF_TOTAL.test(text)) found.counts.push({ element, text })
  }
}

function findButton({ buttons, sentinels }: Signs, scope: ListScope): PartialList | undefined {
  for (const { element, label } of buttons) {
    // A button that repeats for each item opens the rest of that item.
    if (buttons.filter((other) => other.label === label).length > 2) continue
    const items = findListBefore(element)
    if (items === undefined || !isFullyShown(items, scope)) continue
    if (LIST_LABEL.test(label) || areLinked(items)) return { sign: 'button', evidence: label }
  }
  for (const { element, name } of sentinels) {
    if (labelOf(element) === undefined || containsLink(element)) continue
    const items = findListBefore(element)
    if (items !== undefined && isFullyShown(items, scope) && areLinked(items)) return { sign: 'scroll', evidence: name }
  }
  return undefined
}

/** True for a list in the content without hidden items. The button would only show these. */
const isFullyShown = (items: readonly Element[], { invisible, isKept }: ListScope): boolean =>
  items.some(isKept) && !items.some((item) => invisible.has(item) || isHiddenByClass(item))

/**
 * True for an element that contains a link to another page. Such an element is the list itself, not a loading trigger.
 */
function containsLink(element: Element): boolean {
  let has = false
  walk(element, (node) => {
    if (isElement(node) && node.name === 'a' && !isButton(node)) has = true
    return has ? 'stop' : true
  })
  return has
}

function findVirtual({ grids, setSizes }: Signs, { isKept }: ListScope): PartialList | undefined {
  for (const grid of grids) {
    const all = Number(grid.attribs['aria-rowcount'])
    let rows = 0
    walk(grid, (node) => {
      if (isElement(node) && (node.name === 'tr' || node.attribs['role'] === 'row')) rows += 1
    })
    if (all > rows + 1 && rows > 0 && isKept(grid)) return { sign: 'virtual', evidence: `aria-rowcount="${all}"` }
  }
  for (const [size, items] of setSizes) {
    if (size > items.length * 1.5 && items.slice(0, MIN_LIST_ITEMS).some(isKept))
      return { sign: 'virtual', evidence: `aria-setsize="${size}"` }
  }
  return undefined
}

/** Finds a count such as `1-24 of 300` that is near a list of exactly that many items. */
function findTotal({ counts }: Signs, { isKept }: ListScope): PartialList | undefined {
  for (const { element, text } of counts) {
    const [, shown, all] = RANGE_OF_TOTAL.exec(text) ?? []
    if (Number(shown) < 3 || !(Number(shown) < Number(all?.replace(/\D/gu, '')))) continue
    const list = findListNear(element, Number(shown))
    if (list !== undefined && isKept(list)) return { sign: 'total', evidence: text }
  }
  return undefined
}

/** Maximum length of a label or count, in characters, and maximum nodes in it. */
const MAX_LABEL = 60
const MAX_LABEL_NODES = 40

/** Returns the text of an element, or undefined if it is longer than a label. */
function labelOf(element: Element): string | undefined {
  if (element.name === 'input') return collapse((element.attribs['value'] ?? '').slice(0, MAX_LABEL))
  const read: Label = { text: '', nodes: 0 }
  walk(element, addToLabel, undefined, read)
  if (read.nodes > MAX_LABEL_NODES) return undefined
  const label = collapse(read.text)
  return label.length > MAX_LABEL ? undefined : label
}

interface Label {
  text: string
  nodes: number
}

function addToLabel(node: ChildNode, label: Label): boolean | 'stop' {
  label.nodes += 1
  if (isText(node)) label.text += node.data.slice(0, 500)
  if (label.nodes > MAX_LABEL_NODES || label.text.length > 500) return 'stop'
  return !isElement(node) || (node.name !== 'style' && node.name !== 'script')
}
