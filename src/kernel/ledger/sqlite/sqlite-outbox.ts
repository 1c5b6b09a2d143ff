import { type IndexedReport, OutboxIndex } from '../memory/outbox-index.js'
import { numberOf, textOf } from '../../../base/sqlite/driver.js'
import type { SqliteFile } from './sqlite-file.js'
import type { SqliteJobWriter } from './sqlite-job-writer.js'
import { parseJson } from '../../../base/text/parse-json.js'

/**
 * Opens the reports of a job in an SQLite file. The row of a delivered report stays until the job is deleted, so that
 * its number is never used again.
 *
 * @param job number of the job in the file
 */
export function openSqliteOutbox(file: SqliteFile, writer: SqliteJobWriter, job: number): OutboxIndex {
  const outbox = new OutboxIndex({
    save: (report, isDelivered) => writer.write(report, () => write(file, job, report, isDelivered)),
    flush: () => writer.flushed(),
  })
  const left = file
    .statement(
      `SELECT delivered, report FROM reports WHERE job = ? AND (delivered = 0 OR event <> 'page') ORDER BY number`,
    )
    .all(job)
  for (const row of left)
    file.read(() => outbox.restore(parseJson(textOf(row, 'report')) as IndexedReport, numberOf(row, 'delivered') === 1))
  const last = file.statement('SELECT max(number) AS last FROM reports WHERE job = ?').get(job)
  if (last?.['last'] !== null) outbox.continueNumberingAt(numberOf(last ?? {}, 'last') + 1)
  return outbox
}

function write(file: SqliteFile, job: number, report: IndexedReport, isDelivered: boolean): void {
  // The condition keeps a deleted job from leaving rows behind.
  file
    .statement(
      `INSERT OR REPLACE INTO reports (job, number, event, delivered, report)
       SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM jobs WHERE number = ?)`,
    )
    .run(job, report.number, report.event, isDelivered ? 1 : 0, JSON.stringify(report), job)
}
