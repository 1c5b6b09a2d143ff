import type { StoreTable } from './store-table.js'

/** Rows deleted by one statement, so that it takes milliseconds. */
const BATCH_ROWS = 200
/** Time between two searches of one process. Milliseconds. */
const INTERVAL_MS = 60_000

/** Deletes expired rows in the background, at most once a minute. */
export class ExpiredEntries {
  readonly #table: StoreTable
  #searchedAtMs = -Infinity
  #search: Promise<void> | undefined
  #isClosed = false

  constructor(table: StoreTable) {
    this.#table = table
  }

  /** Starts a search when the last one was long ago. */
  deleteSome(): void {
    const nowMs = performance.now()
    if (this.#search || nowMs - this.#searchedAtMs < INTERVAL_MS) return
    this.#searchedAtMs = nowMs
    // A later search deletes what this one could not.
    this.#search = this.#deleteAll()
      .catch(() => undefined)
      .finally(() => (this.#search = undefined))
  }

  /** Waits for the batch under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#search
  }

  async #deleteAll(): Promise<void> {
    const { name } = this.#table
    // An array, because the server may run a subquery with a limit more than once. Other processes skip these rows.
    const text = `DELETE FROM ${name} WHERE key = ANY (ARRAY(
      SELECT key FROM ${name} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
    )) RETURNING 1`
    while (!this.#isClosed && (await this.#table.run(text, [])).length === BATCH_ROWS);
  }
}
