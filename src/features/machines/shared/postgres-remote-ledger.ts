import { parseJson } from '../../../base/text/parse-json.js'
import type { DocumentPage, Counts, Delivery, LedgerRow, RowFilter } from '../../../kernel/ledger/ledger.js'
import { AbridgedRows, hashKey, toLedgerRow } from '../../../kernel/ledger/rows/abridged-rows.js'
import { type IndexedRow, readRow } from '../../../kernel/ledger/rows/new-row.js'
import { RowCounts } from '../../../kernel/ledger/rows/row-counts.js'
import type { JobReport } from '../../../kernel/ledger/outbox.js'
import type { PgDatabase } from '../postgres/database.js'
import { PostgresDocuments } from '../postgres/postgres-documents.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import type { PgValue } from '../postgres/statement.js'
import type { RemoteLedger } from '../../../kernel/ledger/shared-jobs.js'

/** Rows read in one query. */
const ROWS_PER_READ = 1000

/** Acknowledges a document; the engine that runs the job keeps nothing of it. */
const ACKNOWLEDGE = `UPDATE documents SET acknowledged = true,
    body = CASE WHEN $3 THEN NULL ELSE body END, place = CASE WHEN $3 THEN NULL ELSE place END
  WHERE job = $1 AND sequence = $2`

/** The ledger of a job that another engine runs. Nothing of it is kept in memory, because it changes all the time. */
export class PostgresRemoteLedger<Doc> implements RemoteLedger<Doc> {
  readonly #database: PgDatabase
  readonly #job: number
  readonly #documents: PostgresDocuments<Doc>

  /** @param job number of the job in the database */
  constructor(database: PgDatabase, job: number) {
    this.#database = database
    this.#job = job
    this.#documents = new PostgresDocuments(database, job)
  }

  async counts(): Promise<Counts> {
    const [job] = await this.#select('SELECT counts FROM jobs WHERE number = $1')
    return typeof job?.['counts'] === 'string' ? (parseJson(job['counts']) as Counts) : this.#countRows()
  }

  async row(key: string): Promise<LedgerRow | undefined> {
    const hash = hashKey(key)
    // Rows that an earlier version has written have no hash. Two selections, so that the index of hashes serves both.
    const found = await this.#select(
      `SELECT entry FROM pages WHERE job = $1 AND hash = $2
         UNION ALL SELECT entry FROM pages WHERE job = $1 AND hash IS NULL AND strpos(entry, $3) > 0`,
      hash,
      memberOf('key', key),
    )
    const row = found.map(toRow).find((candidate) => candidate.key === key)
    if (row) return row
    const abridged = new AbridgedRows()
    for (const { facts } of await this.#select('SELECT facts FROM abridged WHERE job = $1 AND hash = $2', hash)) {
      abridged.restore(hash, Number(facts))
    }
    const known = abridged.find(key)
    return known && toLedgerRow({ key, url: key }, known)
  }

  async rows({ outcome, reason, after, skip = 0, limit = Infinity }: RowFilter = {}): Promise<readonly LedgerRow[]> {
    let last = after === undefined ? -1 : await this.#findNumber(after)
    if (last === undefined) return []
    const found: LedgerRow[] = []
    for (const end = skip + limit; found.length < end;) {
      const count = Math.min(end - found.length, ROWS_PER_READ)
      // Compared as text, because the operators of JSON refuse rows with half a surrogate pair or U+0000 in any of their
      // texts. A quote within a text is escaped, so that no text looks like a member; another member of that name may.
      const some = await this.#select(
        `SELECT number, entry FROM pages WHERE job = $1 AND number > $2 AND strpos(entry, $3) > 0 AND strpos(entry, $4) > 0
           ORDER BY number LIMIT $5`,
        last,
        outcome === undefined ? '' : memberOf('outcome', outcome),
        reason === undefined ? '' : memberOf('reason', reason),
        count,
      )
      for (const row of some.map(toRow)) {
        const isMeant = reason === undefined || (row.outcome === 'skipped' && row.refusal?.reason === reason)
        if (isMeant && (outcome === undefined || row.outcome === outcome)) found.push(row)
      }
      if (some.length < count) break
      last = Number(some.at(-1)?.['number'])
    }
    return skip === 0 ? found : found.slice(skip)
  }

  documents(page: DocumentPage): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.list(page)
  }

  completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.listCompleted(fromSequence, limit, unacknowledgedOnly)
  }

  delivered(): Promise<number> {
    return this.#documents.count()
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    await this.#select(ACKNOWLEDGE, sequence, drop)
  }

  /** Counts the rows of a job that an earlier version has written. */
  async #countRows(): Promise<Counts> {
    const [counts, abridged] = [new RowCounts(), new AbridgedRows()]
    for (const row of await this.rows()) counts.count(row, 1)
    for (const { hash, facts } of await this.#select('SELECT hash, facts FROM abridged WHERE job = $1')) {
      const { reason, times } = abridged.restore(Number(hash), Number(facts))
      counts.countAbridged(reason, times)
    }
    return counts.read()
  }

  async #findNumber(key: string): Promise<number | undefined> {
    const row = await this.row(key)
    return row && 'number' in row ? Number(row.number) : undefined
  }

  outbox(feature: string): ReturnType<RemoteLedger<Doc>['outbox']> {
    return { undelivered: (page) => this.#listUndelivered(feature, page) }
  }

  async #listUndelivered(
    feature: string,
    { skip = 0, limit = ROWS_PER_READ }: { skip?: number; limit?: number } = {},
  ): Promise<readonly JobReport[]> {
    // Reports of earlier versions name no feature.
    const rows = await this.#select(
      `SELECT report FROM reports WHERE job = $1 AND NOT delivered AND (strpos(report, $2) > 0 OR strpos(report, $3) = 0)
         ORDER BY number LIMIT $4 OFFSET $5`,
      memberOf('feature', feature),
      '"feature":',
      limit,
      skip,
    )
    return rows.map(({ report }) => parseJson(String(report)) as JobReport)
  }

  #select(text: string, ...values: PgValue[]): Promise<readonly PgRow[]> {
    return this.#database.select(text, [this.#job, ...values])
  }
}

/** A member of an object as `JSON.stringify` writes it. */
const memberOf = (name: string, value: string): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`

const toRow = (row: PgRow): IndexedRow => readRow(String(row['entry']))
