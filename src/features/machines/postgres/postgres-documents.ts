import { parseJson } from '../../../base/text/parse-json.js'
import type { DocumentPage, Delivery } from '../../../kernel/ledger/ledger.js'
import type { PgDatabase } from './database.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'

/** Size of documents in order of completion that are read in one query; a larger one is read alone. */
const MAX_READ_BYTES = 2 ** 24

/** Largest value of an integer column. */
const MAX_INTEGER = 2 ** 31 - 1

const COLUMNS = 'sequence, place, bytes, body'

/**
 * The documents of one job, read from the database. Those of a part are selected by an array of their numbers: as a join, the
 * server read all documents of the job for each part once it knew that there are many.
 */
export class PostgresDocuments<Doc> {
  readonly #database: PgDatabase
  readonly #job: number

  /** @param job number of the job in the database */
  constructor(database: PgDatabase, job: number) {
    this.#database = database
    this.#job = job
  }

  /** Documents in order of discovery: see `JobLedger.documents`. */
  async list({ skip, limit, maxBytes = Infinity }: DocumentPage): Promise<readonly Delivery<Doc>[]> {
    // The sum of the documents before each is compared, so that no unwanted body is read.
    const rows = await this.#select(
      `SELECT ${COLUMNS} FROM documents WHERE job = $1 AND sequence = ANY (ARRAY(
         SELECT sequence FROM (
           SELECT sequence, sum(bytes) OVER (ORDER BY place, sequence) - bytes AS before FROM (
             SELECT sequence, place, bytes FROM documents WHERE job = $1 AND place IS NOT NULL
             ORDER BY place, sequence LIMIT $2 OFFSET $3
           ) page
         ) page WHERE before <= $4
       )) ORDER BY place, sequence`,
      Math.min(limit, MAX_INTEGER),
      skip,
      Math.min(Math.floor(maxBytes), Number.MAX_SAFE_INTEGER),
    )
    return rows.map((row) => toDelivery<Doc>(row))
  }

  /** Documents in order of completion: see `JobLedger.completed`. */
  async listCompleted(
    fromSequence: number,
    limit: number,
    unacknowledgedOnly: boolean,
  ): Promise<readonly Delivery<Doc>[]> {
    // The size of the documents before each is compared, so that a read of large ones is not too much for memory or time.
    const rows = await this.#select(
      `SELECT ${COLUMNS} FROM documents WHERE job = $1 AND sequence = ANY (ARRAY(
         SELECT sequence FROM (
           SELECT sequence, sum(bytes) OVER (ORDER BY sequence) - bytes AS before FROM (
             SELECT sequence, bytes FROM documents
             WHERE job = $1 AND sequence >= $2 AND body IS NOT NULL AND NOT (acknowledged AND $3)
             ORDER BY sequence LIMIT $4
           ) page
         ) page WHERE before < $5
       )) ORDER BY sequence`,
      fromSequence,
      unacknowledgedOnly,
      Math.min(limit, MAX_INTEGER),
      MAX_READ_BYTES,
    )
    return rows.map((row) => toDelivery<Doc>(row))
  }

  /** The document at a position in the order of discovery. */
  async find(order: number): Promise<Delivery<Doc> | undefined> {
    const [found] = await this.#select(
      `SELECT ${COLUMNS} FROM documents WHERE job = $1 AND place = $2 AND body IS NOT NULL LIMIT 1`,
      order,
    )
    return found && toDelivery<Doc>(found)
  }

  /** The number of documents so far, which is the next sequence number. */
  async count(): Promise<number> {
    const [row] = await this.#select('SELECT max(sequence) AS last FROM documents WHERE job = $1')
    return typeof row?.['last'] === 'number' ? row['last'] + 1 : 0
  }

  #select(text: string, ...values: (string | number | boolean)[]): Promise<readonly PgRow[]> {
    return this.#database.select(text, [this.#job, ...values])
  }
}

const toDelivery = <Doc>(row: PgRow): Delivery<Doc> => ({
  sequence: Number(row['sequence']),
  order: Number(row['place']),
  bytes: Number(row['bytes']),
  document: parseJson(String(row['body'])) as Doc,
})
