import { checkServer, isPool, type PostgresPool } from '../../postgres/connection-settings.js'
import { PG_POOL_TIMING, PgPool, type PgPoolTiming } from '../../postgres/pg-pool.js'
import { checkOptions, nonEmptyString, numberInRange, type Rule } from '../../runtime/check-options.js'
import { digestOf } from '../checksum.js'
import { decodeEntry, encodeEntry, joinEntry, splitEntry } from '../entry-codec.js'
import { isSqlName, StoreTable } from '../store-table.js'
import type { Store } from '../store.js'

/** Options of `postgresStore`: `connectionString` or `pool`. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters of the package `pg`, such as `sslmode`. */
  connectionString?: string
  /**
   * A `Pool` of the package `pg`, which is used as it is and stays open, or settings for one, by default with 4 connections.
   */
  pool?: PostgresPool
  /** Schema of the table. It is made when the database has none of this name. @default 'trawl' */
  schema?: string
  /** Name of the table. Stores with different names share nothing. @default 'store' */
  table?: string
  /** Time to live of an entry. Milliseconds. @default entries are kept until they are deleted */
  ttlMs?: number
}

/** Longest time to live: the server's dates end. Milliseconds, 1000 years. */
const MAX_TTL_MS = 1000 * 365.25 * 24 * 60 * 60 * 1000
/** Maximum size of an entry, compressed: in base64 it is a string, of at most 512 Mi characters. Bytes. */
const MAX_ENTRY_BYTES = 256 * 1024 * 1024
/** Attempts to change an entry that others change at the same time. */
const MAX_CHANGES = 100

const sqlName = (what: string): Rule => ({ allowed: `the name of ${what}, of at most 63 bytes`, accepts: isSqlName })

/**
 * Stores entries in a table of a PostgreSQL database, which processes on many machines may share. Needs the package `pg`, and
 * PostgreSQL 13 or later. Works through PgBouncer in each of its modes. Nothing is opened before the first use.
 *
 * The size is limited by the database only: give `ttlMs` for a cache. Expired entries are not returned, and deleted a few
 * hundred at a time while others are written.
 *
 * @throws TypeError for invalid options
 * @example postgresStore({ connectionString: 'postgres://user:password@host/database', ttlMs: 7 * 24 * 60 * 60 * 1000 })
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  checkOptions('postgresStore', options, {
    connectionString: nonEmptyString("an address such as 'postgres://user:password@host:5432/database'"),
    pool: {
      allowed: 'a `Pool` of the package `pg`, or the settings of one',
      accepts: isPool,
    },
    schema: sqlName('a schema'),
    table: sqlName('a table'),
    ttlMs: numberInRange('milliseconds', 0, MAX_TTL_MS),
  })
  checkServer('postgresStore', options)
  return openPostgresStore(options, PG_POOL_TIMING)
}

/** Opens the store of checked options. */
export function openPostgresStore(options: PostgresStoreOptions, timing: PgPoolTiming): Store {
  const { schema = 'trawl', table: name = 'store', ttlMs = null } = options
  const pool = new PgPool(options, timing)
  const table = new StoreTable(pool, schema, name)
  const expired = new ExpiredEntries(table)
  const isAlive = '(expires_at IS NULL OR expires_at > now())'
  const expiry = `now() + $3::float8 * interval '1 millisecond'`

  async function read(key: string): Promise<Buffer | undefined> {
    // As text in base64: `pg` has bytes as hexadecimal digits, which takes 40 ms in place of 16 for 3 MB.
    const text = `SELECT encode(entry, 'base64') AS entry FROM ${table.name} WHERE key = $1 AND ${isAlive}`
    const [row] = await table.run(text, [digestOf(key)])
    return row && Buffer.from(String(row['entry']), 'base64')
  }
  const decode = async (key: string, bytes: Buffer | undefined) => {
    const parts = bytes && splitEntry(bytes)
    return parts && (await decodeEntry(key, parts))
  }
  async function encode(key: string, entry: Parameters<typeof encodeEntry>[1]): Promise<Buffer> {
    const bytes = joinEntry(await encodeEntry(key, entry))
    if (bytes.length <= MAX_ENTRY_BYTES) return bytes
    throw new Error(
      `the store ${pool.label}: the entry has ${bytes.length} bytes, and at most ${MAX_ENTRY_BYTES} are stored`,
    )
  }

  return {
    get: async (key) => await decode(key, await read(key)),
    async set(key, entry) {
      const values = [digestOf(key), await encode(key, entry), ttlMs]
      await table.run(
        `INSERT INTO ${table.name} (key, entry, expires_at) VALUES ($1, $2, ${expiry})
         ON CONFLICT (key) DO UPDATE SET entry = EXCLUDED.entry, expires_at = EXCLUDED.expires_at`,
        values,
      )
      expired.deleteSome()
    },
    async update(key, change) {
      for (let attempt = 0; attempt < MAX_CHANGES; attempt += 1) {
        const before = await read(key)
        const bytes = await encode(key, await change(await decode(key, before)))
        const values = [digestOf(key), bytes, ttlMs]
        const rows = before
          ? await table.run(
              `UPDATE ${table.name} SET entry = $2, expires_at = ${expiry}
               WHERE key = $1 AND sha256(entry) = $4 AND ${isAlive} RETURNING key`,
              [...values, digestOf(before)],
            )
          : await table.run(
              `INSERT INTO ${table.name} AS stored (key, entry, expires_at) VALUES ($1, $2, ${expiry})
               ON CONFLICT (key) DO UPDATE SET entry = EXCLUDED.entry, expires_at = EXCLUDED.expires_at
               WHERE stored.expires_at <= now() RETURNING key`,
              values,
            )
        if (rows.length > 0) return
      }
      throw new Error(`the store ${pool.label}: others changed the entry each of ${MAX_CHANGES} times`)
    },
    delete: async (key) => void (await table.run(`DELETE FROM ${table.name} WHERE key = $1`, [digestOf(key)])),
    async close() {
      await expired.close()
      await pool.close()
    },
  }
}

/** Rows deleted by one statement, so that it takes milliseconds. */
const BATCH_ROWS = 200
/** Time between two searches of one process. Milliseconds. */
const INTERVAL_MS = 60_000

/** Deletes expired rows in the background, at most once a minute. */
class ExpiredEntries {
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
