import { TrawlError } from '../../../base/errors.js'
import { describeSqlError, findSqlite, rollBack } from '../../../base/sqlite/driver.js'
import { collect, RECORD_TABLES, type SqlDatabase } from './sql-database.js'

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
  attempt(() => {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    inTransaction(() => {
      for (const table of [...RECORD_TABLES, ...tables]) database.exec(table)
    })
  })
  const all: SqlDatabase['all'] = async ({ sql, values }) => attempt(() => database.prepare(sql).all(...values))
  return {
    all,
    async transact(statements, act) {
      const before = act ? await collect(act, all) : []
      attempt(() =>
        inTransaction(() => {
          for (const { sql, values } of [...before, ...statements]) database.prepare(sql).run(...values)
        }),
      )
    },
    close: async () => attempt(() => database.close()),
  }
}
