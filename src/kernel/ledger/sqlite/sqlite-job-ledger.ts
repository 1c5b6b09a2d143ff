import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { JobUse } from '../../../base/accounting/budget.js'
import type { Delivery, DocumentPage, JobLedger, LedgerRow, LedgerRules } from '../ledger.js'
import { AbridgedRows } from '../rows/abridged-rows.js'
import { type IndexedRow, readRow } from '../rows/new-row.js'
import { type IndexedReport, OutboxIndex } from '../rows/outbox-index.js'
import { type DocumentWrite, IndexedJobLedger, type OrderedDocument } from '../rows/indexed-job-ledger.js'
import { RowIndex } from '../rows/row-index.js'
import { numberOf, type SqlRow, textOf } from '../../../base/sqlite/driver.js'
import type { SqliteFile } from './sqlite-file.js'
import type { SqliteJobWriter } from './sqlite-job-writer.js'
import { parseJson } from '../../../base/text/parse-json.js'

/**
 * Opens the reports of a job in an SQLite file. The row of a delivered report stays until the job is deleted, so that
 * its number is never used again.
 *
 * @param job number of the job in the file
 */
function openSqliteOutbox(file: SqliteFile, writer: SqliteJobWriter, job: number): OutboxIndex {
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

/** Rows read in one query. */
const ROWS_PER_READ = 200
/** Notes read in one query. */
const NOTES_PER_READ = 500

/**
 * The ledger of one job in an SQLite file. Its rows are also indexed in memory, so that a lease reads no file; its
 * documents are in the file only.
 */
export class SqliteJobLedger<Doc> extends IndexedJobLedger<Doc> implements JobLedger<Doc> {
  #outboxes: OutboxIndex | undefined
  protected readonly index: RowIndex
  readonly #file: SqliteFile
  readonly #writer: SqliteJobWriter
  readonly #job: number
  #delivered = 0
  /** Identifies the write of the used budget, so that repeated writes are merged. */
  readonly #useKey = {}

  /** @param job number of the job in the file */
  constructor(file: SqliteFile, writer: SqliteJobWriter, job: number, rules: LedgerRules) {
    const abridged = new AbridgedRows((hash, facts) => writer.write({}, () => writeAbridged(file, job, hash, facts)))
    super()
    this.index = new RowIndex(rules, (row) => writer.write(row, () => writeRow(file, job, row)), abridged)
    this.#file = file
    this.#writer = writer
    this.#job = job
  }

  /** Reads what earlier processes have recorded. It yields to the event loop of the host: there may be 100,000 rows. */
  async load(): Promise<void> {
    for await (const row of this.#read('pages', 'number, row', 'number'))
      this.#file.read(() => this.index.restore(readRow(textOf(row, 'row'))))
    for await (const row of this.#read('abridged', 'hash, facts', 'hash'))
      this.index.restoreAbridged(numberOf(row, 'hash'), numberOf(row, 'facts'))
    const sql = 'SELECT max(sequence) AS last, count(*) AS size FROM documents WHERE job = ?'
    const last = this.#file.statement(sql).get(this.#job) ?? {}
    this.#delivered = numberOf(last, 'size') === 0 ? 0 : numberOf(last, 'last') + 1
  }

  /** Reads the rows of this job in a table, in order of a numeric column. */
  async *#read(table: string, columns: string, key: string): AsyncGenerator<SqlRow, void, void> {
    const sql = `SELECT ${columns} FROM ${table} WHERE job = ? AND ${key} > ? ORDER BY ${key} LIMIT ?`
    // Abridged rows beyond their maximum number are counted under negative hashes.
    for (let last = Number.MIN_SAFE_INTEGER; ;) {
      const found = this.#file.statement(sql).all(this.#job, last, ROWS_PER_READ)
      for (const row of found) yield row
      const end = found.at(-1)
      if (!end) return
      last = numberOf(end, key)
      await yieldIfHeld()
    }
  }

  /** Read on first use: another process may send the reports until this one owns the job. */
  protected get outboxes(): OutboxIndex {
    return (this.#outboxes ??= openSqliteOutbox(this.#file, this.#writer, this.#job))
  }

  written(): Promise<void> {
    return this.#writer.flushed()
  }

  async documents({ skip, limit, maxBytes = Infinity }: DocumentPage): Promise<readonly Delivery<Doc>[]> {
    const sizes = this.#file
      .statement(
        'SELECT sequence, bytes FROM documents WHERE job = ? AND place >= 0 ORDER BY place, sequence LIMIT ? OFFSET ?',
      )
      .all(this.#job, limit, skip)
    const page: number[] = []
    let bytes = 0
    for (const row of sizes) {
      if (bytes > maxBytes) break
      page.push(numberOf(row, 'sequence'))
      bytes += numberOf(row, 'bytes')
    }
    const read = this.#file.statement('SELECT * FROM documents WHERE job = ? AND sequence = ?')
    return page.flatMap((sequence) => {
      const row = read.get(this.#job, sequence)
      return row ? [this.#toDelivery(row)] : []
    })
  }

  async completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    return this.#file
      .statement(
        `SELECT * FROM documents WHERE job = ? AND sequence >= ? AND body IS NOT NULL AND acknowledged <= ?
         ORDER BY sequence LIMIT ?`,
      )
      .all(this.#job, fromSequence, unacknowledgedOnly ? 0 : 1, limit)
      .map((row) => this.#toDelivery(row))
  }

  async delivered(): Promise<number> {
    return this.#delivered
  }

  recordUse(use: JobUse): void {
    const text = JSON.stringify(use)
    this.#writer.write(this.#useKey, () =>
      this.#file.statement('UPDATE jobs SET used = ? WHERE number = ?').run(text, this.#job),
    )
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    const dropped = drop ? ', body = NULL, place = NULL' : ''
    const sql = `UPDATE documents SET acknowledged = 1${dropped} WHERE job = ? AND sequence = ?`
    this.#writer.write({}, () => this.#file.statement(sql).run(this.#job, sequence))
    await this.#writer.flushed()
  }

  async *notes(): AsyncGenerator<{ row: LedgerRow; note: string }> {
    await this.#file.flushed()
    const rows = this.index.rows()
    const read = this.#file.statement(
      'SELECT number, page, note FROM notes WHERE job = ? AND number > ? ORDER BY number LIMIT ?',
    )
    let found: readonly SqlRow[] = []
    for (let last = -1; ; last = numberOf(found.at(-1) ?? {}, 'number')) {
      found = read.all(this.#job, last, NOTES_PER_READ)
      if (found.length === 0) return
      for (const note of found) {
        const row = rows[numberOf(note, 'page')]
        if (row) yield { row, note: textOf(note, 'note') }
      }
    }
  }

  /** Writes of a whole list in one group would hold the thread for a second: 100,000 rows. */
  protected override endSlice(): Promise<void> {
    return this.#writer.flushed()
  }

  protected writeNote(row: IndexedRow, note: string): void {
    const sql = 'INSERT INTO notes (job, page, note) VALUES (?, ?, ?)'
    this.#writer.write({}, () => this.#file.statement(sql).run(this.#job, row.number, note))
  }

  protected writeDocuments(documents: readonly OrderedDocument<Doc>[], bytes: number): DocumentWrite {
    const sql = 'INSERT INTO documents (job, sequence, place, bytes, acknowledged, body) VALUES (?, ?, ?, ?, 0, ?)'
    const sequences = documents.map(({ order, document }) => {
      const sequence = this.#delivered++
      this.#writer.write({}, () => {
        this.#file.statement(sql).run(this.#job, sequence, order, Math.round(bytes), JSON.stringify(document))
      })
      return sequence
    })
    return { sequences, finish: () => this.#writer.flushed() }
  }

  protected async findDocument(order: number): Promise<Delivery<Doc> | undefined> {
    // The document may not be written yet; if the query missed it, the page would be fetched and paid for again.
    await this.#writer.flushed()
    const found = this.#file
      .statement('SELECT * FROM documents WHERE job = ? AND place = ? AND body IS NOT NULL')
      .get(this.#job, order)
    return found && this.#toDelivery(found)
  }

  /** @throws TrawlError `LEDGER_ERROR` for a damaged document */
  #toDelivery(row: SqlRow): Delivery<Doc> {
    return {
      sequence: numberOf(row, 'sequence'),
      order: numberOf(row, 'place'),
      bytes: numberOf(row, 'bytes'),
      document: this.#file.read(() => parseJson(textOf(row, 'body')) as Doc),
    }
  }
}

function writeRow(file: SqliteFile, job: number, row: IndexedRow): void {
  file
    .statement('INSERT OR REPLACE INTO pages (job, number, row) VALUES (?, ?, ?)')
    .run(job, row.number, JSON.stringify(row))
}

function writeAbridged(file: SqliteFile, job: number, hash: number, facts: number | undefined): void {
  if (facts === undefined) {
    file.statement('DELETE FROM abridged WHERE job = ? AND hash = ?').run(job, hash)
  } else {
    const sql = 'INSERT OR REPLACE INTO abridged (job, hash, facts) VALUES (?, ?, ?)'
    file.statement(sql).run(job, hash, facts)
  }
}
