import { TrawlError } from '../../../base/errors.js'
import { describeSqlError, findSqlite, rollBack } from '../../../base/sqlite/driver.js'
import type { FeatureTables } from '../../../kernel/ledger/sqlite/feature-tables.js'
import type { SqliteFile } from '../../../kernel/ledger/sqlite/sqlite-file.js'
import { checkRows, collect, RECORD_TABLES, type SqlDatabase, type SqlStatement } from './sql-database.js'

/** Wait for another connection that writes. Milliseconds. */
const BUSY_TIMEOUT_MS = 10_000

/** Opens an SQLite file of the caller, with the tables of mirrors and `tables`. @throws TrawlError `LEDGER_ERROR` */
export function openSqliteDatabase(path: string, tables: readonly string[]): SqlDatabase {
  const attempt = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      if (error instanceof TrawlError) throw error
      throw new TrawlError('LEDGER_ERROR', `the database ${path} cannot be used: ${describeSqlError(error)}`, {
        cause: error,
      })
    }
  }
  const connect = findSqlite({ code: 'LEDGER_ERROR', name: '`sqliteTable()`' })
  const database = attempt(() => connect(path))
  const inTransaction = (act: () => void): void => {
    database.exec('BEGIN IMMEDIATE')
    try {
      act()
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw error
    }
  }
  const makeTables = (): void => {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    inTransaction(() => {
      for (const table of [...RECORD_TABLES, ...tables]) database.exec(table)
    })
  }
  try {
    attempt(makeTables)
  } catch (error) {
    database.close()
    throw error
  }
  const all: SqlDatabase['all'] = async ({ sql, values }) => attempt(() => database.prepare(sql).all(...values))
  return {
    all,
    async transact(statements, act) {
      const before = act ? await collect(act, all) : []
      attempt(() =>
        inTransaction(() => {
          for (const statement of [...before, ...statements]) runStatement(database.prepare(statement.sql), statement)
        }),
      )
    },
    close: async () => attempt(() => database.close()),
  }
}

/** Runs a statement; one that must give a row is asked for it. */
function runStatement(prepared: ReturnType<SqliteFile['statement']>, statement: SqlStatement): void {
  if (statement.orHeld === undefined) prepared.run(...statement.values)
  else checkRows(statement, prepared.all(...statement.values))
}

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
        for (const statement of [...before, ...statements]) runStatement(file.statement(statement.sql), statement)
      })
    },
    close: async () => undefined,
  }
}
