import { diffLines, type LineDiff } from './line-diff.js'
import { type ChangedBlock, matchPassages, shortenHeadings } from './match-passages.js'
import { readPassages } from './read-passages.js'

/** Settings of a comparison: the slice of the plan for `compare`. */
interface ComparePlan {
  /** The page's Markdown at the last scrape. */
  readonly previous: string
  /** True when the differences are returned. */
  readonly diff: boolean
  /** Maximum length of all headings of the blocks together: a heading stands in each block below it. Characters. @default none */
  readonly maxHeadings?: number
}

/** The differences, by line and by block. */
export interface PageDiff extends LineDiff {
  /** The added, removed, moved and edited blocks, in the order of the page. */
  blocks: ChangedBlock[]
}

/** The result of a comparison. */
export interface Comparison {
  readonly isChanged: boolean
  /** Set when the page has changed and the differences were requested. */
  readonly diff?: PageDiff
  /** Number of blocks of it that are without their outer headings; absent for none. */
  readonly shortened?: number
}

/**
 * Compares a page's Markdown with the last one. Ignored are white space outside of code, embedded frames,
 * advertisements, and text that varies with each visit (ages, counters, times of update, tokens in URLs).
 *
 * @see docs/compatibility/documents.md#change-tracking
 */
export function compare(current: string, { previous, diff, maxHeadings = Infinity }: ComparePlan): Comparison {
  if (previous === current) return { isChanged: false }
  const [before, after] = [readPassages(previous), readPassages(current)]
  const text = (passages: typeof before): string => passages.map(({ key }) => key).join('')
  if (text(before) === text(after)) return { isChanged: false }
  if (!diff) return { isChanged: true }
  const blocks = matchPassages(before, after)
  const shortened = shortenHeadings(blocks, maxHeadings)
  return {
    isChanged: true,
    diff: { ...diffLines(previous, current), blocks },
    shortened: shortened > 0 ? shortened : undefined,
  }
}
