import { type ChildNode, type Element, append, isElement } from '../../html/tree.js'
import { takeChildren } from '../elements/create-element.js'

/** Name of the element for paragraphs without a mark, which continue the item before them. */
export const CONTINUATION = 'section'

const isList = (node: ChildNode | null | undefined): node is Element =>
  node !== null && node !== undefined && isElement(node) && /^(?:[uo]l|section)$/.test(node.name)

/** Tests if an item has no text of its own, only deeper lists. */
export const holdsOnlyLists = ({ children }: Element): boolean => children.length > 0 && children.every(isList)

/** Returns the list that the content of an element ends with. */
export const lastList = ({ lastChild }: Element): Element | undefined =>
  isList(lastChild) && lastChild.name !== CONTINUATION ? lastChild : undefined

/**
 * Joins a list to the one before it in `into`: paragraphs without a mark, and the deeper levels that it starts with.
 * Office programs write a deeper item in another list style as a list of its own, in items without text.
 *
 * @returns true if nothing is left of the list
 */
export function joinList(into: Element, list: Element): boolean {
  const before = lastList(into)
  const item = before?.lastChild
  if (list.name === CONTINUATION) {
    moveChildren(list, item !== null && item !== undefined && isElement(item) ? item : into)
    return true
  }
  const [first] = list.children
  if (first === undefined || !isElement(first) || !holdsOnlyLists(first)) return false
  if (item === null || item === undefined || !isElement(item)) return false
  for (const node of takeChildren(first)) if (isElement(node) && !joinList(item, node)) append(item, node)
  const rest = takeChildren(list).slice(1)
  for (const node of rest) append(list, node)
  return rest.length === 0
}

/** Moves all children of an element to the end of another. */
export function moveChildren(from: Element, to: Element): void {
  for (const node of takeChildren(from)) append(to, node)
}

/** Returns the list inside of levels that have only one item without text. */
export function withoutEmptyLevels(list: Element): Element {
  const [item] = list.children
  const only = list.children.length === 1 && item !== undefined && isElement(item) && holdsOnlyLists(item)
  const [inner] = only ? item.children : []
  return only && item.children.length === 1 && isList(inner) ? withoutEmptyLevels(inner) : list
}
