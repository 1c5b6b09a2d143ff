import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSimilarityGroups } from '../measures/similarity-groups.js'

/** Minimum lines that are alike. */
const MIN_ALIKE = 3
/** Minimum share of them that stand between kept lines of another form. */
const MIN_BETWEEN_SHARE = 0.9
/** Minimum mean probability of them. */
const MIN_MEAN = 0.35
/** Kept lines count as around a line if they are at most this many blocks away. */
const MAX_DISTANCE = 2

/** A choice of blocks, and its inputs. */
interface Choice {
  readonly read: TextBlocks
  readonly probabilities: Float64Array
  readonly verdictOf: (region: Region) => number
}

/**
 * Finds the lines that each of several cards has between its kept lines, such as the tags of a product: a card is
 * content as a whole. The items of lists are not cards' lines.
 */
export function findAlikeLines({ read, probabilities, verdictOf }: Choice, kept: ReadonlySet<Block>): Block[] {
  // Most pages have left out nothing that the rules accept.
  const left = read.blocks.filter(
    (block) => !kept.has(block) && block.region.element.name !== 'li' && verdictOf(block.region) === 1,
  )
  if (left.length === 0) return []
  const groups = findSimilarityGroups(read)
  const groupOf = ({ at }: Block): number => groups[at]?.long ?? 0
  const isKept = (block: Block | undefined, group: number): boolean =>
    block !== undefined && kept.has(block) && groupOf(block) !== group
  const isNear = (at: number, step: 1 | -1, group: number): boolean => {
    for (let nth = 1; nth <= MAX_DISTANCE; nth += 1) if (isKept(read.blocks[at + nth * step], group)) return true
    return false
  }
  const isBetween = ({ at }: Block, group: number): boolean => isNear(at, -1, group) && isNear(at, 1, group)
  const alike = new Map<number, { readonly blocks: Block[]; sum: number; between: number }>()
  for (const block of read.blocks) {
    const group = groupOf(block)
    const lines = alike.get(group) ?? { blocks: [], sum: 0, between: 0 }
    alike.set(group, lines)
    lines.blocks.push(block)
    lines.sum += probabilities[block.at] ?? 0
    if (isBetween(block, group)) lines.between += 1
  }
  const found = [...alike.values()].filter(
    ({ blocks: { length }, sum, between }) =>
      length >= MIN_ALIKE && between >= MIN_BETWEEN_SHARE * length && sum >= MIN_MEAN * length,
  )
  const lines = new Set(found.flatMap(({ blocks }) => blocks))
  return left.filter((block) => lines.has(block))
}
