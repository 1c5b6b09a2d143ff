import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { numberIn, numberOf, type SqlRow, type SqlValue, textIn, textOf } from '../../../base/sqlite/driver.js'
import type { Counts, Outcome, SkipReason } from '../ledger.js'
import { reasonOf } from '../rows/abridged-rows.js'
import type { SqliteFile } from './sqlite-file.js'

/** Rows counted by one query, so that the host's event loop is not blocked for long: a thousand take 2 to 4 ms of processor time. */
const ROWS_PER_QUERY = 1000

/** Counts as {@link RowCounts} does: a page is one document for each time that a batch lists it. */
const COUNT_PAGES = `SELECT row ->> '$.outcome' AS outcome, row ->> '$.refusal.reason' AS reason,
    sum(max(1, coalesce(json_array_length(row, '$.sources'), 1))) AS pages, sum(coalesce(row ->> '$.credits', 0)) AS credits
  FROM pages WHERE job = ? AND number >= ? AND number < ? GROUP BY 1, 2`

/** Unpacks what {@link packRow} has packed; a negative hash stands for as many URLs as `facts` says. */
const COUNT_ABRIDGED = `SELECT CASE WHEN hash < 0 THEN -1 - hash ELSE (facts >> 48) * 16 + (facts & 15) END AS reason,
    sum(CASE WHEN hash < 0 THEN facts ELSE 1 END) AS pages
  FROM abridged WHERE job = ? AND hash >= ? AND hash < ? GROUP BY 1`

/**
 * Counts the rows of a stored job without opening its ledger, which keeps every row in memory.
 *
 * @throws TrawlError `LEDGER_ERROR`
 */
export async function countRows(file: SqliteFile, jobId: string): Promise<Counts> {
  await file.flushed()
  const found = file.statement('SELECT number FROM jobs WHERE id = ?').get(jobId)
  const job = found ? numberOf(found, 'number') : -1
  const outcomes: Record<Outcome, number> = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0 }
  const reasons = new Map<SkipReason, number>()
  const addSkipped = (reason: SkipReason, pages: number): void => {
    outcomes.skipped += pages
    reasons.set(reason, (reasons.get(reason) ?? 0) + pages)
  }
  let [credits, abridged] = [0, 0]
  for await (const row of readParts(file, { sql: COUNT_PAGES, table: 'pages', key: 'number' }, job)) {
    const [outcome, reason, pages] = [textOf(row, 'outcome') as Outcome, textIn(row, 'reason'), numberOf(row, 'pages')]
    credits += numberOf(row, 'credits')
    if (outcome === 'skipped' && reason !== undefined) addSkipped(reason as SkipReason, pages)
    else outcomes[outcome] += pages
  }
  for await (const row of readParts(file, { sql: COUNT_ABRIDGED, table: 'abridged', key: 'hash' }, job)) {
    const pages = numberOf(row, 'pages')
    abridged += pages
    addSkipped(reasonOf(numberOf(row, 'reason')), pages)
  }
  const skippedByReason = Object.fromEntries(reasons)
  return { ...outcomes, credits, skippedByReason, abridged: abridged > 0 ? abridged : undefined }
}

/** A query over a part of a table: those rows of a job whose key is in a range. */
interface PartQuery {
  readonly sql: string
  readonly table: string
  readonly key: string
}

/** Runs a query part by part, and lets the host go on in between. */
async function* readParts(
  file: SqliteFile,
  { sql, table, key }: PartQuery,
  job: number,
): AsyncGenerator<SqlRow, void, void> {
  const findEnd = file.statement(
    `SELECT ${key} AS next FROM ${table} WHERE job = ? AND ${key} >= ? ORDER BY ${key} LIMIT 1 OFFSET ${ROWS_PER_QUERY}`,
  )
  const query = file.statement(sql)
  for (let [start, end] = [-Infinity, 0] as [SqlValue & number, number]; end < Infinity; start = end) {
    end = numberIn(findEnd.get(job, start) ?? {}, 'next') ?? Infinity
    yield* query.all(job, start, end)
    await yieldIfHeld()
  }
}
