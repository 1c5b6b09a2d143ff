import { cutText } from '../../base/text/cut-text.js'
import { type ChildNode, Element, isElement, isText, type ParentNode, walk } from './tree.js'

/**
 * Removes the end of a tree.
 *
 * @param lengthOf returns the length that a node has, without its children: those after the first node that does not fit are removed,
 * and a text is cut
 * @param most maximum length of all nodes together
 * @returns true if anything was removed
 */
export function shortenTree(root: ParentNode, lengthOf: (node: ChildNode) => number, most: number): boolean {
  let left = most
  let last: ChildNode | undefined
  walk(root, (node) => {
    left -= lengthOf(node)
    if (left > 0) return true
    last = node
    return 'stop'
  })
  if (last === undefined) return false
  const isShortened = truncateNode(last, -left)
  return removeAfter(last) || isShortened
}

/** Removes the children of a node, and its characters beyond the limit. @returns true if anything was removed */
function truncateNode(node: ChildNode, excess: number): boolean {
  if (isText(node)) {
    if (excess <= 0) return false
    node.data = cutText(node.data, Math.max(0, node.data.length - excess))
    return true
  }
  if (!isElement(node)) return false
  const isDropped = node.children.length > 0
  node.children = []
  return isDropped
}

/** Removes all nodes after a node. @returns true if there were any */
function removeAfter(last: ChildNode): boolean {
  let isCut = false
  for (let at: ChildNode = last; at.parent !== null;) {
    const { parent } = at
    isCut ||= at.next !== null
    at.next = null
    parent.children.length = parent.children.indexOf(at) + 1
    if (!(parent instanceof Element)) break
    at = parent
  }
  return isCut
}
