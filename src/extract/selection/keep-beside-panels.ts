import type { Element, Text } from '../../html/tree.js'
import type { Block, PageText } from '../blocks/read-blocks.js'

/** A page that was read with or without its panels, and the blocks kept of it. */
export interface ReadChoice {
  readonly read: PageText
  readonly kept: ReadonlySet<Block>
}

/** Share of the kept text above which a page consists of its panels. */
const MAX_TEXT = 0.5

/**
 * Adds the blocks to a choice that would be kept if the page had no panels.
 *
 * A control that opens an answer makes nothing else on the page less wanted. But blocks are judged by their share of the page and by
 * what stands around them, so long panels push out short blocks: the links of cards, the headings of other sections. With these
 * added, panels only add to the content. The exception is a page that consists of its panels: without them a box of links or
 * a sign-up is the most text that it has, and would be kept for want of better.
 *
 * @param choice made with the panels
 * @param panels hidden elements that a control opens
 * @param chooseWithout makes the choice without the panels
 */
export function keepBesidePanels(
  { read, kept }: ReadChoice,
  panels: ReadonlySet<Element>,
  chooseWithout: () => ReadChoice,
): ReadonlySet<Block> {
  if (panels.size === 0 || consistsOfPanels(read, kept, panels)) return kept
  const without = new Set<Text>()
  for (const { nodes } of chooseWithout().kept) for (const node of nodes) without.add(node)
  return new Set(read.blocks.filter((block) => kept.has(block) || block.nodes.some((node) => without.has(node))))
}

function consistsOfPanels({ regions }: PageText, kept: ReadonlySet<Block>, panels: ReadonlySet<Element>): boolean {
  const isInPanel = new Uint8Array(regions.length)
  // Children stand after their parents.
  for (const { at, element, parent } of regions)
    if (panels.has(element) || (parent !== undefined && isInPanel[parent.at] === 1)) isInPanel[at] = 1
  let all = 0
  let inPanels = 0
  for (const { region, text } of kept) {
    all += text.length
    if (isInPanel[region.at] === 1) inPanels += text.length
  }
  return inPanels > MAX_TEXT * all
}
