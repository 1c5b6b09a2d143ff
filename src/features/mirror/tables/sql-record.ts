import type { MirrorRecord, RecordChange } from '../mirror-record.js'
import { readEntry, readHead } from '../records/entry-text.js'
import { checkRows, shortenKey, sql, type SqlDatabase, type SqlStatement } from './sql-database.js'

/** The record of a mirror in a database. */
interface SqlRecord extends MirrorRecord {
  /** Makes the statements that write a change, for a transaction with others. */
  statementsOf(change: RecordChange): SqlStatement[]
}

/** Characters of a key in the index, beside the name of a mirror. An entry has its whole key. */
const KEY_CHARACTERS = 600

/**
 * Keeps the record of a mirror in a database, where its changes are one transaction with those of the target. Each begins with the head that
 * this process wrote last: once another process has begun a run, nothing more is written here.
 */
export function sqlRecord(database: SqlDatabase, name: string): SqlRecord {
  let known: string | undefined
  const orHeld = `another process has begun to fill the mirror ${name}: only one at a time can`
  const isOwn = (head: string): SqlStatement =>
    sql('SELECT name FROM trawl_mirrors WHERE name = ? AND head = ?', name, head)
  const statementsOf = ({ put = [], remove = [] }: RecordChange): SqlStatement[] => [
    ...(known === undefined
      ? []
      : [
          {
            ...sql('UPDATE trawl_mirrors SET head = head WHERE name = ? AND head = ? RETURNING name', name, known),
            orHeld,
          },
        ]),
    ...remove.map((key) =>
      sql('DELETE FROM trawl_mirror_entries WHERE mirror = ? AND key = ?', name, shortenKey(key, KEY_CHARACTERS)),
    ),
    ...put.map((entry) =>
      sql(
        `INSERT INTO trawl_mirror_entries (mirror, key, entry) VALUES (?, ?, ?)
         ON CONFLICT (mirror, key) DO UPDATE SET entry = excluded.entry`,
        name,
        shortenKey(entry.key, KEY_CHARACTERS),
        JSON.stringify(entry),
      ),
    ),
  ]
  return {
    statementsOf,
    async load() {
      const [stored] = await database.all(sql('SELECT head FROM trawl_mirrors WHERE name = ?', name))
      const rows = await database.all(sql('SELECT entry FROM trawl_mirror_entries WHERE mirror = ?', name))
      known = stored && String(stored['head'])
      return { head: readHead(known), entries: rows.map((row) => readEntry(String(row['entry']))) }
    },
    async checkAlone() {
      if (known === undefined) return
      checkRows({ ...isOwn(known), orHeld }, await database.all(isOwn(known)))
    },
    save: (change) => database.transact(statementsOf(change)),
    async saveHead(head) {
      const text = JSON.stringify(head)
      const write =
        known === undefined
          ? sql(
              'INSERT INTO trawl_mirrors (name, head) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING name',
              name,
              text,
            )
          : sql('UPDATE trawl_mirrors SET head = ? WHERE name = ? AND head = ? RETURNING name', text, name, known)
      await database.transact([{ ...write, orHeld }])
      known = text
    },
    transact: (change, act) => database.transact(statementsOf(change), act),
  }
}
