import { type IndexedRow, readRow } from './new-row.js'
import { RowIndex } from './row-index.js'

/** Maximum number of rows that are packed: to write and read more would hold up the host's thread. */
const MAX_ROWS = 50

/** Rules for rows that have all ended: none is leased. */
const NO_RULES = { limit: 0, holdLevelMs: 0 }

/**
 * Packs the rows of a job that has ended as text, one a line. The index of one row takes 1.9 KB of heap, its text 0.4: a service may
 * have ended ten thousand small jobs.
 *
 * @returns undefined where they are too many, abridged, or have not all ended
 */
export function packRows(index: RowIndex): string | undefined {
  const { queued, active, abridged } = index.counts()
  if (queued > 0 || active > 0 || abridged !== undefined || index.size > MAX_ROWS) return undefined
  // One text, also of one row: what `JSON.stringify` returns is made of many parts.
  return [...index.rows().map((row) => JSON.stringify(row)), ''].join('\n')
}

/** Makes an index of packed rows. @param changed called before a row changes, with the index that it changes in */
export function unpackRows(text: string, changed: (row: IndexedRow, index: RowIndex) => void): RowIndex {
  const index: RowIndex = new RowIndex(NO_RULES, (row) => changed(row, index))
  for (const line of text.split('\n')) if (line !== '') index.restore(readRow(line))
  return index
}
