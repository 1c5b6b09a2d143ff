import { type BookReport, OutboxIndex } from '../memory/outbox-index.js'
import { numberOf, textOf } from './sqlite-driver.js'
import type { SqliteFile } from './sqlite-file.js'
import { parseJson } from '../../text/parse-json.js'

/**
 * The reports of a job in an SQLite file. One that is delivered leaves its row until the job is forgotten, so that no other
 * ever gets its number.
 *
 * @param job its number in the file
 */
export function openOutbox(file: SqliteFile, job: number): OutboxIndex {
  const book = new OutboxIndex({
    changed: (report, isDelivered) => file.write(report, () => write(file, job, report, isDelivered)),
    written: () => file.written(),
  })
  const left = file
    .statement(
      `SELECT delivered, report FROM reports WHERE job = ? AND (delivered = 0 OR event <> 'page') ORDER BY number`,
    )
    .all(job)
  for (const row of left) book.restore(parseJson(textOf(row, 'report')) as BookReport, numberOf(row, 'delivered') === 1)
  const last = file.statement('SELECT max(number) AS last FROM reports WHERE job = ?').get(job)
  if (last?.['last'] !== null) book.goOnFrom(numberOf(last ?? {}, 'last') + 1)
  return book
}

function write(file: SqliteFile, job: number, report: BookReport, isDelivered: boolean): void {
  // A job that is forgotten is not to leave a row behind.
  file
    .statement(
      `INSERT OR REPLACE INTO reports (job, number, event, delivered, report)
       SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM jobs WHERE number = ?)`,
    )
    .run(job, report.number, report.event, isDelivered ? 1 : 0, JSON.stringify(report), job)
}
