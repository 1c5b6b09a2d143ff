import type { Candidate } from '../ledger.js'
import type { RowCounts } from './row-counts.js'

/**
 * The rows that a job keeps whole. A site may name any number of URLs, of up to 8000 characters each: what comes beyond these
 * limits is abridged to the reason why it was not scraped.
 */
export const rowLimits = {
  /** Rows that wait beside those that `limit` can still use: for pages that fail, or turn out to be copies. At least `limit`. */
  reserve: 20_000,
  /** Characters of all rows that wait. */
  waitingCharacters: 64 * 1024 * 1024,
  /** Rows that were refused. */
  refused: 100_000,
  /** Characters of all rows that were refused. */
  refusedCharacters: 32 * 1024 * 1024,
  /** URLs of which the reason is kept. Of what comes beyond them there is but a count. */
  abridged: 200_000,
} as const

/** Whether a row can be kept for a candidate. What the caller has named is always kept. */
export function hasRoom({ via, refused }: Candidate, counts: RowCounts, limit: number): boolean {
  if (via === 'seed') return true
  if (refused) {
    return counts.refused < rowLimits.refused && counts.charactersOf('skipped') < rowLimits.refusedCharacters
  }
  const most = limit - counts.of('done') + Math.max(limit, rowLimits.reserve)
  return counts.of('queued') < most && counts.charactersOf('queued') < rowLimits.waitingCharacters
}
