import type { LearntBlocks, PageBlocks } from '../../extract/repeats/repeated-block.js'

/** What is known of a learnt block. */
export interface Learnt {
  readonly reason: string
  /** Whether it is dropped at the borders of the content alone: it shares its place in the page with others. */
  readonly atBorder: boolean
}

/** On this share of the pages a block has to stand to be learnt. */
const LEARNT_SHARE = 0.8
/** A learnt block that stands on less than this share of later pages is unlearnt. */
const KEPT_SHARE = 0.5
/** Blocks known at once: they go to a thread with every page. */
const MAX_LEARNT = 256

/**
 * What some pages of a template teach, beside what was learnt of it before.
 *
 * @param name of the template, for a reader
 * @returns `known` itself when they teach nothing new
 */
export function inferRepeatedBlocks(
  pages: readonly PageBlocks[],
  known: ReadonlyMap<number, Learnt>,
  name: string,
): ReadonlyMap<number, Learnt> {
  const learnt = new Map<number, Learnt>()
  for (const [hash, { seen, alone }] of countBlocks(pages)) {
    const before = known.get(hash)
    const least = (before ? KEPT_SHARE : LEARNT_SHARE) * pages.length
    if (seen < least || learnt.size === MAX_LEARNT) continue
    const reason = before?.reason ?? `repeats on ${seen} of ${pages.length} pages of ${name}`
    learnt.set(hash, { reason, atBorder: alone < least })
  }
  return isSame(learnt, known) ? known : learnt
}

/** The same for a thread. */
export function writeLearnt(learnt: ReadonlyMap<number, Learnt>): readonly LearntBlocks[] {
  const byReason = new Map<string, number[]>()
  for (const [hash, { reason, atBorder }] of learnt) {
    const hashes = byReason.get(reason) ?? []
    byReason.set(reason, hashes)
    hashes.push(atBorder ? -hash : hash)
  }
  return [...byReason].map(([reason, hashes]) => ({ reason, hashes: Float64Array.from(hashes) }))
}

/** On how many pages each block stands, and on how many of them it has its place to itself. */
function countBlocks(pages: readonly PageBlocks[]): Map<number, { seen: number; alone: number }> {
  const counts = new Map<number, { seen: number; alone: number }>()
  for (const { hashes } of pages) {
    // A block that stands on a page twice is on one page.
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

function isSame(a: ReadonlyMap<number, Learnt>, b: ReadonlyMap<number, Learnt>): boolean {
  if (a.size !== b.size) return false
  for (const [hash, { atBorder }] of a) if (b.get(hash)?.atBorder !== atBorder) return false
  return true
}
