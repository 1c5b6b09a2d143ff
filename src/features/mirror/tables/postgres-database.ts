import { TrawlError } from '../../../base/errors.js'
import { describePgError, isConnectionError } from '../../../base/postgres/pg-driver.js'
import type { LedgerConnection } from '../../../kernel/ledger/ledger.js'
import type { MirrorTransaction } from '../mirror-record.js'
import { checkRows, RECORD_TABLES, type SqlDatabase, type SqlStatement, whileOpen } from './sql-database.js'

/** A connection of its own to PostgreSQL: a client of `pg`, or a database of PGlite. */
export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** Key of the lock under which the tables are made: two processes that make one at once would both fail. */
const MAKING = 7_305_114_055

/** Opens a PostgreSQL database, with the tables of mirrors and `tables`, on its first use. @throws TrawlError `LEDGER_ERROR` */
export function openPostgresDatabase(connect: () => Promise<LedgerConnection>, tables: readonly string[]): SqlDatabase {
  let lent: Promise<LedgerConnection> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const end = async (): Promise<void> => {
    const ending = lent
    lent = undefined
    await ending?.then(
      (opened) => opened.end(),
      () => undefined,
    )
  }
  const attempt = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (error instanceof TrawlError) throw error
      // The next call connects anew.
      if (isConnectionError(error)) void end().catch(() => undefined)
      const message = `the database of the mirror cannot be used: ${describePgError(error)}`
      throw new TrawlError('LEDGER_ERROR', message, { cause: error })
    }
  }
  const open = async (): Promise<PostgresConnection> => {
    if (isClosed) throw new TrawlError('LEDGER_ERROR', 'the database of the mirror is closed')
    lent ??= attempt(() => connectTo(connect, tables))
    lent.catch(() => (lent = undefined))
    return (await lent).connection
  }
  /** Runs one transaction after the other: they share a connection. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const own = last.then(act)
    last = own.catch(() => undefined)
    return own
  }
  return {
    all: (statement) => inTurn(async () => attempt(async () => query(await open(), statement))),
    transact: (statements, act) =>
      inTurn(async () => {
        const connection = await open()
        let failure: { readonly error: unknown } | undefined
        await attempt(() =>
          inTransaction(connection, async () => {
            try {
              if (act) await whileOpen(transactionOf(connection), act)
            } catch (error) {
              failure = { error }
              throw error
            }
            for (const statement of statements) checkRows(statement, await query(connection, statement))
          }),
        ).catch((error: unknown) => {
          // What the function of the caller throws, its caller gets.
          throw failure ? failure.error : error
        })
      }),
    async close() {
      isClosed = true
      await end()
    },
  }
}

/** Connects, and makes the tables. A connection that cannot make them is ended. */
async function connectTo(
  connect: () => Promise<LedgerConnection>,
  tables: readonly string[],
): Promise<LedgerConnection> {
  const opened = await connect()
  try {
    await inTransaction(opened.connection, async () => {
      await opened.connection.query(`SELECT pg_advisory_xact_lock(${MAKING})`)
      for (const table of [...RECORD_TABLES, ...tables]) await opened.connection.query(table)
    })
    return opened
  } catch (error) {
    await opened.end().catch(() => undefined)
    throw error
  }
}

async function inTransaction(connection: PostgresConnection, act: () => Promise<void>): Promise<void> {
  await connection.query('BEGIN')
  try {
    await act()
    await connection.query('COMMIT')
  } catch (error) {
    // The error that failed the transaction is the one to throw.
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

const transactionOf = (connection: PostgresConnection): MirrorTransaction => ({
  async run(text, ...values) {
    await connection.query(text, [...values])
  },
  all: async (text, ...values) => (await connection.query(text, [...values])).rows as Record<string, unknown>[],
})

async function query(
  connection: PostgresConnection,
  { sql, values }: SqlStatement,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  let number = 0
  const text = sql.replaceAll(/"[^"]*"|\?/g, (part) => (part === '?' ? `$${(number += 1)}` : part))
  return (await connection.query(text, [...values])).rows as Record<string, unknown>[]
}
