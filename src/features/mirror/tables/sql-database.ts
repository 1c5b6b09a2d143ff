import { createHash } from 'node:crypto'
import { TrawlError } from '../../../base/errors.js'
import type { MirrorTransaction, TransactionValue } from '../mirror-record.js'

/** A statement. `?` stands for its values in order, in every database. */
export interface SqlStatement {
  readonly sql: string
  readonly values: readonly TransactionValue[]
  /** Says what is wrong where it gives no row. Its transaction is then undone. */
  readonly orHeld?: string
}

type Row = Readonly<Record<string, unknown>>

/** A database in which a mirror has tables. */
export interface SqlDatabase {
  /** Runs statements in one transaction, after what a function of the caller writes in it. */
  transact(statements: readonly SqlStatement[], act?: (tx: MirrorTransaction) => Promise<void>): Promise<void>
  all(statement: SqlStatement): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Tables of mirrors: what they have acknowledged. */
export const RECORD_TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS trawl_mirrors (name TEXT PRIMARY KEY, head TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS trawl_mirror_entries (
     mirror TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (mirror, key))`,
]

/** Makes a statement. */
export const sql = (text: string, ...values: readonly TransactionValue[]): SqlStatement => ({ sql: text, values })

/** Checks the rows that a statement gave. @throws TrawlError `JOB_HELD` for none, where it must give one */
export function checkRows({ orHeld }: SqlStatement, rows: readonly Row[]): void {
  if (orHeld !== undefined && rows.length === 0) throw new TrawlError('JOB_HELD', orHeld)
}

/** Shortens a key that an index cannot take: in PostgreSQL 2704 bytes for all of its columns. */
export const shortenKey = (key: string, characters: number): string =>
  key.length <= characters ? key : `${key.slice(0, characters - 65)}#${createHash('sha256').update(key).digest('hex')}`

/** Calls a function with a transaction, which it can no longer use when it has ended: a later statement would be in that of another change. */
export async function whileOpen(tx: MirrorTransaction, act: (tx: MirrorTransaction) => Promise<void>): Promise<void> {
  let isOpen = true
  const check = (): void => {
    if (!isOpen) throw new Error('the transaction has ended: await what uses `tx`')
  }
  try {
    await act({
      async run(text, ...values) {
        check()
        await tx.run(text, ...values)
      },
      async all(text, ...values) {
        check()
        return tx.all(text, ...values)
      },
    })
  } finally {
    isOpen = false
  }
}

/** Collects what a function writes, for a database whose transactions wait for nobody. */
export async function collect(
  act: (tx: MirrorTransaction) => Promise<void>,
  all: SqlDatabase['all'],
): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = []
  const tx: MirrorTransaction = {
    run: async (text, ...values) => void statements.push({ sql: text, values }),
    all: (text, ...values) => all({ sql: text, values }),
  }
  await whileOpen(tx, act)
  return statements
}
