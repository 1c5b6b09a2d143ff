import type { Element, Text } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** A page read with or without its panels, and the blocks kept of it. */
interface ReadChoice {
  readonly read: TextBlocks
  readonly kept: ReadonlySet<Block>
}

/** Share of the kept text above which a page counts as consisting of its panels. */
const MAX_PANEL_SHARE = 0.5

/**
 * Adds the blocks to a choice that would be kept if the page had no panels.
 *
 * Features of a block are relative to its page and its surroundings, so that long panels push out short blocks such as
 * the links of cards and the headings of other sections. With this addition, panels only add content. The exception is
 * a page that consists of its panels: without them, a box of links or a sign-up form would be most of its text, and
 * would be kept.
 *
 * @param choice made with the panels
 * @param panels hidden elements that a control on the page opens
 * @param chooseWithout makes the choice without the panels
 */
export function keepBesidePanels(
  { read, kept }: ReadChoice,
  panels: ReadonlySet<Element>,
  chooseWithout: () => ReadChoice,
): ReadonlySet<Block> {
  if (consistsOfPanels(read, kept, panels)) return kept
  const without = new Set<Text>()
  for (const { nodes } of chooseWithout().kept) for (const node of nodes) without.add(node)
  return new Set(read.blocks.filter((block) => kept.has(block) || block.nodes.some((node) => without.has(node))))
}

function consistsOfPanels({ regions }: TextBlocks, kept: ReadonlySet<Block>, panels: ReadonlySet<Element>): boolean {
  const isInPanel = new Uint8Array(regions.length)
  // Parents stand before their children.
  for (const { at, element, parent } of regions)
    if (panels.has(element) || (parent !== undefined && isInPanel[parent.at] === 1)) isInPanel[at] = 1
  let all = 0
  let inPanels = 0
  for (const { region, text } of kept) {
    all += text.length
    if (isInPanel[region.at] === 1) inPanels += text.length
  }
  return inPanels > MAX_PANEL_SHARE * all
}
