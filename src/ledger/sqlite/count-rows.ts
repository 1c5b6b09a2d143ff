import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import { numberOf, textOf } from '../../sqlite/driver.js'
import type { Counts } from '../ledger.js'
import { AbridgedRows } from '../memory/abridged-rows.js'
import { readRow } from '../memory/new-row.js'
import { RowCounts } from '../memory/row-counts.js'
import type { SqliteFile } from './sqlite-file.js'

/** Rows read in one query. */
const ROWS_PER_READ = 500

/**
 * Counts the rows of a stored job without opening its ledger, which keeps every row in memory.
 *
 * @throws TrawlError `LEDGER_ERROR`
 */
export async function countRows(file: SqliteFile, jobId: string): Promise<Counts> {
  await file.flushed()
  const [counts, abridged] = [new RowCounts(), new AbridgedRows()]
  const found = file.statement('SELECT number FROM jobs WHERE id = ?').get(jobId)
  const job = found ? numberOf(found, 'number') : -1
  const pages = file.statement('SELECT number, row FROM pages WHERE job = ? AND number > ? ORDER BY number LIMIT ?')
  for (let last = -1, size = ROWS_PER_READ; size === ROWS_PER_READ;) {
    const rows = pages.all(job, last, ROWS_PER_READ)
    for (const row of rows) counts.count(readRow(textOf(row, 'row')), 1)
    size = rows.length
    last = numberOf(rows.at(-1) ?? { number: last }, 'number')
    await yieldIfHeld()
  }
  for (const row of file.statement('SELECT hash, facts FROM abridged WHERE job = ?').all(job)) {
    const { reason, times } = abridged.restore(numberOf(row, 'hash'), numberOf(row, 'facts'))
    counts.countAbridged(reason, times)
  }
  return counts.read()
}
