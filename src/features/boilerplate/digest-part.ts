import type { DigestPart } from '../../content/digest/digest-part.js'
import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import { MAX_BLOCKS } from './content-blocks.js'
import { findRepeats } from './find-repeats.js'
import {
  type LearntBlocks,
  mayDrop,
  type PackedBlocks,
  packBlocks,
  type PageBlocks,
  unpackBlocks,
} from './repeated-block.js'

/** Learnt blocks that occur on one page. `atBorder` is true if a block is dropped only at the start and end of the content. */
type OwnLearnt = readonly (readonly [hash: number, atBorder: boolean, reason: string])[]

/** Leaves out blocks that repeat on other pages. */
export const boilerplate: DigestPart<LearntBlocks, PackedBlocks, OwnLearnt> = {
  feature: 'boilerplate',
  version: 1,
  find(content, learnt) {
    const found = findRepeats(content, learnt)
    return found && { tells: packBlocks(found.blocks), blocks: found.learnt }
  },
  pick: (tells, learnt) => (tells ? findOwn(unpackBlocks(tells), learnt) : []),
  // Reasons are not compared, because their counts of pages change during a crawl.
  areSame: (one, other) =>
    one.length === other.length &&
    one.every(([hash, atBorder], index) => hash === other[index]?.[0] && atBorder === other[index]?.[1]),
  restate,
}

/** Finds the learnt blocks that occur on a page; none if it keeps them all. If it has more blocks than it describes, all learnt ones count. */
function findOwn(blocks: PageBlocks, learnt: readonly LearntBlocks[]): OwnLearnt {
  if (!mayDrop(blocks, learnt)) return []
  const { hashes } = blocks
  const own = hashes.length < MAX_BLOCKS ? new Set(Array.from(hashes, Math.abs)) : undefined
  const found = new Map<number, OwnLearnt[number]>()
  for (const part of learnt) {
    for (const signed of part.hashes) {
      const hash = Math.abs(signed)
      if (own && !own.has(hash)) continue
      const [, atBorder = true, reason = part.reason] = found.get(hash) ?? []
      found.set(hash, [hash, atBorder && signed < 0, reason])
    }
  }
  return [...found.values()].sort(([a], [b]) => a - b)
}

function restate(blocks: readonly DroppedBlock[], before: OwnLearnt, now: OwnLearnt): DroppedBlock[] | undefined {
  const reasons = new Map<string, Set<string>>()
  for (const [index, [, , old]] of before.entries()) {
    const known = reasons.get(old) ?? new Set()
    reasons.set(old, known.add(now[index]?.[2] ?? old))
  }
  // If one stored reason corresponds to two current ones, the stored blocks cannot be assigned to them.
  if (blocks.some(({ reason }) => (reasons.get(reason)?.size ?? 1) > 1)) return undefined
  return blocks.map((block) => ({ ...block, reason: [...(reasons.get(block.reason) ?? [])][0] ?? block.reason }))
}
