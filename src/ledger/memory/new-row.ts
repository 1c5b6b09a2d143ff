import type { Attempt, Candidate, QueuePosition } from '../ledger.js'
import type { QueuedRow } from './row-queue.js'

/** A row as the book keeps it. */
export type BookRow = { -readonly [K in keyof QueuedRow]: QueuedRow[K] } & {
  /** How many rows there were before it. */
  readonly number: number
}

/** Most rows are never tried: they share one list rather than have one each. */
const NO_ATTEMPTS: readonly Attempt[] = []

/** Makes the row of a candidate that is to be queued. */
export function makeRow(
  candidate: Candidate,
  {
    number,
    place,
    site,
    nowMs,
  }: { readonly number: number; readonly place: QueuePosition; readonly site: string; readonly nowMs: number },
): BookRow {
  const { key, url, via, depth } = candidate
  // Written out, and the rest added in one order only where there is any: a row that is copied with `...` gets a hidden
  // class of its own, which takes up as much memory as the row and makes every change to it slow.
  const row: BookRow = {
    number,
    key,
    url,
    via,
    depth,
    place,
    site,
    outcome: 'queued',
    attempts: NO_ATTEMPTS,
    foundAtMs: nowMs,
  }
  if (candidate.foundOn !== undefined) row.foundOn = candidate.foundOn
  if (candidate.anchor !== undefined) row.anchor = candidate.anchor
  if (candidate.sources !== undefined) row.sources = candidate.sources
  if (candidate.lastmod !== undefined) row.lastmod = candidate.lastmod
  if (candidate.alternates !== undefined) row.alternates = candidate.alternates
  if (candidate.linksOnly !== undefined) row.linksOnly = candidate.linksOnly
  return row
}

/** Whether a row was refused before anything was tried. */
export const isRefusedUntried = (row: BookRow): boolean => row.outcome === 'skipped' && row.order === undefined
