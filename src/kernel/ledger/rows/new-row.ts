import type { Mutable } from '../../../base/collections/mutable.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { Attempt, UrlCandidate, QueuePosition } from '../ledger.js'
import type { QueueableRow } from './row-queue.js'

/** A row in the index, mutable. */
export type IndexedRow = Mutable<QueueableRow> & {
  /** Index in the order of discovery, from 0. */
  readonly number: number
}

/** Shared by all rows without attempts, which are most of them. */
const NO_ATTEMPTS: readonly Attempt[] = []

/** Creates the row of a candidate, queued. */
export function createRow(
  candidate: UrlCandidate,
  {
    number,
    place,
    site,
    nowMs,
  }: { readonly number: number; readonly place: QueuePosition; readonly site: string; readonly nowMs: number },
): IndexedRow {
  const { key, url, via, depth } = candidate
  // Fields are written out, and optional ones added in a fixed order: a row copied with `...` gets a hidden class of
  // its own in V8, which takes as much memory as the row and slows down every change to it.
  const row: IndexedRow = {
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
  if (candidate.score !== undefined) row.score = candidate.score
  if (candidate.linksOnly !== undefined) row.linksOnly = candidate.linksOnly
  return row
}

/**
 * Tests for a row that a rule refused before any attempt. A row that a page claimed, because it ended up at this URL, is
 * none: its page was scraped.
 */
export const isRefusedUntried = (row: IndexedRow): boolean =>
  row.outcome === 'skipped' && row.order === undefined && row.refusal?.reason !== 'DUPLICATE'

/** Parses a row that `JSON.stringify` has written. */
export function readRow(text: string): IndexedRow {
  const row = parseJson(text) as IndexedRow
  const [page, index] = row.place as readonly [number | null, number]
  // JSON writes Infinity as null.
  row.place = [page ?? Infinity, index]
  return row
}
