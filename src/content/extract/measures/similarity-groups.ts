import { onceFor } from '../../../base/collections/once-for.js'
import { PairNumbers } from '../../../base/collections/pair-numbers.js'
import { findKinds } from './element-kinds.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Groups of similar blocks that a block belongs to, as numbers; 0 for none. */
interface SimilarityGroups {
  /**
   * Blocks at the same path below similar siblings, for the innermost such siblings: the cells of a row, or the prices
   * of all cards.
   */
  readonly inner: number
  /** Like {@link inner}, for the largest group of similar siblings around the block. */
  readonly outer: number
  /** All blocks of the page with the same two, or the same four, innermost elements. */
  readonly short: number
  readonly long: number
}

/** Levels of ancestors that are examined: all elements further out have siblings. */
const MAX_LEVELS = 7
const SHORT_PATH_LEVELS = 1
const LONG_PATH_LEVELS = 3

/** Groups the blocks of a page by the similarity of their elements, so that siblings are kept or dropped together. */
export const findSimilarityGroups: (page: TextBlocks) => readonly SimilarityGroups[] = onceFor(groupBlocks)

function groupBlocks(page: TextBlocks): SimilarityGroups[] {
  const { blocks, regions, holders } = page
  const paths = new PairNumbers()
  const kinds = findKinds(page).ofRegions
  /** The number of each region's parent and kind, and how many regions have the same. */
  const siblings = new PairNumbers()
  const likesOf = new Int32Array(regions.length)
  const likes = new Int32Array(holders.length + 1)
  for (const { at, parent } of holders) {
    const number = siblings.numberOf(placeOf(parent), kinds[at] ?? 0)
    likesOf[at] = number
    likes[number] = (likes[number] ?? 0) + 1
  }
  const read = (region: Region): SimilarityGroups => {
    // The number of a kind may equal that of a pair, which now and then merges two groups. The model was trained with
    // this.
    let path = kinds[region.at] ?? 0
    let inner = 0
    let outer = 0
    let most = 1
    let short = path
    let long = path
    for (
      let level = 0, at: Region | undefined = region;
      level < MAX_LEVELS && at !== undefined;
      level += 1, at = at.parent
    ) {
      if (level > 0) path = paths.numberOf(path, kinds[at.at] ?? 0)
      if (level <= SHORT_PATH_LEVELS) short = path
      if (level <= LONG_PATH_LEVELS) long = path
      const count = at.parent === undefined ? 1 : (likes[likesOf[at.at] ?? 0] ?? 1)
      if (count < 2) continue
      // No kind has a negative number.
      if (inner === 0) inner = paths.numberOf(path, -placeOf(at.parent))
      if (count <= most) continue
      most = count
      outer = paths.numberOf(path, -placeOf(at.parent))
    }
    return { inner, outer, short, long }
  }
  const known: SimilarityGroups[] = []
  return blocks.map(({ region }: Block) => (known[region.at] ??= read(region)))
}

const placeOf = (region: Region | undefined): number => (region === undefined ? 0 : region.at + 1)
