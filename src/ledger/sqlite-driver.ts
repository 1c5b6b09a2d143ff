import { loadPackage } from '../optional-package.js'
import { TrawlError } from '../errors.js'

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
