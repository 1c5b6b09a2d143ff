import { type IndexedReport, OutboxIndex } from '../../../kernel/ledger/rows/outbox-index.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { Outbox } from '../../../kernel/ledger/outbox.js'
import type { PgDatabase } from './database.js'
import type { JobWriter } from './job-writer.js'

/**
 * The reports of a job in PostgreSQL. The row of a delivered report stays until the job is deleted, so that its number is
 * never used again. They are read on first use: another process may send them until this one owns the job.
 */
export class PostgresOutbox extends OutboxIndex {
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
