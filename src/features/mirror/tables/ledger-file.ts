import type { FeatureTables } from '../../../kernel/ledger/sqlite/feature-tables.js'
import type { SqliteFile } from '../../../kernel/ledger/sqlite/sqlite-file.js'
import { collect, RECORD_TABLES, type SqlDatabase } from './sql-database.js'

/** The tables of mirrors in the file of a ledger. */
const TABLES: FeatureTables = { feature: 'mirror', migrations: [RECORD_TABLES.join(';')] }

/** Opens the file of an SQLite ledger for mirrors. Its transactions are synchronous, as all that the ledger writes there. */
export function openLedgerFile(file: SqliteFile): SqlDatabase {
  file.addTables(TABLES)
  const all: SqlDatabase['all'] = async ({ sql, values }) => file.statement(sql).all(...values)
  return {
    all,
    async transact(statements, act) {
      const before = act ? await collect(act, all) : []
      file.transact(() => {
        for (const { sql, values } of [...before, ...statements]) file.statement(sql).run(...values)
      })
    },
    close: async () => undefined,
  }
}
