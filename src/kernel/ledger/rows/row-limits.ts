import type { UrlCandidate } from '../ledger.js'
import type { RowCounts } from './row-counts.js'

/**
 * Limits of the rows that a job keeps whole. A site may link to any number of URLs of up to 8000 characters each;
 * beyond these limits a row is abridged to the reason why it was not scraped.
 */
export const rowLimits = {
  /**
   * Queued rows beyond those that `limit` can still use, as a reserve for failures and duplicates. At least `limit`.
   */
  reserve: 20_000,
  /** Characters held by all queued rows. */
  waitingCharacters: 64 * 1024 * 1024,
  /** Refused rows. */
  refused: 100_000,
  /** Characters held by all refused rows. */
  refusedCharacters: 32 * 1024 * 1024,
  /** Abridged rows. Beyond them URLs are only counted, by reason. */
  abridged: 200_000,
} as const

/** Tests for room to keep a candidate's row whole. Seeds are always kept. */
export function canKeepRow({ via, refused }: UrlCandidate, counts: RowCounts, limit: number): boolean {
  if (via === 'seed') return true
  if (refused) {
    return counts.refused < rowLimits.refused && counts.characters.skipped < rowLimits.refusedCharacters
  }
  const most = limit - counts.byOutcome.done + Math.max(limit, rowLimits.reserve)
  return counts.byOutcome.queued < most && counts.characters.queued < rowLimits.waitingCharacters
}
