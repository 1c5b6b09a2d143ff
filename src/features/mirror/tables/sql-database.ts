import type { MirrorTransaction, TransactionValue } from '../mirror-record.js'

/** A statement. `?` stands for its values in order, in every database. */
export interface SqlStatement {
  readonly sql: string
  readonly values: readonly TransactionValue[]
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

/** Collects what a function writes, for a database whose transactions wait for nobody. */
export async function collect(
  act: (tx: MirrorTransaction) => Promise<void>,
  all: SqlDatabase['all'],
): Promise<SqlStatement[]> {
  const statements: SqlStatement[] = []
  let isOpen = true
  const open = (): void => {
    if (!isOpen) throw new Error('the transaction has ended: await what uses `tx`')
  }
  const tx: MirrorTransaction = {
    async run(text, ...values) {
      open()
      statements.push({ sql: text, values })
    },
    async all(text, ...values) {
      open()
      return all({ sql: text, values })
    },
  }
  try {
    await act(tx)
  } finally {
    isOpen = false
  }
  return statements
}
