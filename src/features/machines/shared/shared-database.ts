import type { PgDatabase } from '../postgres/database.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import type { PgValue } from '../postgres/statement.js'
import { nameJobChannel } from '../postgres/session-lock.js'

/** Shortest time between two notices: `NOTIFY` takes a lock of the whole server at each commit. Milliseconds. */
const NOTICE_MS = 50
/** Time for which a poll waits for a lost connection. Milliseconds. */
const POLL_PATIENCE_MS = 1000

const NOTIFY = `SELECT pg_notify($1, id) FROM unnest(string_to_array($2, ',')) AS given (id)`

/** Separates the values of a list. */
const SEPARATOR = '\u001F'

/** A list of texts as the value of a parameter. */
export const toList = (values: readonly (string | number)[]): string => values.join(SEPARATOR)

/** A list of texts in a parameter, as an array. */
export const listIn = (parameter: number): string => `string_to_array($${parameter}, E'\\x1f')`

/** The server as an engine asks it about jobs of others: short statements that wait for no lost connection, and notices. */
export class SharedDatabase {
  readonly #database: PgDatabase
  readonly #channel: string
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #toldAtMs = -Infinity

  /** @param onTold called with the id of a job that another engine tells about */
  constructor(database: PgDatabase, onTold: (id: string) => void) {
    this.#database = database
    this.#channel = nameJobChannel(database.schema)
    database.onNotified(this.#channel, onTold)
  }

  /** Runs a statement of a poll. @param keepsAlive true when a caller waits for it */
  async poll(text: string, values: readonly PgValue[], keepsAlive: boolean): Promise<readonly PgRow[]> {
    const statement = { text, values }
    if (!keepsAlive) return this.#database.runInBackground('control', statement, POLL_PATIENCE_MS)
    const [rows = []] = await this.#database.run('control', [statement], POLL_PATIENCE_MS)
    return rows
  }

  /** Runs a statement that must take place, and may take place twice. */
  async run(text: string, values: readonly PgValue[]): Promise<readonly PgRow[]> {
    const [rows = []] = await this.#database.run('control', [{ text, values }])
    return rows
  }

  /** Tells all engines about a job, together with others. What is lost with a connection is found by polling. */
  notify(id: string): void {
    this.#told.add(id)
    const dueMs = this.#toldAtMs + NOTICE_MS - performance.now()
    this.#timer ??= setTimeout(() => void this.flush(), Math.max(0, dueMs)).unref()
  }

  /** Sends the notices now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ids = [...this.#told]
    this.#told.clear()
    this.#toldAtMs = performance.now()
    if (ids.length > 0) await this.poll(NOTIFY, [this.#channel, ids.join()], false).catch(() => undefined)
  }
}
