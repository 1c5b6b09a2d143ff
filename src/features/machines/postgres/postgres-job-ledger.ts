import type { JobUse } from '../../../base/accounting/budget.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type {
  DocumentPage,
  Delivery,
  JobLedger,
  LedgerRow,
  LedgerRules,
  UrlCandidate,
} from '../../../kernel/ledger/ledger.js'
import { AbridgedRows } from '../../../kernel/ledger/rows/abridged-rows.js'
import {
  type DocumentWrite,
  IndexedJobLedger,
  type OrderedDocument,
} from '../../../kernel/ledger/rows/indexed-job-ledger.js'
import { type IndexedRow, readRow } from '../../../kernel/ledger/rows/new-row.js'
import { RowIndex } from '../../../kernel/ledger/rows/row-index.js'
import type { PgDatabase } from './database.js'
import { PostgresDocuments } from './postgres-documents.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import type { JobWriter } from './job-writer.js'
import { type IndexedReport, OutboxIndex } from '../../../kernel/ledger/rows/outbox-index.js'
import type { Outbox } from '../../../kernel/ledger/outbox.js'

/** Rows read in one query, so that neither memory nor the host's event loop is held for long. */
const ROWS_PER_READ = 5000
/** Rows that may wait to be written: further ones are admitted when they are, so that no group takes long. */
const MAX_WAITING_ROWS = 2000
/** Notes read in one query. */
const NOTES_PER_READ = 500

/**
 * The ledger of one job in PostgreSQL. Its rows are also indexed in memory, so that a lease asks no server; its documents
 * are in the database only.
 */
export class PostgresJobLedger<Doc> extends IndexedJobLedger<Doc> implements JobLedger<Doc> {
  protected readonly outboxes: PostgresOutbox
  protected readonly index: RowIndex
  readonly #database: PgDatabase
  readonly #writer: JobWriter
  readonly #documents: PostgresDocuments<Doc>
  #delivered = 0
  #notes = 0

  constructor(database: PgDatabase, writer: JobWriter, rules: LedgerRules) {
    const abridged = new AbridgedRows((hash, facts) => writer.write((group) => group.abridged.set(hash, facts)))
    super()
    this.index = new RowIndex(rules, (row) => writer.writeRow(row), abridged)
    this.#database = database
    this.#writer = writer
    this.#documents = new PostgresDocuments(database, writer.job)
    this.outboxes = new PostgresOutbox(database, writer)
    writer.countWith(() => this.index.counts())
  }

  /** Reads the rows of earlier processes. @param isOwned true when this engine sends the job's reports */
  async load(isOwned: boolean): Promise<void> {
    for await (const { entry } of this.#pages('SELECT number, entry FROM pages', ROWS_PER_READ)) {
      this.index.restore(readRow(String(entry)))
    }
    for (const row of await this.#select('SELECT hash, facts FROM abridged WHERE job = $1')) {
      this.index.restoreAbridged(Number(row['hash']), Number(row['facts']))
    }
    this.#delivered = await this.#documents.count()
    this.#notes = nextOf(await this.#select('SELECT max(number) AS last FROM notes WHERE job = $1'))
    if (isOwned) await this.outboxes.load()
  }

  override async admit(candidates: readonly UrlCandidate[], nowMs: number): Promise<readonly LedgerRow[]> {
    const added = await super.admit(candidates, nowMs)
    if (this.#writer.size > MAX_WAITING_ROWS) await this.#writer.flushed()
    return added
  }

  written(): Promise<void> {
    return this.#writer.flushed()
  }

  settle(): void {
    this.index.settle()
    this.#writer.settle()
  }

  protected override endSlice(): Promise<void> {
    return this.#writer.size > MAX_WAITING_ROWS ? this.#writer.flushed() : super.endSlice()
  }

  documents(page: DocumentPage): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.list(page)
  }

  completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.listCompleted(fromSequence, limit, unacknowledgedOnly)
  }

  async delivered(): Promise<number> {
    return this.#delivered
  }

  recordUse(use: JobUse): void {
    const used = JSON.stringify(use)
    this.#writer.write((group) => {
      group.used = used
    })
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    this.#writer.write(({ acknowledged }) => acknowledged.set(sequence, drop || (acknowledged.get(sequence) ?? false)))
    await this.#writer.flushed()
  }

  async *notes(): AsyncGenerator<{ row: LedgerRow; note: string }> {
    await this.#writer.flushed()
    const rows = this.index.rows()
    for await (const { page, note } of this.#pages('SELECT number, page, note FROM notes', NOTES_PER_READ)) {
      const row = rows[Number(page)]
      if (row) yield { row, note: parseJson(String(note)) as string }
    }
  }

  protected writeNote(row: IndexedRow, note: string): void {
    const number = this.#notes++
    this.#writer.write(({ notes }) => notes.push({ number, page: row.number, note }))
  }

  protected writeDocuments(documents: readonly OrderedDocument<Doc>[], bytes: number): DocumentWrite {
    const sequences = documents.map(({ order, document }) => {
      const sequence = this.#delivered++
      this.#writer.write((group) => group.documents.push({ sequence, place: order, bytes, document }))
      return sequence
    })
    return { sequences, finish: () => this.#writer.flushed() }
  }

  protected async findDocument(order: number): Promise<Delivery<Doc> | undefined> {
    // The document may not be written yet; if the query missed it, the page would be fetched and paid for again.
    await this.#writer.flushed()
    return this.#documents.find(order)
  }

  #select(text: string, ...values: (string | number | boolean)[]): Promise<readonly PgRow[]> {
    return this.#database.select(text, [this.#writer.job, ...values])
  }

  /** Rows of the job in order of their numbers, some at a time. */
  async *#pages(select: string, count: number): AsyncGenerator<PgRow> {
    for (let last = -1; ;) {
      const rows = await this.#select(`${select} WHERE job = $1 AND number > $2 ORDER BY number LIMIT $3`, last, count)
      yield* rows
      if (rows.length < count) return
      last = Number(rows.at(-1)?.['number'])
    }
  }
}

/** The number after the last one. */
const nextOf = ([row]: readonly PgRow[]): number => (typeof row?.['last'] === 'number' ? row['last'] + 1 : 0)

/**
 * The reports of a job in PostgreSQL. The row of a delivered report stays until the job is deleted, so that its number is
 * never used again. They are read on first use: another process may send them until this one owns the job.
 */
class PostgresOutbox extends OutboxIndex {
  readonly #database: PgDatabase
  readonly #job: number
  #loaded: Promise<void> | undefined

  constructor(database: PgDatabase, writer: JobWriter) {
    super({
      save: (report, isDelivered) => writer.writeReport(report, isDelivered),
      flush: () => writer.flushed(),
    })
    this.#database = database
    this.#job = writer.job
  }

  /** Reads the reports of earlier processes, once. */
  load(): Promise<void> {
    return (this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = undefined
      throw error
    }))
  }

  override of(feature: string): Outbox {
    const outbox = super.of(feature)
    const afterLoad =
      <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        await this.load()
        return call.apply(outbox, given)
      }
    return {
      post: afterLoad(outbox.post),
      lease: afterLoad(outbox.lease),
      nextAtMs: afterLoad(outbox.nextAtMs),
      putBack: (number) => outbox.putBack(number),
      delivered: (number) => outbox.delivered(number),
      failed: (...given) => outbox.failed(...given),
      undelivered: afterLoad(outbox.undelivered),
    }
  }

  async #load(): Promise<void> {
    const left = await this.#database.select(
      `SELECT delivered, report FROM reports WHERE job = $1 AND (NOT delivered OR event <> 'page') ORDER BY number`,
      [this.#job],
    )
    const [last] = await this.#database.select('SELECT max(number) AS last FROM reports WHERE job = $1', [this.#job])
    for (const row of left) {
      this.restore(parseJson(String(row['report'])) as IndexedReport, row['delivered'] === true)
    }
    if (typeof last?.['last'] === 'number') this.continueNumberingAt(last['last'] + 1)
  }
}
