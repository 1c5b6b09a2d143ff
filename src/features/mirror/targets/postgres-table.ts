import {
  checkServer,
  labelOf,
  type PostgresPool,
  settingsOf,
  settingsRule,
} from '../../../base/postgres/connection-settings.js'
import { openPgPool } from '../../../base/postgres/pg-driver.js'
import {
  anyFunction,
  checkOptions,
  nonEmptyString,
  objectWithMethods,
  oneOf,
} from '../../../base/runtime/check-options.js'
import type { LedgerConnection } from '../../../kernel/ledger/ledger.js'
import type { MirrorUnit } from '../mirror-change.js'
import type { MirrorTarget } from '../mirror-target.js'
import { createTable, type EmbedTexts, openTable, quoteTable } from '../tables/open-table.js'
import { openPostgresDatabase, type PostgresConnection } from '../tables/postgres-database.js'

/** Settings of {@link postgresTable}. */
export interface PostgresTableOptions {
  /** Address of the database: `postgres://user:password@host:5432/database`. */
  connectionString?: string
  /** A `Pool` of the package `pg`, which stays open, or its settings. */
  pool?: PostgresPool
  /** A client of `pg` that is connected, or a database of PGlite, which stays open. The mirror has it to itself while it is used. */
  client?: PostgresConnection
  /** Name of the table, which is made where it is missing: `pages`, or `schema.pages`. @default 'pages', or 'chunks' for chunks */
  table?: string
  /** `chunk` for a row for each chunk of a page. @default 'page' */
  unit?: MirrorUnit
  /** Makes vectors of the texts of chunks, for a column `embedding` of the type `vector` of pgvector. @default none */
  embed?: EmbedTexts
}

/**
 * Mirrors a site as a table of a PostgreSQL database. Each row is committed together with its acknowledgement. The columns are those of
 * `sqliteTable`. Needs the package `pg`, or a `client`.
 *
 * @throws TypeError for invalid options
 */
export function postgresTable(options: PostgresTableOptions): MirrorTarget {
  checkOptions('postgresTable', options, {
    connectionString: nonEmptyString("an address such as 'postgres://user:password@host:5432/database'"),
    pool: settingsRule,
    client: objectWithMethods('a client of `pg`, or PGlite', 'query'),
    table: nonEmptyString('the name of a table'),
    unit: oneOf('page', 'chunk'),
    embed: anyFunction,
  })
  if (options.client === undefined) checkServer('postgresTable', options)
  const { unit = 'page', table: given = unit === 'page' ? 'pages' : 'chunks', embed } = options
  const table = quoteTable(given)
  const { connectionString, pool = {} } = options
  const name = `postgres ${given}`
  return {
    name: `${name} ${labelOf(connectionString === undefined ? settingsOf(pool) : { connectionString })}`,
    unit,
    needs: unit === 'page' ? 'markdown' : 'chunks',
    async open() {
      const database = openPostgresDatabase(() => connect(options), [createTable(table, unit, embed && 'vector')])
      const toVector = (vector: readonly number[]): string => JSON.stringify(vector)
      return openTable(database, { name, table, unit, embed, toVector })
    },
  }
}

/** A pool of `pg`, of which one connection is taken. */
interface LendingPool {
  connect(): Promise<PostgresConnection & Lent>
}

interface Lent {
  release(): void
  on(event: 'error', listener: () => void): void
  off(event: 'error', listener: () => void): void
}

const ignore = (): void => undefined

async function connect({ client, connectionString, pool = {} }: PostgresTableOptions): Promise<LedgerConnection> {
  if (client) return { connection: client, end: async () => undefined }
  const isGiven = 'connect' in pool && typeof pool.connect === 'function'
  const own = isGiven
    ? undefined
    : openPgPool({ ...pool, ...(connectionString === undefined ? settingsOf(pool) : { connectionString }), max: 1 })
  own?.on('error', ignore)
  const connection = await ((own ?? pool) as unknown as LendingPool).connect()
  // A connection that is lost between two statements fails the next one. Without a listener it would end the process.
  connection.on('error', ignore)
  return {
    connection,
    async end() {
      connection.release()
      connection.off('error', ignore)
      await own?.end()
    },
  }
}
