import type { PostgresPool } from '../../../base/postgres/connection-settings.js'

/** The database of the ledger: `connectionString` or `pool`. */
export interface PostgresLedgerOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters of the package `pg`, such as `sslmode`. */
  connectionString?: string
  /**
   * A `Pool` of the package `pg`, or settings for one. The ledger takes its settings, and opens three connections of its own
   * for each engine, because the lock that shows that an engine is alive belongs to one session.
   */
  pool?: PostgresPool
  /**
   * Schema of the tables. It is made when the database has none of this name.
   * @default 'trawl'
   */
  schema?: string
}
