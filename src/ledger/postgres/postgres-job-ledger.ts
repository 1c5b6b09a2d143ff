import type { JobUse } from '../../accounting/budget.js'
import { parseJson } from '../../text/parse-json.js'
import type { Delivery, JobLedger, LedgerRow, LedgerRules, Refusal, UrlCandidate } from '../ledger.js'
import { AbridgedRows } from '../memory/abridged-rows.js'
import { type DocumentWrite, IndexedJobLedger, type OrderedDocument } from '../memory/indexed-job-ledger.js'
import { type IndexedRow, readRow } from '../memory/new-row.js'
import { RowIndex } from '../memory/row-index.js'
import type { PgDatabase } from './database.js'
import { PostgresOutbox } from './postgres-outbox.js'
import type { PgRow } from '../../postgres/pg-driver.js'
import type { JobWriter } from './write-queue.js'

/** Rows read in one query, so that neither memory nor the host's event loop is held for long. */
const ROWS_PER_READ = 5000
/** Rows that may wait to be written: further ones are admitted when they are, so that no group takes long. */
const MAX_WAITING_ROWS = 2000
/** Size of documents in order of completion that are read in one query; a larger one is read alone. */
const MAX_READ_BYTES = 2 ** 24
/** Notes read in one query. */
const NOTES_PER_READ = 500

/**
 * The ledger of one job in PostgreSQL. Its rows are also indexed in memory, so that a lease asks no server; its documents
 * are in the database only.
 */
export class PostgresJobLedger<Doc> extends IndexedJobLedger<Doc> implements JobLedger<Doc> {
  readonly outbox: PostgresOutbox
  readonly #database: PgDatabase
  readonly #writer: JobWriter
  #delivered = 0
  #notes = 0

  constructor(database: PgDatabase, writer: JobWriter, rules: LedgerRules) {
    const abridged = new AbridgedRows((hash, facts) => writer.write((group) => group.abridged.set(hash, facts)))
    super(new RowIndex(rules, (row) => writer.writeRow(row), abridged))
    this.#database = database
    this.#writer = writer
    this.outbox = new PostgresOutbox(database, writer)
  }

  /** Reads the rows of earlier processes. @param isOwned true when this engine sends the job's reports */
  async load(isOwned: boolean): Promise<void> {
    for await (const { entry } of this.#pages('SELECT number, entry FROM pages', ROWS_PER_READ)) {
      this.index.restore(readRow(String(entry)))
    }
    for (const row of await this.#select('SELECT hash, facts FROM abridged WHERE job = $1')) {
      this.index.restoreAbridged(Number(row['hash']), Number(row['facts']))
    }
    this.#delivered = nextOf(await this.#select('SELECT max(sequence) AS last FROM documents WHERE job = $1'))
    this.#notes = nextOf(await this.#select('SELECT max(number) AS last FROM notes WHERE job = $1'))
    if (isOwned) await this.outbox.load()
  }

  override async admit(candidates: readonly UrlCandidate[], nowMs: number): Promise<readonly LedgerRow[]> {
    const added = await super.admit(candidates, nowMs)
    if (this.#writer.size > MAX_WAITING_ROWS) await this.#writer.flushed()
    return added
  }

  async skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    const rows = await this.index.skipQueued(decide, nowMs)
    await this.#writer.flushed()
    return rows
  }

  async documents({
    skip,
    limit,
    maxBytes = Infinity,
  }: {
    skip: number
    limit: number
    maxBytes?: number
  }): Promise<readonly Delivery<Doc>[]> {
    // The sum of the documents before each is compared, so that no unwanted body is read.
    const rows = await this.#select(
      `SELECT documents.* FROM documents JOIN (
         SELECT sequence, sum(bytes) OVER (ORDER BY place, sequence) - bytes AS before FROM (
           SELECT sequence, place, bytes FROM documents WHERE job = $1 AND place IS NOT NULL
           ORDER BY place, sequence LIMIT $2 OFFSET $3
         ) page
       ) page ON documents.job = $1 AND documents.sequence = page.sequence AND page.before <= $4
       ORDER BY place, sequence`,
      Math.min(limit, MAX_INTEGER),
      skip,
      Math.min(Math.floor(maxBytes), Number.MAX_SAFE_INTEGER),
    )
    return rows.map((row) => toDelivery<Doc>(row))
  }

  async completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    // The size of the documents before each is compared, so that a read of large ones is not too much for memory or time.
    const rows = await this.#select(
      `SELECT documents.* FROM documents JOIN (
         SELECT sequence, sum(bytes) OVER (ORDER BY sequence) - bytes AS before FROM (
           SELECT sequence, bytes FROM documents
           WHERE job = $1 AND sequence >= $2 AND body IS NOT NULL AND NOT (acknowledged AND $3)
           ORDER BY sequence LIMIT $4
         ) page
       ) page ON documents.job = $1 AND documents.sequence = page.sequence AND page.before < $5
       ORDER BY documents.sequence`,
      fromSequence,
      unacknowledgedOnly,
      Math.min(limit, MAX_INTEGER),
      MAX_READ_BYTES,
    )
    return rows.map((row) => toDelivery<Doc>(row))
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
    const [found] = await this.#select(
      'SELECT * FROM documents WHERE job = $1 AND place = $2 AND body IS NOT NULL LIMIT 1',
      order,
    )
    return found && toDelivery<Doc>(found)
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

/** Largest value of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1

/** The number after the last one. */
const nextOf = ([row]: readonly PgRow[]): number => (typeof row?.['last'] === 'number' ? row['last'] + 1 : 0)

const toDelivery = <Doc>(row: PgRow): Delivery<Doc> => ({
  sequence: Number(row['sequence']),
  order: Number(row['place']),
  bytes: Number(row['bytes']),
  document: parseJson(String(row['body'])) as Doc,
})
