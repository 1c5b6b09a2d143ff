import { loadPackage, resolvePackage } from '../runtime/optional-package.js'
import { type ErrorCode, messageOf, TrawlError } from '../errors.js'

/** A value of a column. */
export type SqlValue = string | number | Uint8Array | null

/** A row of a result, by column. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A prepared statement. Values replace its question marks. */
export interface Statement {
  run(...values: SqlValue[]): unknown
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): readonly SqlRow[]
}

/** An open file, as in all SQLite libraries. */
interface OpenFile {
  exec(sql: string): unknown
  close(): void
}

/** The synchronous interface that the SQLite libraries have in common. */
export interface Database extends OpenFile {
  prepare(sql: string): Statement
}

/** Right to a file that {@link Connect} opens. */
interface DatabaseAccess {
  /** True to open an existing file without the right to change it. @default false */
  readonly isReadOnly?: boolean
}

/** Opens a database file. */
export type Connect = (file: string, options?: DatabaseAccess) => Database

/** The part of trawl that needs SQLite: the code of its errors, and its name in messages. */
interface SqliteUser {
  readonly code: ErrorCode
  readonly name: string
}

/**
 * Finds an SQLite library: `node:sqlite` from Node 22.13 on (before, it needs a flag), else the optional peer `libsql`. Called on first use.
 *
 * @returns the name or the file of the library, for {@link connectTo}, also in another thread
 * @throws TrawlError when there is none
 */
export function locateSqlite({ code, name }: SqliteUser): string {
  try {
    loadPackage(NODE_SQLITE)
    return NODE_SQLITE
  } catch {
    // An older Node.
  }
  try {
    return resolvePackage('libsql')
  } catch {
    throw new TrawlError(code, `${name} needs Node 22.13 or later, or the package \`libsql\`: npm install libsql`)
  }
}

const NODE_SQLITE = 'node:sqlite'

/** Loads an SQLite library that {@link locateSqlite} has found. */
export function connectTo(library: string): Connect {
  if (library === NODE_SQLITE) return connectNode
  const Libsql = loadPackage(library) as new (file: string, options: { readonly: boolean }) => LibsqlDatabase
  return (file, { isReadOnly = false } = {}) => {
    const database = new Libsql(file, { readonly: isReadOnly })
    let areNamesRead = false
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        if (!givesRows(sql)) return database.prepare(sql)
        if (!areNamesRead) readNames(database)
        areNamesRead = true
        return prepareSafely(sql, database)
      },
      close: () => database.close(),
    }
  }
}

/** Part of the database of `libsql` that is used here. */
interface LibsqlDatabase extends OpenFile {
  prepare(sql: string): Statement & { columns(): readonly { readonly name: string }[] }
}

const givesRows = (sql: string): boolean => /^\s*(?:SELECT|WITH)\b/i.test(sql)

/** Reads the names of tables and columns, which `libsql` cannot give either if they are damaged. @throws TypeError */
function readNames(database: LibsqlDatabase): void {
  const sql = 'SELECT CAST(sql AS BLOB) AS sql FROM sqlite_master WHERE sql IS NOT NULL'
  for (const row of database.prepare(sql).all()) strictUtf8.decode(toBytes(row['sql']))
}

/** First byte of bytes in a result of {@link prepareSafely}; that of a text is another one. */
const BYTES_TAG = 0x62

/**
 * Prepares a query of `libsql` so that it gives texts as bytes, which are decoded here: `libsql` ends the whole process at a text that is
 * no UTF-8, as a damaged file has it.
 */
function prepareSafely(sql: string, database: LibsqlDatabase): Statement {
  const names = database
    .prepare(sql)
    .columns()
    .map(({ name }) => name)
  const columns = names.map((name) => {
    const value = `"${name.replaceAll('"', '""')}"`
    return `CASE typeof(${value}) WHEN 'text' THEN CAST('t' || ${value} AS BLOB) WHEN 'blob' THEN CAST('b' || ${value} AS BLOB)
      ELSE ${value} END AS ${value}`
  })
  const statement = database.prepare(`SELECT ${columns.join(', ')} FROM (${sql})`)
  return {
    run: (...values) => statement.run(...values),
    get: (...values) => {
      const row = statement.get(...values)
      return row && decodeRow(row, names)
    },
    all: (...values) => statement.all(...values).map((row) => decodeRow(row, names)),
  }
}

