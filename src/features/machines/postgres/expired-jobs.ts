import type { PgDatabase } from './database.js'
import type { PgStatement } from './statement.js'

/** Rows of a deleted job removed in one step, so that neither a transaction nor a read behind it takes long. */
const SWEEP_ROWS = 1000
/** The tables with rows of jobs, and the key column of each. */
const TABLE_KEYS = {
  abridged: 'hash',
  commands: 'id',
  documents: 'sequence',
  notes: 'number',
  pages: 'number',
  readers: 'owner',
  reports: 'number',
}

/** A statement that deletes jobs; their rows are deleted later. */
export const forget = (condition: string): string =>
  `WITH expired AS (DELETE FROM jobs WHERE ${condition} RETURNING number)
   INSERT INTO forgotten (job) SELECT number FROM expired ON CONFLICT DO NOTHING`

/** A job stays in `forgotten` until all of its rows are deleted: other engines may delete some of them at the same time. */
const FORGET_SWEPT = `DELETE FROM forgotten WHERE job = $1 AND ${Object.keys(TABLE_KEYS)
  .map((table) => `NOT EXISTS (SELECT FROM ${table} WHERE job = $1)`)
  .join(' AND ')}`

/** Deletes the rows of forgotten jobs, some at a time. One search at a time runs in an engine. */
export class ExpiredJobs {
  readonly #database: PgDatabase
  #isRunning = false
  /** The search after the one that runs. */
  #next: PgStatement | undefined
  #isClosed = false

  constructor(database: PgDatabase) {
    this.#database = database
  }

  /** Deletes expired jobs, then what is left of these and of earlier ones. Does not keep the process alive. */
  async delete(condition: string, values: readonly number[]): Promise<void> {
    this.#next = { text: forget(condition), values }
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (;;) {
        const search = this.#next
        if (!search || this.#isClosed) return
        this.#next = undefined
        await this.#database.runInBackground('control', search)
        await this.#sweep()
      }
    } finally {
      this.#isRunning = false
    }
  }

  /** Ends after the present step; the next engine continues. */
  close(): void {
    this.#isClosed = true
  }

  async #sweep(): Promise<void> {
    const run = (text: string, values: readonly number[] = []) =>
      this.#database.runInBackground('reader', { text, values })
    for (;;) {
      const [first] = await run('SELECT job FROM forgotten LIMIT 1')
      if (!first || this.#isClosed) return
      const job = Number(first['job'])
      for (const [table, key] of Object.entries(TABLE_KEYS)) {
        const some = `SELECT ${key} FROM ${table} WHERE job = $1 LIMIT ${SWEEP_ROWS}`
        const text = `DELETE FROM ${table} WHERE job = $1 AND ${key} IN (${some}) RETURNING 1`
        while (!this.#isClosed && (await run(text, [job])).length === SWEEP_ROWS);
      }
      if (!this.#isClosed) await run(FORGET_SWEPT, [job])
    }
  }
}
