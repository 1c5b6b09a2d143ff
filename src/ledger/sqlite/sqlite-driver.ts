import { loadPackage } from '../../runtime/optional-package.js'
import { messageOf, TrawlError } from '../../errors.js'

/** What a column holds. */
export type SqlValue = string | number | null

/** A row of a result, by column. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A statement, compiled once. Values stand for its question marks. */
export interface Statement {
  run(...values: SqlValue[]): unknown
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): readonly SqlRow[]
}

/** What the libraries for SQLite have in common: everything at once, nothing awaited. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}

/** Opens a file. */
export type Connect = (file: string) => Database

/**
 * Finds a library for SQLite: Node's own from Node 22.5 on, else the optional peer `libsql`. Looked for on first use.
 *
 * @throws TrawlError `LEDGER_ERROR` when there is none
 */
export function findSqlite(): Connect {
  try {
    const own = loadPackage('node:sqlite') as { DatabaseSync: new (file: string) => Database }
    return (file) => new own.DatabaseSync(file)
  } catch {
    // An older Node.
  }
  try {
    const Libsql = loadPackage('libsql') as new (file: string) => Database
    return (file) => new Libsql(file)
  } catch (cause) {
    const message = '`sqlite()` needs Node 22.5 or later, or the package `libsql`: npm install libsql'
    throw new TrawlError('LEDGER_ERROR', message, { cause })
  }
}

/** Names of what SQLite answers that has nothing to do with the statement. @see https://www.sqlite.org/rescode.html */
const RESULT_NAMES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
}

/** Describes what a library for SQLite has thrown, with the name of SQLite's result: `database or disk is full (SQLITE_FULL)`. */
export function describeSqlError(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error)
  // Node gives the number, `libsql` the name.
  const name =
    'errcode' in error && typeof error.errcode === 'number'
      ? RESULT_NAMES[error.errcode & 0xff]
      : 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_')
        ? error.code
        : undefined
  return name === undefined || error.message.includes(name) ? error.message : `${error.message} (${name})`
}

/** Ends a transaction that failed. SQLite ends it by itself where the disk is full, and then there is none to end. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // What made the transaction fail is what matters, and is thrown by the caller.
  }
}

export const textOf = (row: SqlRow, column: string): string => String(row[column])

export const numberOf = (row: SqlRow, column: string): number => Number(row[column])

/** Undefined for a column that holds nothing. */
export const textIn = (row: SqlRow, column: string): string | undefined => {
  const value = row[column]
  return typeof value === 'string' ? value : undefined
}

/** Undefined for a column that holds nothing. */
export const numberIn = (row: SqlRow, column: string): number | undefined => {
  const value = row[column]
  return typeof value === 'number' ? value : undefined
}