const decodeRow = (row: SqlRow, names: readonly string[]): SqlRow =>
  Object.fromEntries(names.map((name) => [name, decodeValue(row[name])]))

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws TypeError for a text that is no UTF-8, as in a damaged file */
function decodeValue(value: unknown): unknown {
  const bytes = toBytes(value)
  if (!bytes) return value
  const content = bytes.subarray(1)
  if (bytes[0] === BYTES_TAG) return content
  return strictUtf8.decode(content)
}

/** Takes bytes as `libsql` gives them: `all` gives the buffer alone. */
const toBytes = (value: unknown): Uint8Array | undefined =>
  value instanceof ArrayBuffer ? new Uint8Array(value) : value instanceof Uint8Array ? value : undefined

/** Finds and loads an SQLite library. @throws TrawlError when there is none */
export const findSqlite = (user: SqliteUser): Connect => connectTo(locateSqlite(user))

/** Part of `StatementSync` that is used here. */
interface NodeStatement extends Statement {
  setReadBigInts(isEnabled: boolean): void
}

interface NodeDatabase extends OpenFile {
  prepare(sql: string): NodeStatement
}

type NodeSqlite = { DatabaseSync: new (file: string, options: { readOnly: boolean }) => NodeDatabase }

/** Opens a database file with `node:sqlite`. */
function connectNode(file: string, { isReadOnly = false }: DatabaseAccess = {}): Database {
  const { DatabaseSync } = loadPackage(NODE_SQLITE) as NodeSqlite
  const database = new DatabaseSync(file, { readOnly: isReadOnly })
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => roundIntegers(database.prepare(sql)),
    close: () => database.close(),
  }
}

/**
 * Rounds integers beyond 2^53 as `libsql` does. `node:sqlite` throws at them, so that one damaged value would make all
 * rows of a result unreadable.
 */
function roundIntegers(statement: NodeStatement): Statement {
  function read<Result>(query: () => Result, round: (result: Result) => Result): Result {
    try {
      return query()
    } catch (error) {
      if (!isOutOfRange(error)) throw error
    }
    statement.setReadBigInts(true)
    try {
      return round(query())
    } finally {
      statement.setReadBigInts(false)
    }
  }
  return {
    run: (...values) => statement.run(...values),
    get: (...values) =>
      read(
        () => statement.get(...values),
        (row) => row && roundRow(row),
      ),
    all: (...values) =>
      read(
        () => statement.all(...values),
        (rows) => rows.map(roundRow),
      ),
  }
}

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

const roundRow = (row: SqlRow): SqlRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === 'bigint' ? Number(value) : value]),
  )

/** Names of SQLite results that are not caused by the statement. @see https://www.sqlite.org/rescode.html */
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

/**
 * Describes an error of an SQLite library, with the name of SQLite's result: `database or disk is full (SQLITE_FULL)`.
 */
export function describeSqlError(error: unknown): string {
  const message = messageOf(error)
  const name = resultOf(error)
  return name === undefined || message.includes(name) ? message : `${message} (${name})`
}

/** Tests for the error of a database that another connection has locked. */
export const isBusy = (error: unknown): boolean => resultOf(error)?.startsWith('SQLITE_BUSY') === true

/** Returns the name of the result in an error of an SQLite library; undefined for other errors. */
function resultOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // `node:sqlite` gives the number, `libsql` the name.
  if ('errcode' in error && typeof error.errcode === 'number') return RESULT_NAMES[error.errcode & 0xff]
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined
}

/** Rolls a failed transaction back. SQLite may have done so itself, when the disk is full. */
export function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // The caller throws the error that failed the transaction.
  }
}

export const textOf = (row: SqlRow, column: string): string => String(row[column])

export const numberOf = (row: SqlRow, column: string): number => Number(row[column])

/** Empty for a value that is no bytes. */
export const bytesOf = (row: SqlRow, column: string): Uint8Array => {
  const value = row[column]
  return value instanceof Uint8Array ? value : new Uint8Array()
}

/** Undefined for NULL. */
export const textIn = (row: SqlRow, column: string): string | undefined => {
  const value = row[column]
  return typeof value === 'string' ? value : undefined
}

/** Undefined for NULL. */
export const numberIn = (row: SqlRow, column: string): number | undefined => {
  const value = row[column]
  return typeof value === 'number' ? value : undefined
}
