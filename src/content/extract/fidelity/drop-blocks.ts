import { type ChildNode, type Element, setChildren, textOf } from '../../html/tree.js'
import { type DroppedBlock, describeDropped } from './dropped-block.js'

/** A block to leave out of the content. */
export interface BlockToDrop {
  readonly element: Element
  readonly reason: string
}

/**
 * Removes blocks from their content. Each parent's children are rebuilt once, so that many blocks of one parent cost no
 * more than one.
 */
export function dropBlocks(blocks: readonly BlockToDrop[]): DroppedBlock[] {
  const going = new Set<ChildNode>(blocks.map(({ element }) => element))
  for (const parent of new Set(blocks.map(({ element }) => element.parent))) {
    if (parent === null) continue
    setChildren(
      parent,
      parent.children.filter((child) => !going.has(child)),
    )
  }
  return blocks.map(({ element, reason }) => describeDropped(element, textOf(element), reason))
}
