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
  // Footnotes are numbered by their labels.
  const items = groups.filter(([item]) => {
    const label = item !== undefined && isElement(item) ? notes.noteAt(item) : undefined
    if (label !== undefined && item !== undefined && isElement(item)) readNote(label, item, context)
    return label === undefined
  })
  if (items.length === 0) return
  const first = element.name === 'ol' ? firstNumber(element, groups) : undefined
  const list = view.openBlock('list', { isOrdered: first !== undefined, source: element })
  let next = first
  const step = element.attribs['reversed'] === undefined ? 1 : -1
  for (const group of items) {
    const number = next === undefined ? {} : { number: numberOf(group[0]) ?? next }
    if (next !== undefined) next = Math.max(0, (number.number ?? next) + step)
    const item = view.openBlock('item', { ...number, ...taskState(group[0]), ...sectionState(group[0]) })
    for (const [at, node] of group.entries()) {
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
  const names = new Set<string>()
  let count = 0
  for (const child of nodes) {
    if (!isElement(child)) continue
    if (child.name === 'li') return 'li'
    names.add(child.name)
    count += 1
  }
  const [name = ''] = names
  if (nodes.some(isColumnWithTitle)) return undefined
  return names.size === 1 && count > 1 && (ITEM_NAMES.has(name) || name.includes('-')) ? name : undefined
}

const ITEM_NAMES: ReadonlySet<string> = new Set(['a', 'article', 'div', 'span'])

/**
 * Returns the nodes of a list. Those of a column that holds nothing but items stand for the column: the items belong to
 * the list around it.
 */
function itemNodes({ children }: Element): readonly ChildNode[] {
  if (!children.some(mayBeColumn)) return children
  return children.flatMap((child) => itemsOfColumn(child) ?? [child])
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
    const last = groups.at(-1)
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

// Markdown allows at most nine digits, and no minus sign (CommonMark, list items).
function numberIn(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10)
  return number >= 0 && number < 1e8 ? number : undefined
}

/** Tells whether an item consists of a section, so that its list is no enumeration. */
function sectionState(item: ChildNode | undefined): ViewDetails {
  if (item === undefined || !isElement(item)) return {}
  const [only, ...others] = item.children.filter((child) => !isText(child) || child.data.trim() !== '')
  return only !== undefined && isElement(only) && only.name === 'section' && others.length === 0
    ? { isSection: true }
    : {}
}

/** Returns the state of a task item, which has a checkbox before its text. */
function taskState(item: ChildNode | undefined): ViewDetails {
  if (item === undefined || !isElement(item)) return {}
  const search: { box?: Element } = {}
  walk(item, findBox, undefined, search)
  return search.box === undefined ? {} : { checked: search.box.attribs['checked'] !== undefined }
}

function findBox(node: ChildNode, search: { box?: Element }): boolean | 'stop' {
  if (isText(node)) return node.data.trim() === '' ? true : 'stop'
  if (!isElement(node) || node.name === 'li') return isElement(node) ? 'stop' : true
  if (node.name !== 'input') return true
  if (node.attribs['type']?.toLowerCase() === 'checkbox') search.box = node
  return 'stop'
}
