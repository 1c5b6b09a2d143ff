import { checkServer, settingsRule } from '../../base/postgres/connection-settings.js'
import { checkOptions, nonEmptyString } from '../../base/runtime/check-options.js'
import type { Ledger } from '../../kernel/ledger/ledger.js'
import { PG_TIMING } from './postgres/database.js'
import { openPostgres } from './shared/open-postgres.js'
import type { PostgresLedgerOptions } from './postgres/postgres-options.js'

/**
 * Keeps jobs in a PostgreSQL database, so that `engine.resume()` continues them on any machine. Needs the package `pg`,
 * and PostgreSQL 13 or later. Many engines may share the database; a job is run by one of them at a time, and is free
 * as soon as the server sees that the connection of that one has ended. Each engine needs a ledger object of its own.
 *
 * @throws TypeError for invalid options
 * @throws TrawlError `LEDGER_ERROR`, from the first call that needs the database
 * @example
 * const engine = createEngine({ ledger: postgres({ connectionString: 'postgres://user:password@host/database' }) })
 * await engine.resume()
 */
export function postgres(options: PostgresLedgerOptions): Ledger {
  checkOptions('postgres', options, {
    connectionString: nonEmptyString("an address such as 'postgres://user:password@host:5432/database'"),
    pool: settingsRule,
    schema: nonEmptyString('the name of a schema'),
  })
  checkServer('postgres', options)
  return openPostgres(options, PG_TIMING)
}
