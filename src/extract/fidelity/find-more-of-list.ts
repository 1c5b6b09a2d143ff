import { LOAD_MORE, type MoreSign } from '../../text/more-of-list.js'
import { FEWEST, leadOn, listBefore, listNear } from './near-list.js'
import { type Element, collapse, isElement, isText, walk } from '../../html/tree.js'

/** A list of which a page holds back a part. */
export interface HeldBack {
  readonly sign: MoreSign
  /** The sign as it stands on the page: a label, a count, a name. */
  readonly seen: string
}

/** Which part of a page is looked at. */
export interface ListScope {
  readonly isUnseen: (element: Element) => boolean
  /** Whether an element is in the content: a list that is not in it is nobody's loss. */
  readonly isKept: (element: Element) => boolean
}

/**
 * Finds a list of which a part is not in the tree: a button behind it that loads more, a mark of what scrolling loads, a table or list
 * that says how many rows it has, a count beside it.
 */
export function findMoreOfList(body: Element, scope: ListScope): HeldBack | undefined {
  const found = collectSigns(body, scope)
  return (
    findVirtual(found, scope) ?? (found.hasNextPage ? undefined : (findButton(found, scope) ?? findTotal(found, scope)))
  )
}

const isLoadMore = new RegExp(`^(?:${LOAD_MORE})`, 'iu')

/** `1-24 of 300 results`, `Showing 24 of 300`: the first part of a list. */
const COUNTED =
  /^(?:(?:\D{0,30}\b(?:showing|displaying|viewed|viewing) )?1 ?(?:[-–—]|to|bis|a|à) ?|\D{0,30}\b(?:showing|displaying|viewed|viewing) )(\d{1,6}) (?:out of|of|von|sur|de|di|van|av|af|из|z) (\d{1,7}|\d{1,3}(?:[.,]\d{3}){1,2})(?!\d)\D{0,40}$/iu

/** Labels that are of a list whatever it is of: others may open the rest of a text. */
const LOADS =
  /load|laden|charger|cargar|carica|carregar|laad|załaduj|wczytaj|загрузить|ladda|last |読み込む|加载|载入|載入|\d|more [a-z]/iu

/** Labels that begin like those of lists, and are of menus and texts. */
const OF_NO_LIST = /\b(?:about|detail|details|filters|info|information|less|options|sharing|text)\b/iu

/** The names of elements that scripts watch to load more when they come into view. */
const SENTINEL =
  /^(?:js-|data-)?(?:infinite-?(?:scroll|loader|loading)|load-?more|scroll-?sentinel)(?:-?(?:trigger|sentinel|end|anchor|wrap|container))?$/iu

const NEXT_PAGE = /[?&/](?:page|p|paged|pg|start|offset)[=/]?\d+/iu

/** Where nothing is the page's list: its frame, and what is opened over it. */
const APART: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'dialog', 'select', 'svg', 'math'])

/** Classes by which frameworks hide an element, and those that show it on a wide window all the same. */
const HIDING = /(?:^|\s)(?:hidden|hide|d-none|is-hidden|u-hidden|sr-only|visually-hidden|screen-reader-text)(?=\s|$)/u
const SHOWING = /(?::|-(?:sm|md|lg|xl)-)(?:block|flex|inline|grid|table)/u

/** What is looked at on one page: more of it is no page for readers. */
const MOST = { buttons: 50, sentinels: 50, grids: 20, counts: 10 }

/** A label or count is no longer than this, and is in no more nodes. */
const MAX_LABEL = 60
const MAX_LABEL_NODES = 40

interface Signs {
  readonly buttons: { readonly element: Element; readonly label: string }[]
  readonly sentinels: { readonly element: Element; readonly name: string }[]
  readonly grids: Element[]
  /** How many items say that their list has so many. */
  readonly setSizes: Map<number, Element[]>
  readonly counts: { readonly element: Element; readonly text: string }[]
  hasNextPage: boolean
}

function collectSigns(body: Element, { isUnseen }: ListScope): Signs {
  const found: Signs = { buttons: [], sentinels: [], grids: [], setSizes: new Map(), counts: [], hasNextPage: false }
  let apart = 0
  walk(
    body,
    (node) => {
      if (isText(node)) {
        const { parent } = node
        if (
          apart === 0 &&
          found.counts.length < MOST.counts &&
          /\d/u.test(node.data) &&
          parent !== null &&
          isElement(parent)
        )
          addCount(found, parent)
        return true
      }
      if (!isElement(node) || isUnseen(node) || isHiddenByClass(node)) return false
      if (isApart(node)) apart += 1
      addElement(found, node, apart > 0)
      return true
    },
    (element) => {
      if (!isUnseen(element) && !isHiddenByClass(element) && isApart(element)) apart -= 1
    },
  )
  return found
}

const isApart = ({ name }: Element): boolean => APART.has(name)

const isHiddenByClass = ({ attribs }: Element): boolean => {
  const names = attribs['class']
  return names !== undefined && HIDING.test(names) && !SHOWING.test(names)
}

function addElement(found: Signs, element: Element, isInFrame: boolean): void {
  const { attribs } = element
  if (element.name === 'a' && (/(?:^|\s)next(?:\s|$)/iu.test(attribs['rel'] ?? '') || leadsToPage(element)))
    found.hasNextPage = true
  if (isInFrame) return
  const label = found.buttons.length < MOST.buttons && isButton(element) ? labelOf(element) : undefined
  if (label !== undefined && isLoadMore.test(label) && !OF_NO_LIST.test(label)) found.buttons.push({ element, label })
  const name = found.sentinels.length < MOST.sentinels ? sentinelName(element) : undefined
  if (name !== undefined) found.sentinels.push({ element, name })
  if (attribs['aria-rowcount'] !== undefined && found.grids.length < MOST.grids) found.grids.push(element)
  const size = Number(attribs['aria-setsize'] ?? 0)
  if (size > 0 && attribs['aria-roledescription'] === undefined && !OF_CONTROL.test(attribs['role'] ?? '')) {
    const items = found.setSizes.get(size)
    if (items === undefined) found.setSizes.set(size, [element])
    else items.push(element)
  }
}

