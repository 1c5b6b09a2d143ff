import type { MirrorRecord, RecordChange } from '../mirror-record.js'
import { readEntry, readHead } from '../records/entry-text.js'
import { sql, type SqlDatabase, type SqlStatement } from './sql-database.js'

/** The statements that write a change of the record. */
export const recordStatements = (name: string, { put = [], remove = [] }: RecordChange): SqlStatement[] => [
  ...remove.map((key) => sql('DELETE FROM trawl_mirror_entries WHERE mirror = ? AND key = ?', name, key)),
  ...put.map((entry) =>
    sql(
      `INSERT INTO trawl_mirror_entries (mirror, key, entry) VALUES (?, ?, ?)
       ON CONFLICT (mirror, key) DO UPDATE SET entry = excluded.entry`,
      name,
      entry.key,
      JSON.stringify(entry),
    ),
  ),
]

/** Keeps the record of a mirror in a database, where its changes are one transaction with those of the target. */
export function sqlRecord(database: SqlDatabase, name: string): MirrorRecord {
  return {
    async load() {
      const [stored] = await database.all(sql('SELECT head FROM trawl_mirrors WHERE name = ?', name))
      const rows = await database.all(sql('SELECT entry FROM trawl_mirror_entries WHERE mirror = ?', name))
      return {
        head: readHead(stored && String(stored['head'])),
        entries: rows.map((row) => readEntry(String(row['entry']))),
      }
    },
    save: (change) => database.transact(recordStatements(name, change)),
    async saveHead(head) {
      const text =
        'INSERT INTO trawl_mirrors (name, head) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET head = excluded.head'
      await database.transact([sql(text, name, JSON.stringify(head))])
    },
    transact: (change, act) => database.transact(recordStatements(name, change), act),
  }
}
