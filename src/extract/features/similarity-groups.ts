import { kindOf } from './sibling-features.js'
import type { Block, TextBlocks, Region } from '../blocks/read-blocks.js'

/** Groups of similar blocks that a block belongs to, as numbers; 0 for none. */
export interface SimilarityGroups {
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

/** Upper bound for the number of elements on a page. */
const MAX_ELEMENTS = 2 ** 21

/** Groups the blocks of a page by the similarity of their elements, so that siblings are kept or dropped together. */
export function findSimilarityGroups({ blocks, holders }: TextBlocks): SimilarityGroups[] {
  const names = new Map<string, number>()
  const pairs = new Map<number, number>()
  const pair = (first: number, second: number): number => intern(pairs, first * MAX_ELEMENTS + second)
  const kinds: number[] = []
  const likes = new Map<number, number>()
  const placeOf = (region: Region | undefined): number => (region === undefined ? 0 : region.at + 1)
  const kindAt = ({ at }: Region): number => kinds[at] ?? 0
  const likesOf = (region: Region): number => placeOf(region.parent) * MAX_ELEMENTS + kindAt(region)
  for (const region of holders) {
    kinds[region.at] = intern(names, kindOf(region.element))
    likes.set(likesOf(region), (likes.get(likesOf(region)) ?? 0) + 1)
  }
  const read = (region: Region): SimilarityGroups => {
    // The number of a kind may equal that of a pair, which now and then merges two groups. The model was trained with
    // this.
    let path = kindAt(region)
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
      if (level > 0) path = pair(path, kindAt(at))
      if (level <= SHORT_PATH_LEVELS) short = path
      if (level <= LONG_PATH_LEVELS) long = path
      const count = at.parent === undefined ? 1 : (likes.get(likesOf(at)) ?? 1)
      if (count < 2) continue
      if (inner === 0) inner = pair(path, MAX_ELEMENTS - placeOf(at.parent))
      if (count <= most) continue
      most = count
      outer = pair(path, MAX_ELEMENTS - placeOf(at.parent))
    }
    return { inner, outer, short, long }
  }
  const known = new Map<Region, SimilarityGroups>()
  return blocks.map(({ region }: Block) => {
    const forms = known.get(region) ?? read(region)
    known.set(region, forms)
    return forms
  })
}

function intern<Key>(numbers: Map<Key, number>, key: Key): number {
  const number = numbers.get(key) ?? numbers.size + 1
  numbers.set(key, number)
  return number
}
