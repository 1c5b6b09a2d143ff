import { randomUUID } from 'node:crypto'
import { numberOf, type SqlRow, textIn, textOf } from '../../base/sqlite/driver.js'
import { MAX_REPORT_WAIT_MS } from '../../kernel/ledger/outbox.js'
import {
  MAX_READ_CHARS,
  type StoredResult,
  type StoredWatch,
  type WatchCommit,
  type WatchedUrl,
  type WatchedPage,
  type WatchKey,
  type WatchReport,
  type WatchStore,
} from './watch-store.js'
import type { FeatureTables } from '../../kernel/ledger/sqlite/feature-tables.js'
import type { SqliteFile } from '../../kernel/ledger/sqlite/sqlite-file.js'

/** The tables of watches. */
const TABLES: FeatureTables = {
  feature: 'watch',
  migrations: [
    `CREATE TABLE watches (
       name TEXT PRIMARY KEY, request TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, paused INTEGER NOT NULL DEFAULT 0,
       asked INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, state TEXT, last INTEGER NOT NULL DEFAULT 0, owner TEXT
     ) WITHOUT ROWID;
     CREATE TABLE watch_pages (
       watch TEXT NOT NULL, url TEXT NOT NULL, facts TEXT NOT NULL, markdown TEXT NOT NULL, PRIMARY KEY (watch, url)
     );
     CREATE TABLE watch_results (
       watch TEXT NOT NULL, sequence INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (watch, sequence)
     );
     CREATE TABLE watch_reports (
       number INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL,
       due_at INTEGER NOT NULL
     );
     CREATE INDEX watch_reports_by_watch ON watch_reports (watch, number);`,
    `ALTER TABLE watches ADD COLUMN identity TEXT NOT NULL DEFAULT '';
     UPDATE watches SET identity = lower(hex(randomblob(16)));
     ALTER TABLE watches ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE watch_results ADD COLUMN same INTEGER NOT NULL DEFAULT 0;`,
  ],
  // Versions 6 and 7 of the ledger made them.
  firstVersion: "SELECT count(*) AS version FROM pragma_table_info('watches') WHERE name IN ('name', 'identity')",
}

/** Tables with the history of watches. */
const HISTORY = ['watch_pages', 'watch_results', 'watch_reports']

/**
 * The watches in an SQLite file. A watch belongs to the process whose lock is beside the file, as a job does: the system
 * gives up the lock of a process that dies.
 */
