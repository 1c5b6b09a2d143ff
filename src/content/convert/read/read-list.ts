import { type ChildNode, type Element, isElement, isText, walk } from '../../html/tree.js'
import type { ViewDetails } from '../markdown-view.js'
import { type ElementReader, type ReadingContext, readLines } from '../ast/element-reader.js'
import { readNote } from './read-note.js'

/**
 * Reads a list. Nodes beside its items, such as a list directly inside a list, belong to the item before.
 *
 * @see https://spec.commonmark.org/0.31.2/#list-items
 * @see https://github.github.com/gfm/#task-list-items-extension-
 */
export const readList: ElementReader = (element, context) => {
  const nodes = itemNodes(element)
  const itemName = findItemName(nodes)
  if (itemName === undefined) readLines(element, context)
  else readItems(groupByItem(nodes, itemName), element, context)
}

/**
 * Reads an item outside of a list. Browsers draw one with a bullet. Several in a row are a list, which the first of them
 * reads; one alone is a line.
 */
export const readStrayItem: ElementReader = (element, context) => {
  const { view } = context
  if (view.inLink || view.inHeading) return readLines(element, context)
  if (siblingItem(element, 'prev') !== undefined) return
  const items: Element[] = []
  for (let at: Element | undefined = element; at !== undefined; at = siblingItem(at, 'next')) items.push(at)
  if (items.length === 1) return readLines(element, context)
  const groups = items.map((item) => [item])
  readItems(groups, element, context)
}

/** Returns the item directly before or after an item, with nothing but white space between them. */
function siblingItem(item: Element, side: 'prev' | 'next'): Element | undefined {
  let at = item[side]
  while (at !== null && !isElement(at) && (!isText(at) || at.data.trim() === '')) at = at[side]
  return at !== null && isElement(at) && at.name === 'li' ? at : undefined
}

/** Reads the items of a list, each with the nodes up to the next item. */
function readItems(groups: readonly ChildNode[][], element: Element, context: ReadingContext): void {
  const { view, notes } = context
  const items: (readonly ChildNode[])[] = []
  for (const group of groups) {
    const item = group[0]
    const label = item !== undefined && isElement(item) ? notes.noteAt(item) : undefined
    if (label === undefined || item === undefined || !isElement(item)) items.push(group)
    // Footnotes are numbered by their labels.
    else readNote(label, item, context)
  }
  if (items.length === 0) return
  const first = element.name === 'ol' ? firstNumber(element, groups) : undefined
  const list = view.openBlock('list', { isOrdered: first !== undefined, source: element })
  let next = first
  const step = element.attribs['reversed'] === undefined ? 1 : -1
  for (const group of items) {
    const number = next === undefined ? undefined : (numberOf(group[0]) ?? next)
    if (number !== undefined) next = Math.min(Math.max(0, number + step), MAX_NUMBER)
    const item = view.openBlock('item', itemDetails(group[0], number))
    for (let at = 0; at < group.length; at += 1) {
      const node = group[at]
      if (node === undefined) continue
      if (isElement(node) && node.name === 'li') context.readChildren(node)
      else {
        // Text after an item is drawn below it. Commas between items are not, as these are then in one line.
        if (at === 1 && (!isText(node) || WORD_START.test(node.data))) view.lineBreak()
        context.read(node)
      }
    }
    view.closeBlock(item)
  }
  view.closeBlock(list)
}

const WORD_START = /^[\s\u00A0]*[\p{L}\p{N}]/u

/**
 * Returns the name of the elements that are the items of a list: `li`, or that of all its children where it has no `li`.
 * A list of other elements has no items, and only indents its content: undefined.
 */
function findItemName(nodes: readonly ChildNode[]): string | undefined {
  let name = ''
  let isOnly = true
  let count = 0
  for (const child of nodes) {
    if (!isElement(child)) continue
    if (child.name === 'li') return 'li'
    isOnly &&= count === 0 || child.name === name
    name ||= child.name
    count += 1
  }
  if (nodes.some(isColumnWithTitle)) return undefined
  return isOnly && count > 1 && (ITEM_NAMES.has(name) || name.includes('-')) ? name : undefined
}

const ITEM_NAMES: ReadonlySet<string> = new Set(['a', 'article', 'div', 'span'])

/**
 * Returns the nodes of a list. Those of a column that holds nothing but items stand for the column: the items belong to
 * the list around it.
 */
function itemNodes({ children }: Element): readonly ChildNode[] {
  if (!children.some(mayBeColumn)) return children
  const nodes: ChildNode[] = []
  for (const child of children) {
    const items = itemsOfColumn(child)
    if (items === undefined) nodes.push(child)
    else for (const item of items) nodes.push(item)
  }
  return nodes
}

/** Returns the items of a column; undefined if it has anything else. Recursion is safe: the parser bounds the depth. */
function itemsOfColumn(column: ChildNode): readonly ChildNode[] | undefined {
  if (!mayBeColumn(column)) return undefined
  const items: ChildNode[] = []
  for (const child of column.children) {
    if (isElement(child) && child.name === 'li') items.push(child)
    else if (isElement(child) || (isText(child) && child.data.trim() !== '')) {
      const inside = itemsOfColumn(child)
      if (inside === undefined) return undefined
      for (const item of inside) items.push(item)
    }
  }
  return items.length === 0 ? undefined : items
}

const mayBeColumn = (node: ChildNode): node is Element =>
  isElement(node) && (COLUMN_NAMES.has(node.name) || node.name.includes('-'))

