import { TrawlError } from '../../../base/errors.js'
import { textOf } from '../../../base/sqlite/driver.js'
import type { FeatureTables } from '../../../kernel/ledger/sqlite/feature-tables.js'
import type { SqliteFile } from '../../../kernel/ledger/sqlite/sqlite-file.js'
import type { MirrorEntry, MirrorRecord, MirrorTransaction, RecordChange, TransactionValue } from '../mirror-record.js'
import { readEntry, readHead } from './entry-text.js'

/** The tables of mirrors in a ledger's file. */
export const MIRROR_TABLES: FeatureTables = {
  feature: 'mirror',
  migrations: [
    `CREATE TABLE mirrors (name TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID;
     CREATE TABLE mirror_entries (
       mirror TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (mirror, key)
     ) WITHOUT ROWID;`,
  ],
}

/** Keeps the record of a mirror in the file of an SQLite ledger. */
export function sqliteRecord(file: SqliteFile, name: string): MirrorRecord {
  const write = ({ put = [], remove = [] }: RecordChange): void => {
    for (const key of remove) file.statement('DELETE FROM mirror_entries WHERE mirror = ? AND key = ?').run(name, key)
    for (const entry of put)
      file
        .statement('INSERT OR REPLACE INTO mirror_entries (mirror, key, entry) VALUES (?, ?, ?)')
        .run(name, entry.key, JSON.stringify(entry))
  }
  return {
    async load() {
      const stored = file.statement('SELECT head FROM mirrors WHERE name = ?').get(name)
      const rows = file.statement('SELECT entry FROM mirror_entries WHERE mirror = ?').all(name)
      const entries = rows.map((row) => file.read((): MirrorEntry => readEntry(textOf(row, 'entry'))))
      return { head: readHead(stored && textOf(stored, 'head')), entries }
    },
    async save(change) {
      file.transact(() => write(change))
    },
    async saveHead(head) {
      const sql = 'INSERT OR REPLACE INTO mirrors (name, head) VALUES (?, ?)'
      file.transact(() => void file.statement(sql).run(name, JSON.stringify(head)))
    },
    async transact(change, act) {
      const statements: (readonly [sql: string, values: readonly TransactionValue[]])[] = []
      let isOpen = true
      const open = (): void => {
        if (!isOpen) throw new TrawlError('BAD_REQUEST', 'the transaction has ended: await what uses `tx`')
      }
      const tx: MirrorTransaction = {
        async run(sql, ...values) {
          open()
          statements.push([sql, values])
        },
        async all(sql, ...values) {
          open()
          return file.statement(sql).all(...values)
        },
      }
      try {
        await act(tx)
      } finally {
        isOpen = false
      }
      file.transact(() => {
        for (const [sql, values] of statements) file.statement(sql).run(...values)
        write(change)
      })
    },
  }
}
