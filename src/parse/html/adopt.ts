import { type ChildNode, Element, append } from '../../html/tree.js'

/**
 * Applies what browsers do when inline mark-up ends inside a block that it began outside of, as in `<a><div>one</a>
 * two</div>`: the block moves out of it, and what the block held until then is marked up by a copy inside it.
 *
 * @param element the mark-up, no longer open
 * @param blocks the open blocks inside it, from the outermost
 * @returns how many nodes were made
 * @see WHATWG HTML 13.2.6.4.7, "adoption agency algorithm"
 */
export function adopt(element: Element, blocks: readonly Element[]): number {
  const [outermost] = blocks
  const { parent } = element
  if (outermost === undefined || parent === null) return 0
  detach(outermost)
  append(parent, outermost)
  let made = 0
  for (const block of blocks) {
    // Inside all but the innermost, the last child leads to the next block and stays as it is.
    const open = block === blocks.at(-1) ? undefined : block.children.at(-1)
    const held = block.children.filter((child) => child !== open)
    if (held.length === 0) continue
    const copy = new Element(element.name, { ...element.attribs })
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
