import type { LearntBlocks, PageBlocks } from './repeated-block.js'

/** A repeated block. */
export interface LearntBlock {
  readonly reason: string
  /** True when the block is dropped only at the borders of the content, because it shares its position in the page with others. */
  readonly atBorder: boolean
}

/** Minimum share of the pages of a window that must have a block for it to be learnt. */
const MIN_LEARNT_SHARE = 0.8
/** Minimum share of later pages that must have a learnt block for it to stay learnt. */
const MIN_KEPT_SHARE = 0.5
/** Blocks learnt at once: all of them are sent to a worker thread with every page. */
const MAX_LEARNT = 256

/**
 * Infers the blocks that repeat on pages of one template.
 *
 * @param known blocks learnt from earlier pages
 * @param name of the template in messages
 * @returns `known` itself when nothing has changed
 */
export function inferRepeatedBlocks(
  pages: readonly PageBlocks[],
  known: ReadonlyMap<number, LearntBlock>,
  name: string,
): ReadonlyMap<number, LearntBlock> {
  const learnt = new Map<number, LearntBlock>()
  for (const [hash, { seen, alone }] of countBlocks(pages)) {
    const before = known.get(hash)
    const least = (before ? MIN_KEPT_SHARE : MIN_LEARNT_SHARE) * pages.length
    if (seen < least || learnt.size === MAX_LEARNT) continue
    const reason = before?.reason ?? `repeats on ${seen} of ${pages.length} pages of ${name}`
    learnt.set(hash, { reason, atBorder: alone < least })
  }
  return isSame(learnt, known) ? known : learnt
}

/** Groups blocks by reason, in the form that worker threads take. A negative hash means `atBorder`. */
export function groupByReason(learnt: ReadonlyMap<number, LearntBlock>): readonly LearntBlocks[] {
  const byReason = new Map<string, number[]>()
  for (const [hash, { reason, atBorder }] of learnt) {
    const hashes = byReason.get(reason) ?? []
    byReason.set(reason, hashes)
    hashes.push(atBorder ? -hash : hash)
  }
  return [...byReason].map(([reason, hashes]) => ({ reason, hashes: Float64Array.from(hashes) }))
}

/** Counts the pages that have each block (`seen`), and those where no other block has its position (`alone`). */
function countBlocks(pages: readonly PageBlocks[]): Map<number, { seen: number; alone: number }> {
  const counts = new Map<number, { seen: number; alone: number }>()
  for (const { hashes } of pages) {
    // A block that occurs twice on a page counts once.
    for (const signed of new Set(hashes)) {
      const hash = Math.abs(signed)
      const count = counts.get(hash) ?? { seen: 0, alone: 0 }
      counts.set(hash, count)
      count.seen += 1
      if (signed > 0) count.alone += 1
    }
  }
  return counts
}

function isSame(a: ReadonlyMap<number, LearntBlock>, b: ReadonlyMap<number, LearntBlock>): boolean {
  if (a.size !== b.size) return false
  for (const [hash, { atBorder }] of a) if (b.get(hash)?.atBorder !== atBorder) return false
  return true
}
