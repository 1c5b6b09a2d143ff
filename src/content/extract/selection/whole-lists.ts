import type { Block, Region } from '../blocks/block.js'

/** Minimum items of a list. */
const MIN_ITEMS = 3
/** Minimum share of a list's words that is kept for the rest to be kept as well. */
const MIN_KEPT_SHARE = 0.5
/** The same for a list in the text. Its steps are needed more than the rest of a list of links. */
const MIN_KEPT_SHARE_IN_TEXT = 0.25
/** Maximum share of links in a list that is text. */
const MAX_LINK_SHARE = 0.5

/**
 * Adds or removes the rest of lists of which some items are kept, if each item is one block. A step of an instruction, or a fact
 * about a product, is worth nothing without the others. Lists of terms are no such lists: forums write the author of a post as one. The
 * sets of the collection have the same F1 with it and without.
 *
 * @param isAccepted true for a region that the markup rules take for content
 */
export function keepListsWhole(
  blocks: readonly Block[],
  kept: Set<Block>,
  isAccepted: (region: Region) => boolean,
): void {
  for (const items of findPlainLists(blocks)) {
    const share = wordsOf(items.filter((block) => kept.has(block))) / wordsOf(items)
    if (share === 0 || share === 1) continue
    const isText = sumOf(items, ({ link }) => link) <= MAX_LINK_SHARE * sumOf(items, ({ text }) => text.length)
    const least = isText && items.every(({ region }) => isAccepted(region)) ? MIN_KEPT_SHARE_IN_TEXT : MIN_KEPT_SHARE
    for (const block of items) {
      if (share >= least) kept.add(block)
      else kept.delete(block)
    }
  }
}

/** Finds the lists whose items have one block each. */
function findPlainLists(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const lists = new Map<Region, { readonly blocks: Block[]; readonly items: Set<Region> }>()
  for (const block of blocks) {
    const item = findItem(block.region)
    const region = item?.parent
    if (item === undefined || region === undefined || !/^[uo]l$/.test(region.element.name)) continue
    const list = lists.get(region) ?? { blocks: [], items: new Set() }
    lists.set(region, list)
    list.blocks.push(block)
    list.items.add(item)
  }
  return [...lists.values()]
    .filter((list) => list.items.size === list.blocks.length && list.blocks.length >= MIN_ITEMS)
    .map((list) => list.blocks)
}

function findItem(region: Region): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && at.element.name !== 'li') at = at.parent
  return at
}

const sumOf = (blocks: readonly Block[], amountOf: (block: Block) => number): number =>
  blocks.reduce((sum, block) => sum + amountOf(block), 0)

/** A block without a word counts as one. */
const wordsOf = (blocks: readonly Block[]): number => sumOf(blocks, ({ words }) => Math.max(1, words))
