import { diffLines, type LineDiff } from './line-diff.js'
import { type ChangedBlock, matchPassages } from './match-passages.js'
import { readPassages } from './read-passages.js'

/** What a page is compared with: the slice of the plan that the comparison reads. */
export interface ComparePlan {
  /** The page's Markdown as it was. */
  readonly previous: string
  /** Whether the differences are told. */
  readonly diff: boolean
}

/** What differs, line by line and block by block. */
export interface PageDiff extends LineDiff {
  /** The blocks that were added, removed, moved or edited, in the order of the page. */
  blocks: ChangedBlock[]
}

/** How a page stands to what it was. */
export interface Comparison {
  readonly isChanged: boolean
  /** When it is changed and the differences were asked for. */
  readonly diff?: PageDiff
}

/**
 * Compares a page's Markdown with what it was. White space outside of code, embedded frames, advertisements and what is
 * another at every visit (ages, counters, times of update, tokens in URLs) make no difference.
 *
 * @see docs/compatibility.md#change-tracking
 */
export function compare(current: string, { previous, diff }: ComparePlan): Comparison {
  if (previous === current) return { isChanged: false }
  const [before, after] = [readPassages(previous), readPassages(current)]
  const text = (passages: typeof before): string => passages.map(({ key }) => key).join('')
  if (text(before) === text(after)) return { isChanged: false }
  if (!diff) return { isChanged: true }
  return { isChanged: true, diff: { ...diffLines(previous, current), blocks: matchPassages(before, after) } }
}
