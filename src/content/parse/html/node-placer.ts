import { type ChildNode, type Element, type Text, append, insertBefore, isText, lastChildOf } from '../../html/tree.js'
import { adopt } from './adopt.js'

/** Puts nodes where the rules of tree construction want them. */
export interface NodePlacer {
  /** Adds a node as the last child of its parent, or before a table that cannot contain it. */
  place(node: ChildNode, parent: Element, before: Element | undefined): void
  /** Returns the text node at the same place that further text is added to; undefined if there is none. */
  textAt(parent: Element, before: Element | undefined): Text | undefined
  isEmpty(parent: Element): boolean
  /** Moves blocks out of an inline element: see {@link adopt}. @returns the number of elements made */
  moveOut(element: Element, blocks: readonly Element[], attributes?: Record<string, string>): number
}

/** Links nodes to a tree. */
export const treePlacer: NodePlacer = {
  place(node, parent, before) {
    if (before === undefined) append(parent, node)
    else insertBefore(before, node)
  },
  textAt(parent, before) {
    const last = before === undefined ? lastChildOf(parent) : before.prev
    return last && isText(last) ? last : undefined
  },
  isEmpty: (parent) => parent.children.length === 0,
  moveOut: adopt,
}