export class SqliteWatchStore implements WatchStore {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    this.#file = file
    file.addTables(TABLES)
  }

  async define(name: string, request: string, nowMs: number): Promise<void> {
    this.#file.transact(() =>
      this.#file
        .statement(
          `INSERT INTO watches (name, request, created_at, identity) VALUES (?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET request = excluded.request, version = version + 1
             WHERE watches.request <> excluded.request`,
        )
        .run(name, request, nowMs, randomUUID()),
    )
  }

  async read(name: string): Promise<StoredWatch | undefined> {
    const row = this.#row(name)
    return row && this.#toWatch(row)
  }

  async list(): Promise<readonly StoredWatch[]> {
    const rows = this.#file.statement('SELECT * FROM watches ORDER BY name').all()
    return rows.map((row) => this.#toWatch(row))
  }

  async control(name: string, { isPaused, asks }: { isPaused?: boolean; asks?: true }): Promise<boolean> {
    return this.#file.transact(() => {
      if (!this.#row(name)) return false
      this.#file
        .statement(
          `UPDATE watches SET paused = coalesce(?, paused), asked = asked + ?, version = version + 1 WHERE name = ?`,
        )
        .run(isPaused === undefined ? null : Number(isPaused), asks ? 1 : 0, name)
      return true
    })
  }

  async acquire(watch: WatchKey): Promise<boolean> {
    const owner = this.#file.owner(Date.now())
    // Asked first without a transaction, which would wait for other writers: most watches that are not free stay so.
    const known = this.#find(watch)
    if (!known || this.#isHeldElsewhere(known, owner)) return false
    return this.#file.transact(() => {
      const row = this.#find(watch)
      if (!row || this.#isHeldElsewhere(row, owner)) return false
      this.#file.statement('UPDATE watches SET owner = ? WHERE name = ?').run(owner, watch.name)
      return true
    })
  }

  async release({ name, identity }: WatchKey): Promise<void> {
    const owner = this.#file.owner(Date.now())
    const sql = 'UPDATE watches SET owner = NULL WHERE name = ? AND identity = ? AND owner = ?'
    this.#file.transact(() => this.#file.statement(sql).run(name, identity, owner))
  }

  async commit(
    watch: WatchKey,
    { state, page, forget = [], result, isSame = false, report, keepResults }: WatchCommit,
  ): Promise<number | undefined> {
    const { name } = watch
    const owner = this.#file.owner(Date.now())
    return this.#file.transact(() => {
      const row = this.#find(watch)
      if (!row || textIn(row, 'owner') !== owner) return undefined
      const sequence = numberOf(row, 'last') + (result === undefined ? 0 : 1)
      const run = (sql: string, ...values: (string | number)[]): unknown => this.#file.statement(sql).run(...values)
      if (state !== undefined) run('UPDATE watches SET state = ? WHERE name = ?', state, name)
      if (page) {
        const sql = 'INSERT OR REPLACE INTO watch_pages (watch, url, facts, markdown) VALUES (?, ?, ?, ?)'
        run(sql, name, page.url, page.facts, page.markdown)
      }
      for (const url of forget) run('DELETE FROM watch_pages WHERE watch = ? AND url = ?', name, url)
      if (result !== undefined) {
        const sql = 'INSERT INTO watch_results (watch, sequence, result, same) VALUES (?, ?, ?, ?)'
        run(sql, name, sequence, result, Number(isSame))
        run('UPDATE watches SET last = ? WHERE name = ?', sequence, name)
      }
      if (report) {
        const sql = 'INSERT INTO watch_reports (watch, body, attempts, due_at) VALUES (?, ?, 0, ?)'
        run(sql, name, report.body, report.dueAtMs)
      }
      if (keepResults !== undefined) this.#prune(name, keepResults)
      return sequence
    })
  }

  async page(name: string, url: string): Promise<WatchedPage | undefined> {
    const row = this.#file.statement('SELECT * FROM watch_pages WHERE watch = ? AND url = ?').get(name, url)
    return row && { url, facts: textOf(row, 'facts'), markdown: textOf(row, 'markdown') }
  }

  async pages(name: string): Promise<readonly WatchedUrl[]> {
    const rows = this.#file.statement('SELECT url, facts FROM watch_pages WHERE watch = ? ORDER BY url').all(name)
    return rows.map((row) => ({ url: textOf(row, 'url'), facts: textOf(row, 'facts') }))
  }

  async results(name: string, after: number, limit: number): Promise<readonly StoredResult[]> {
    const range = 'FROM watch_results WHERE watch = ? AND sequence > ?'
    const sizes = this.#file
      .statement(`SELECT sequence, length(result) AS size ${range} ORDER BY sequence LIMIT ?`)
      .all(name, after, limit)
    let room = MAX_READ_CHARS
    const read = sizes.filter((row, index) => (room -= numberOf(row, 'size')) >= 0 || index === 0)
    const last = read.at(-1)
    if (!last) return []
    const rows = this.#file
      .statement(`SELECT sequence, result ${range} AND sequence <= ? ORDER BY sequence`)
      .all(name, after, numberOf(last, 'sequence'))
    return rows.map((row) => ({ sequence: numberOf(row, 'sequence'), result: textOf(row, 'result') }))
  }

  async lastSequence(name: string): Promise<number> {
    const row = this.#row(name)
    return row ? numberOf(row, 'last') : 0
  }

  async dueReports(name: string, nowMs: number, limit: number): Promise<readonly WatchReport[]> {
    const sql = 'SELECT * FROM watch_reports WHERE watch = ? AND (due_at <= ? OR due_at > ?) ORDER BY number LIMIT ?'
    const rows = this.#file.statement(sql).all(name, nowMs, nowMs + MAX_REPORT_WAIT_MS, limit)
    return rows.map((row) => ({
      number: numberOf(row, 'number'),
      body: textOf(row, 'body'),
      attempts: numberOf(row, 'attempts'),
      dueAtMs: numberOf(row, 'due_at'),
    }))
  }

  async failedReports(name: string): Promise<number> {
    const sql = 'SELECT count(*) AS count FROM watch_reports WHERE watch = ? AND attempts > 0'
    const row = this.#file.statement(sql).get(name)
    return row ? numberOf(row, 'count') : 0
  }

  async dropReports(watch: WatchKey): Promise<void> {
    this.#file.transact(() => {
      if (this.#find(watch)) this.#file.statement('DELETE FROM watch_reports WHERE watch = ?').run(watch.name)
    })
  }

  async settleReport(name: string, number: number, retryAtMs?: number): Promise<void> {
    this.#file.transact(() => {
      if (retryAtMs === undefined)
        this.#file.statement('DELETE FROM watch_reports WHERE watch = ? AND number = ?').run(name, number)
      else {
        const sql = 'UPDATE watch_reports SET attempts = attempts + 1, due_at = ? WHERE watch = ? AND number = ?'
        this.#file.statement(sql).run(retryAtMs, name, number)
      }
    })
  }

  async remove(name: string): Promise<boolean> {
    return this.#file.transact(() => {
      if (!this.#row(name)) return false
      for (const table of HISTORY) this.#file.statement(`DELETE FROM ${table} WHERE watch = ?`).run(name)
      this.#file.statement('DELETE FROM watches WHERE name = ?').run(name)
      return true
    })
  }

  /** Deletes results until as many are left: those that tell of no change first, then the oldest. */
  #prune(name: string, keep: number): void {
    const count = this.#file.statement('SELECT count(*) AS count FROM watch_results WHERE watch = ?').get(name)
    const excess = (count ? numberOf(count, 'count') : 0) - keep
    if (excess <= 0) return
    const chosen = 'SELECT sequence, same FROM watch_results WHERE watch = ? ORDER BY same DESC, sequence LIMIT ?'
    const lost = `SELECT coalesce(max(sequence), 0) FROM (${chosen}) WHERE same = 0`
    this.#file.statement(`UPDATE watches SET lost = max(lost, (${lost})) WHERE name = ?`).run(name, excess, name)
    this.#file
      .statement(`DELETE FROM watch_results WHERE watch = ? AND sequence IN (SELECT sequence FROM (${chosen}))`)
      .run(name, name, excess)
  }

  #row(name: string): SqlRow | undefined {
    return this.#file.statement('SELECT * FROM watches WHERE name = ?').get(name)
  }

  #find({ name, identity }: WatchKey): SqlRow | undefined {
    const row = this.#row(name)
    return row && textOf(row, 'identity') === identity ? row : undefined
  }

  #isHeldElsewhere(row: SqlRow, owner: string): boolean {
    const holder = textIn(row, 'owner')
    return holder !== undefined && holder !== owner && this.#file.isAlive(holder)
  }

  #toWatch(row: SqlRow): StoredWatch {
    const [state, holder] = [textIn(row, 'state'), textIn(row, 'owner')]
    return {
      name: textOf(row, 'name'),
      identity: textOf(row, 'identity'),
      request: textOf(row, 'request'),
      version: numberOf(row, 'version'),
      isPaused: numberOf(row, 'paused') === 1,
      asked: numberOf(row, 'asked'),
      createdAtMs: numberOf(row, 'created_at'),
      last: numberOf(row, 'last'),
      lost: numberOf(row, 'lost'),
      isHeld: holder !== undefined && this.#file.isAlive(holder),
      state,
    }
  }
}
