import { HAS_CLASS, HAS_ROLE, type PageNodes } from '../../html/page-nodes.js'
import {
  type ChildNode,
  type NodeSet,
  Element,
  Text,
  append,
  collapse,
  findElement,
  insertBefore,
  isElement,
  isHeading,
  isText,
  parentElement,
  setChildren,
  textOf,
  walk,
} from '../../html/tree.js'

/** Lists of tabs, by the names of kits that set no role. */
const LIST_NAME = /(?:^|\s)(?:nav-tabs|tabbed-labels|rp-tabs__label)(?:\s|$)/
const CODE_GROUP = /(?:^|\s)vp-code-group(?:\s|$)/

/** Bounds of a list of tabs: labels, and characters of each. More of them are a menu. */
const MIN_TABS = 2
const MAX_TABS = 30
const MAX_LABEL = 80
/** Maximum levels around a list in which its panels are searched for. */
const MAX_LEVELS = 3
/** Maximum lists of a page. */
const MAX_LISTS = 1000

/**
 * Writes the label of each tab above its panel, as a line in bold, and removes the list of the labels. Without that, the
 * labels of `npm` and `yarn` are one line, or left out as controls, and nothing tells which panel is which.
 *
 * @param nodes nodes of the page
 * @param dropped what is not content. A panel without other text gets no label
 */
export function labelPanels(nodes: PageNodes, dropped: NodeSet): void {
  const lists = findTabLists(nodes)
  if (lists.length > 0) removeAll(lists.flatMap((list) => bindLabels(list, dropped)))
}

/** Flags of nodes of a page that may have a list of tabs. */
export const MAY_BE_TABS = HAS_ROLE | HAS_CLASS

/** Finds the outermost lists of tabs. */
function findTabLists({ nodes, kinds, ends }: PageNodes): Element[] {
  const lists: Element[] = []
  for (let at = 0; at < nodes.length && lists.length < MAX_LISTS; at += 1) {
    if (((kinds[at] ?? 0) & MAY_BE_TABS) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node) || !isTabList(node)) continue
    lists.push(node)
    at = (ends[at] ?? nodes.length) - 1
  }
  return lists
}

const isTabList = ({ attribs, parent }: Element): boolean => {
  const { role, class: names = '' } = attribs
  if (role === 'tablist' || LIST_NAME.test(names)) return true
  return names === 'tabs' && parent !== null && isElement(parent) && CODE_GROUP.test(parent.attribs['class'] ?? '')
}

/**
 * Adds the labels of a list to its panels.
 *
 * @returns what the labels replace: the list, or its tabs alone if it has other text; nothing if no panels are found
 */
function bindLabels(list: Element, dropped: NodeSet): readonly Element[] {
  const tabs = tabsOf(list)
  const panels = tabs === undefined ? undefined : findPanels(list, tabs.length)
  if (tabs === undefined || panels === undefined) return []
  const labels = tabs.map(labelOf)
  for (const [at, panel] of panels.entries()) addLabel(panel, labels[at] ?? '', dropped)
  return withoutSpaces(shownTextOf(list)) === withoutSpaces(labels.join('')) ? [list] : tabs
}

const labelOf = (tab: Element): string => collapse(shownTextOf(tab))
/** Kits write the style of a part into it. */
const isShown = (node: ChildNode): node is Element => isElement(node) && node.name !== 'script' && node.name !== 'style'

function shownTextOf(root: Element): string {
  const read = { text: '' }
  walk(root, addShownText, undefined, read)
  return read.text
}