const COLUMN_NAMES: ReadonlySet<string> = new Set(['div', 'section', 'span'])

/** True for a column that has items beside other contents, such as the title of the column. */
const isColumnWithTitle = (node: ChildNode): boolean =>
  mayBeColumn(node) && node.children.filter((child) => isElement(child) && child.name === 'li').length > 1

/** Groups each item with the nodes up to the next item. */
function groupByItem(nodes: readonly ChildNode[], itemName: string): ChildNode[][] {
  const groups: ChildNode[][] = []
  for (const child of nodes) {
    if (isText(child) && child.data.trim() === '') continue
    const last = groups[groups.length - 1]
    if (last === undefined || (isElement(child) && child.name === itemName)) groups.push([child])
    else last.push(child)
  }
  return groups
}

function firstNumber(list: Element, groups: readonly ChildNode[][]): number {
  const start = numberIn(list.attribs['start'])
  if (start !== undefined || list.attribs['reversed'] === undefined) return start ?? 1
  return groups.filter(([item]) => item !== undefined && isElement(item) && item.name === 'li').length
}

/** Returns the number that an item states. */
const numberOf = (item: ChildNode | undefined): number | undefined =>
  item !== undefined && isElement(item) ? numberIn(item.attribs['value']) : undefined

/** Markdown allows at most nine digits, and no minus sign (CommonMark, list items). */
const MAX_NUMBER = 999_999_999

function numberIn(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10)
  return number >= 0 && number <= MAX_NUMBER ? number : undefined
}

function itemDetails(item: ChildNode | undefined, number: number | undefined): ViewDetails {
  const details: { number?: number; checked?: boolean; isSection?: boolean } = {}
  if (number !== undefined) details.number = number
  if (item === undefined || !isElement(item)) return details
  const checked = taskStateOf(item)
  if (checked !== undefined) details.checked = checked
  if (isSection(item)) details.isSection = true
  return details
}

/** Tells whether an item consists of a section, so that its list is no enumeration. */
function isSection({ children }: Element): boolean {
  let only: ChildNode | undefined
  for (const child of children) {
    if (isText(child) && child.data.trim() === '') continue
    if (only !== undefined) return false
    only = child
  }
  return only !== undefined && isElement(only) && only.name === 'section'
}

/** Class of a box that only its style draws. Notion, followers of GitHub. */
const BOX = /(?:^|\s)(?:checkbox-(?:on|off)|task-list-item-checkbox)(?:\s|$)/
/** Class of a task item, where its box is drawn by its style: GitHub's and its followers', Confluence. */
const TASK_ITEM = /(?:^|\s)task-list-item(?:\s|$)/
const CHECKED = /(?:^|\s)(?:checkbox-on|(?:is-|task-list-(?:item-)?)?(?:checked|completed?|done))(?:\s|$)/
const OPEN = /(?:^|\s)(?:checkbox-off|(?:is-|task-list-(?:item-)?)?(?:unchecked|incomplete))(?:\s|$)/

/**
 * Tells if a task item is done: by its checkbox, which is before its text, or else by its own attributes; undefined for
 * other items, and for those that do not say it, as their state may be an icon.
 */
function taskStateOf(item: Element): boolean | undefined {
  const search: BoxSearch = { box: undefined }
  walk(item, findBox, undefined, search)
  const { box } = search
  const ofBox = box && stateIn(box)
  return ofBox === undefined && isTaskItem(item) ? stateIn(item) : ofBox
}

interface BoxSearch {
  box: Element | undefined
}

function findBox(node: ChildNode, search: BoxSearch): boolean | 'stop' {
  if (isText(node)) return node.data.trim() === '' ? true : 'stop'
  if (!isElement(node) || node.name === 'li') return isElement(node) ? 'stop' : true
  const { name, attribs } = node
  const isBox =
    name === 'input'
      ? attribs['type']?.toLowerCase() === 'checkbox'
      : attribs['role'] === 'checkbox' || (attribs['class'] !== undefined && BOX.test(attribs['class']))
  if (isBox) search.box = node
  return isBox || name === 'input' ? 'stop' : true
}

/** True for an item with the attributes of Confluence, TipTap, Quill, of a checkbox, or with the class of a task. */
const isTaskItem = ({ attribs }: Element): boolean =>
  attribs['data-inline-task-id'] !== undefined ||
  attribs['data-checked'] !== undefined ||
  /^(?:un)?checked$/.test(attribs['data-list'] ?? '') ||
  attribs['role'] === 'checkbox' ||
  (attribs['class'] !== undefined && TASK_ITEM.test(attribs['class']))

/** Tells if the marks of a box or an item are those of a done or an open task; undefined without such marks. */
function stateIn({ name, attribs }: Element): boolean | undefined {
  const isInput = name === 'input'
  const classes = isInput ? '' : (attribs['class'] ?? '')
  const { checked, 'aria-checked': byAria, 'data-checked': byData, 'data-list': byList } = attribs
  const isDone = byAria === 'true' || byData === 'true' || byData === '1' || byData === '' || byList === 'checked'
  if (isDone || checked !== undefined || CHECKED.test(classes)) return true
  if (byAria === 'mixed') return undefined
  // A checkbox, and a task of Confluence, are open unless they say otherwise.
  if (isInput || attribs['data-inline-task-id'] !== undefined) return false
  const isOpen = byAria === 'false' || byData === 'false' || byData === '0' || byList === 'unchecked'
  return isOpen || OPEN.test(classes) ? false : undefined
}
