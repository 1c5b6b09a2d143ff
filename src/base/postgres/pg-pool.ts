import { setTimeout as sleep } from 'node:timers/promises'
import { labelOf, type PostgresPool, settingsOf } from './connection-settings.js'
import {
  describePgError,
  isConnectionError,
  isRepeatable,
  openPgPool,
  type PgClientPool,
  type PgRow,
} from './pg-driver.js'

/** A statement that may have bytes among its values. */
interface PgQuery {
  readonly text: string
  readonly values?: readonly (string | number | null | Uint8Array)[]
}

/** The database: its address, or a pool, or the settings of one. */
interface PgPoolOptions {
  readonly connectionString?: string
  readonly pool?: PostgresPool
}

/** Durations of a pool. Milliseconds. */
export interface PgPoolTiming {
  /** Longest wait for a connection, and time in which a statement is repeated when its connection was lost. */
  readonly connectMs: number
  /** Longest wait for the answer to one statement. After it, its connection is closed. */
  readonly statementMs: number
}

/** Durations for a service: a short failure of the server or the network is not seen by its caller. */
export const PG_POOL_TIMING: PgPoolTiming = { connectMs: 10_000, statementMs: 30_000 }

/** First delay between two attempts; each is twice the one before. Milliseconds. */
const FIRST_DELAY_MS = 100

/** Connections at once. */
const MAX_CONNECTIONS = 4

/**
 * Connections to a database, opened when a statement needs one. No statement leaves anything in its session, so that a
 * pooler between here and the server may give each one to another session.
 */
export class PgPool {
  /** Names the server in messages, without user and password. */
  readonly label: string
  readonly #given: PgClientPool | undefined
  readonly #settings: Readonly<Record<string, unknown>>
  readonly #timing: PgPoolTiming
  #own: PgClientPool | undefined
  #hasAnswered = false
  #isClosed = false

  constructor({ connectionString, pool = {} }: PgPoolOptions, timing: PgPoolTiming) {
    this.#given = isPool(pool) ? pool : undefined
    const target = connectionString === undefined ? settingsOf(pool) : { connectionString }
    this.label = labelOf(target)
    this.#timing = timing
    this.#settings = {
      application_name: 'trawl',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: timing.connectMs,
      keepAlive: true,
      // With its settings of pools.
      ...pool,
      ...target,
      // An idle connection does not keep the process alive.
      allowExitOnIdle: true,
    }
  }

  /**
   * Runs a statement that has the same effect when it runs twice.
   *
   * @throws Error with the message and the code of the server
   */
  async run(query: PgQuery): Promise<PgRow[]> {
    const untilMs = performance.now() + this.#timing.connectMs
    for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
      if (this.#isClosed) throw new Error(`the store ${this.label} is closed`)
      try {
        return await this.#ask(query)
      } catch (error) {
        // An address that never worked is not tried again.
        const mayHelp = isRepeatable(error) || (this.#hasAnswered && isConnectionError(error))
        if (!mayHelp || this.#isClosed || performance.now() + delayMs > untilMs) throw this.#describe(error)
      }
      await sleep(delayMs)
    }
  }

  /** Ends the connections that were opened here. A pool of the caller stays open. */
  async close(): Promise<void> {
    this.#isClosed = true
    const own = this.#own
    this.#own = undefined
    // A server that does not answer is not waited for; its connections do not keep the process alive.
    await Promise.race([own?.end(), sleep(this.#timing.connectMs, undefined, { ref: false })])
  }

  async #ask(query: PgQuery): Promise<PgRow[]> {
    const query_timeout = this.#timing.statementMs
    const { rows } = await this.#open().query({ ...query, query_timeout })
    this.#hasAnswered = true
    return rows
  }

  #open(): PgClientPool {
    if (this.#given) return this.#given
    if (this.#own) return this.#own
    const pool = openPgPool(this.#settings)
    // An idle connection was lost: the next statement opens another one.
    pool.on('error', () => undefined)
    return (this.#own = pool)
  }

  #describe(error: unknown): Error {
    const isAddress = error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL'
    // Its error has the whole address, with the password.
    if (isAddress) return new Error('`connectionString` is not the address of a PostgreSQL database')
    return new Error(`the store ${this.label}: ${describePgError(error)}`, { cause: error })
  }
}

function isPool(pool: object): pool is PgClientPool {
  const { query, connect }: { query?: unknown; connect?: unknown } = pool
  return typeof query === 'function' && typeof connect === 'function'
}