function addShownText(node: ChildNode, read: { text: string }): boolean {
  if (isText(node)) read.text += node.data
  return !isElement(node) || isShown(node)
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

function removeAll(elements: readonly Element[]): void {
  const removed = new Set<ChildNode>(elements)
  for (const parent of new Set(elements.map((element) => element.parent)))
    if (parent !== null)
      setChildren(
        parent,
        parent.children.filter((child) => !removed.has(child)),
      )
}

/** Returns the tabs of a list; undefined if it is something else, such as an accordion. */
function tabsOf(list: Element): readonly Element[] | undefined {
  if (findElement(list, isPanel) !== undefined) return undefined
  const tabs = itemsOf(list)
  const isLabel = (label: string): boolean => label !== '' && label.length <= MAX_LABEL
  return tabs.length >= MIN_TABS && tabs.length <= MAX_TABS && tabs.map(labelOf).every(isLabel) ? tabs : undefined
}

/** Returns the tabs by their role, or else the items of the list. */
function itemsOf(list: Element): Element[] {
  const tabs: Element[] = []
  walk(list, (node) => {
    if (!isElement(node) || tabs.length > MAX_TABS) return false
    if (node.attribs['role'] === 'tab') tabs.push(node)
    return true
  })
  return tabs.length > 0 ? tabs : list.children.filter(isShown).filter(({ name }) => name !== 'input')
}

const isPanel = ({ attribs }: Element): boolean => attribs['role'] === 'tabpanel' || PANEL.test(attribs['class'] ?? '')

const PANEL = /(?:^|\s)(?:tab-?pane|tab-?panel|ui-tabs-panel)(?:\s|$)/i
/** Names of elements that contain the panels. */
const PANELS = /(?:^|[\s_-])(?:tabs?|tabbed|blocks)(?:$|[\s_-])/i

/**
 * Finds as many panels as there are labels: elements after the list that are panels, or all children of the element after
 * it. The list may be alone in an element or two that scroll it.
 */
function findPanels(list: Element, count: number): Element[] | undefined {
  let at: Element | undefined = list
  for (let level = 0; at !== undefined && level < MAX_LEVELS; level += 1) {
    const after = elementsAfter(at)
    const named = after.filter(isPanel)
    if (named.length === count) return named
    const [holder] = after.filter(({ name }) => name !== 'button')
    const inside = holder?.children.filter(isShown) ?? []
    const arePanels = inside.every(isPanel) || PANELS.test(holder?.attribs['class'] ?? '')
    if (inside.length === count && arePanels) return inside
    if (holder !== undefined) return undefined
    at = parentElement(at)
  }
  return undefined
}

/** Maximum elements after a list that may be its panels. */
const MAX_AFTER = 2 * MAX_TABS

function elementsAfter(element: Element): Element[] {
  const after: Element[] = []
  for (let at = element.next; at !== null && after.length < MAX_AFTER; at = at.next) if (isShown(at)) after.push(at)
  return after
}

/** Adds the label above the contents of a panel, unless it is empty or begins with a heading of the same words. */
function addLabel(panel: Element, label: string, dropped: NodeSet): void {
  const begin = firstText(panel, dropped)
  if (begin === undefined || isHeadedBy(begin, label)) return
  const strong = new Element('strong', {})
  append(strong, new Text(label))
  const line = new Element('p', {})
  append(line, strong)
  const [first] = panel.children
  if (first !== undefined) insertBefore(first, line)
}

function firstText(panel: Element, dropped: NodeSet): Text | undefined {
  let found: Text | undefined
  walk(panel, (node) => {
    if (dropped.has(node)) return false
    if (isText(node) && node.data.trim() !== '') found = node
    return found === undefined ? true : 'stop'
  })
  return found
}

/** True for a text in a heading that is the label, or that the label begins with: `Reviews` for `Reviews (3)`. */
function isHeadedBy(text: Text, label: string): boolean {
  const inside = parentElement(text)
  const heading = inside === undefined || isHeading(inside) ? inside : parentElement(inside)
  if (heading === undefined || !isHeading(heading)) return false
  const words = collapse(textOf(heading)).toLowerCase()
  return words.length <= MAX_LABEL && label.toLowerCase().startsWith(words)
}