/** Items of what is no list of content. */
const OF_CONTROL = /^(?:tab|radio|menuitem|treeitem|option|group)/u

/** Whether a link is one of a row of pages: a number to a URL with a number. */
function leadsToPage(link: Element): boolean {
  const href = link.attribs['href']
  return href !== undefined && NEXT_PAGE.test(href.slice(0, 2_000)) && /^\d{1,4}$|^next\b/iu.test(labelOf(link) ?? '')
}

/** Whether an element does something when it is clicked, and leads nowhere. What says that it opens a part of the page does. */
function isButton({ name, attribs }: Element): boolean {
  if (attribs['disabled'] !== undefined || attribs['aria-expanded'] !== undefined) return false
  if (/read-?more/iu.test(attribs['class'] ?? '')) return false
  if (attribs['data-toggle'] === 'collapse' || attribs['data-bs-toggle'] !== undefined) return false
  if (name === 'input') return attribs['type'] === 'button'
  if (name === 'a') return /^(?:$|#$|#!|javascript:)/iu.test((attribs['href'] ?? '').trim())
  return name === 'button' || attribs['role'] === 'button'
}

/** All text of an element with little; undefined for one with more. */
function labelOf(element: Element): string | undefined {
  if (element.name === 'input') return collapse((element.attribs['value'] ?? '').slice(0, MAX_LABEL))
  let text = ''
  let nodes = 0
  walk(element, (node) => {
    nodes += 1
    if (isText(node)) text += node.data.slice(0, 500)
    if (nodes > MAX_LABEL_NODES || text.length > 500) return 'stop'
    return !isElement(node) || (node.name !== 'style' && node.name !== 'script')
  })
  const label = collapse(text)
  return nodes > MAX_LABEL_NODES || label.length > MAX_LABEL ? undefined : label
}

function sentinelName({ name, attribs }: Element): string | undefined {
  if (name !== 'div' && name !== 'span' && name !== 'section' && name !== 'p') return undefined
  const { id = '', class: names = '' } = attribs
  return [id, ...names.slice(0, 500).split(/\s/u), ...Object.keys(attribs).slice(0, 50)].find((one) =>
    SENTINEL.test(one),
  )
}

function addCount(found: Signs, parent: Element): void {
  // "Showing <b>10</b> of <b>50</b>" is in the element around.
  for (const element of [parent, parent.parent]) {
    if (element === null || !isElement(element) || found.counts.some((count) => count.element === element)) continue
    const text = labelOf(element)
    if (text !== undefined && COUNTED.test(text)) found.counts.push({ element, text })
  }
}

function findButton({ buttons, sentinels }: Signs, scope: ListScope): HeldBack | undefined {
  for (const { element, label } of buttons) {
    // The same button in each item opens the rest of that item.
    if (buttons.filter((other) => other.label === label).length > 2) continue
    const items = listBefore(element)
    if (items === undefined || !isLeft(items, scope)) continue
    if (LOADS.test(label) || leadOn(items)) return { sign: 'button', seen: label }
  }
  for (const { element, name } of sentinels) {
    if (labelOf(element) === undefined || hasWayOn(element)) continue
    const items = listBefore(element)
    if (items !== undefined && isLeft(items, scope) && leadOn(items)) return { sign: 'scroll', seen: name }
  }
  return undefined
}

/** Whether a list is in the content, and none of it waits in the tree for the button. */
const isLeft = (items: readonly Element[], { isUnseen, isKept }: ListScope): boolean =>
  items.some(isKept) && !items.some((item) => isUnseen(item) || isHiddenByClass(item))

/** Whether there is a link to another page in an element, or what is no mark but the list itself. */
function hasWayOn(element: Element): boolean {
  let has = false
  walk(element, (node) => {
    if (isElement(node) && node.name === 'a' && !isButton(node)) has = true
    return has ? 'stop' : true
  })
  return has
}

function findVirtual({ grids, setSizes }: Signs, { isKept }: ListScope): HeldBack | undefined {
  for (const grid of grids) {
    const all = Number(grid.attribs['aria-rowcount'])
    let rows = 0
    walk(grid, (node) => {
      if (isElement(node) && (node.name === 'tr' || node.attribs['role'] === 'row')) rows += 1
    })
    if (all > rows + 1 && rows > 0 && isKept(grid)) return { sign: 'virtual', seen: `aria-rowcount="${all}"` }
  }
  for (const [size, items] of setSizes) {
    if (size > items.length * 1.5 && items.slice(0, FEWEST).some(isKept))
      return { sign: 'virtual', seen: `aria-setsize="${size}"` }
  }
  return undefined
}

/** A count is one of a list when there is a list of that many. */
function findTotal({ counts }: Signs, { isKept }: ListScope): HeldBack | undefined {
  for (const { element, text } of counts) {
    const [, shown, all] = COUNTED.exec(text) ?? []
    if (Number(shown) < 3 || !(Number(shown) < Number(all?.replace(/\D/gu, '')))) continue
    const list = listNear(element, Number(shown))
    if (list !== undefined && isKept(list)) return { sign: 'total', seen: text }
  }
  return undefined
}
