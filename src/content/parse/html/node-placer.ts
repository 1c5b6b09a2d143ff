import { type ChildNode, Element, type Text, append, insertBefore, isText, lastChildOf } from '../../html/tree.js'

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

/**
 * Moves blocks out of an inline element that was closed inside of them, as browsers do. `<a><div>one</a> two</div>`
 * becomes `<a></a><div><a>one</a> two</div>`: a copy of the inline element goes around the contents that each block had
 * so far.
 *
 * @param element the inline element, which is not on the stack of open elements any more
 * @param blocks the open blocks inside it, outermost first
 * @param attributes those of each copy. @default those of the element
 * @returns the number of copies
 * @see https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm
 */
function adopt(element: Element, blocks: readonly Element[], attributes = element.attribs): number {
  const [outermost] = blocks
  const { parent } = element
  if (outermost === undefined || parent === null) return 0
  detach(outermost)
  append(parent, outermost)
  let made = 0
  for (const block of blocks) {
    // The last child of every block but the innermost contains the next block. It is not moved into the copy.
    const open = block === blocks.at(-1) ? undefined : block.children.at(-1)
    const held = block.children.filter((child) => child !== open)
    if (held.length === 0) continue
    const copy = new Element(element.name, { ...attributes })
    move(held, copy)
    block.children = []
    append(block, copy)
    if (open !== undefined) {
      open.prev = null
      append(block, open)
    }
    made += 1
  }
  return made
}

function detach(node: ChildNode): void {
  const { parent, prev, next } = node
  if (parent !== null) parent.children.splice(parent.children.lastIndexOf(node), 1)
  if (prev !== null) prev.next = next
  if (next !== null) next.prev = prev
  node.prev = null
  node.next = null
}

function move(nodes: readonly ChildNode[], to: Element): void {
  for (const node of nodes) {
    node.prev = null
    node.next = null
    append(to, node)
  }
}
