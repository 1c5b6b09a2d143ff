import { type Database, numberOf } from '../../../base/sqlite/driver.js'
import { migrate } from '../../../base/sqlite/migrate.js'

/** Tables that a feature keeps in a ledger's file. */
export interface FeatureTables {
  /** Name of the feature. */
  readonly feature: string
  /** Their migrations in order. The version of the tables is the number of migrations that a file has. */
  readonly migrations: readonly string[]
  /** SQL that reads the `version` of tables from files in which features had no versions yet. @default version 0 */
  readonly firstVersion?: string
}

/**
 * Migrates the tables of a feature to the present version, in one transaction.
 *
 * @param file name of the file in the message
 * @throws TrawlError `LEDGER_ERROR` for tables that a later version of trawl has written
 */
export function migrateFeature(database: Database, tables: FeatureTables, file: string): void {
  const { feature, migrations, firstVersion = 'SELECT 0 AS version' } = tables
  const read = database.prepare('SELECT version FROM feature_tables WHERE feature = ?')
  const readFirst = database.prepare(firstVersion)
  const write = database.prepare('INSERT OR REPLACE INTO feature_tables (feature, version) VALUES (?, ?)')
  migrate(database, {
    migrations,
    code: 'LEDGER_ERROR',
    file,
    version: {
      read: () => numberOf(read.get(feature) ?? readFirst.get() ?? {}, 'version'),
      write: (version) => void write.run(feature, version),
    },
  })
}
