import { createHash } from 'node:crypto'
import { splitMarkdown } from '../../../content/convert/split/chunk-markdown.js'
import { type Database, numberIn, numberOf, rollBack, textOf } from '../../../base/sqlite/driver.js'
import { migrate } from '../../../base/sqlite/migrate.js'
import { useWriteAheadLog } from '../../../base/sqlite/write-ahead-log.js'
import type { PageToIndex } from '../search-index.js'
import { ChunkCounts } from './choose-terms.js'
import { INDEX_MIGRATIONS } from './index-schema.js'
import { StatementCache } from './statement-cache.js'
import { VectorTable } from './vector-table.js'
import { TrawlError } from '../../../base/errors.js'
import { foldText } from '../words/fold-text.js'

/** Maximum tokens of a chunk. */
const CHUNK_TOKENS = 512
/** Maximum characters of a page's content that are indexed: some 2000 pages of a book. */
const MAX_CONTENT_LENGTH = 4_000_000
/** Timeout for another process that writes to the file. Milliseconds. */
const BUSY_TIMEOUT_MS = 30_000
/** Contents that are deleted in one step, so that a search does not wait for long. */
const SWEEP_CONTENTS = 20

/** The SQLite file of an index, as its thread writes it. */
export class IndexDatabase {
  readonly sql: StatementCache
  readonly counts: ChunkCounts
  readonly vectors: VectorTable
  readonly #database: Database
  #isInTransaction = false

  constructor(database: Database) {
    this.#database = database
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    refuseForeignIndex(database)
    useWriteAheadLog(database, BUSY_TIMEOUT_MS)
    database.exec('PRAGMA synchronous = NORMAL')
    migrate(database, { migrations: INDEX_MIGRATIONS, code: 'SEARCH_ERROR', file: 'the file' })
    this.sql = new StatementCache(database)
    this.counts = new ChunkCounts(this.sql)
    this.vectors = new VectorTable(this.sql)
  }

  /** Begins a transaction, if none is open. */
  begin(): void {
    if (this.#isInTransaction) return
    this.#database.exec('BEGIN IMMEDIATE')
    this.#isInTransaction = true
  }

  commit(): void {
    if (!this.#isInTransaction) return
    this.#isInTransaction = false
    try {
      this.#database.exec('COMMIT')
    } catch (error) {
      rollBack(this.#database)
      throw error
    }
  }

  rollBack(): void {
    if (this.#isInTransaction) rollBack(this.#database)
    this.#isInTransaction = false
  }

  close(): void {
    this.#database.close()
  }

  /** Returns the number of a job; undefined for one that is not in the index. */
  findJob(jobId: string): number | undefined {
    return numberIn(this.sql.get('SELECT number FROM jobs WHERE id = ?', jobId) ?? {}, 'number')
  }

  beginJob(jobId: string): void {
    this.sql.run(
      `INSERT INTO jobs (id, is_replaced) VALUES (?, 0) ON CONFLICT (id) DO UPDATE SET expires_at = NULL`,
      jobId,
    )
  }

  endJob(jobId: string, expiresAtMs: number, replacedJobId?: string): void {
    this.sql.run('UPDATE jobs SET expires_at = ? WHERE id = ?', Math.round(expiresAtMs), jobId)
    if (replacedJobId !== undefined) this.sql.run('UPDATE jobs SET is_replaced = 1 WHERE id = ?', replacedJobId)
  }

  listKeys(jobId: string): readonly string[] | undefined {
    const job = this.findJob(jobId)
    if (job === undefined) return undefined
    const rows = this.sql.all('SELECT key FROM pages WHERE job = ? AND content IS NOT NULL ORDER BY number', job)
    return rows.map((row) => textOf(row, 'key'))
  }

  hasContent(key: string, nowMs: number): boolean {
    return this.#findContent(key, nowMs) !== undefined
  }

  putPage(jobId: string, page: PageToIndex): void {
    const { key, url, state } = page
    let job = this.findJob(jobId)
    if (job === undefined) {
      this.beginJob(jobId)
      job = this.findJob(jobId) ?? 0
    }
    const content = state === 'gone' ? undefined : state === 'same' ? this.#findContent(key) : this.#putContent(page)
    this.counts.noteWrite()
    const before = this.sql.get('SELECT content FROM pages WHERE job = ? AND key = ?', job, key)
    // With a new number: the newest version of a page is the one with the highest.
    this.sql.run(
      'INSERT OR REPLACE INTO pages (job, key, url, content) VALUES (?, ?, ?, ?)',
      job,
      key,
      url,
      content ?? null,
    )
    if (before) this.#deleteUnused(numberIn(before, 'content'))
  }

  keepOnly(jobId: string, keys: readonly string[]): void {
    const job = this.findJob(jobId)
    if (job === undefined) return
    const kept = new Set(keys)
    for (const row of this.sql.all('SELECT number, key, content FROM pages WHERE job = ?', job)) {
      if (kept.has(textOf(row, 'key'))) continue
      this.sql.run('DELETE FROM pages WHERE number = ?', numberOf(row, 'number'))
      this.#deleteUnused(numberIn(row, 'content'))
    }
  }

  /** Removes the jobs that have expired. Their contents are deleted by {@link sweep}. @returns true when there were any */
  forgetExpired(nowMs: number): boolean {
    const expired = this.sql.all('SELECT number FROM jobs WHERE expires_at <= ?', Math.round(nowMs))
    for (const row of expired) {
      this.sql.run('DELETE FROM pages WHERE job = ?', numberOf(row, 'number'))
      this.sql.run('DELETE FROM jobs WHERE number = ?', numberOf(row, 'number'))
    }
    return expired.length > 0
  }

  /** Deletes some contents that no page has. @returns the number from which to continue; undefined when none is left */
  sweep(from: number): number | undefined {
    const unused = this.sql.all(
      `SELECT number FROM contents WHERE number >= ?
         AND NOT EXISTS (SELECT 1 FROM pages WHERE content = contents.number) ORDER BY number LIMIT ?`,
      from,
      SWEEP_CONTENTS,
    )
    for (const row of unused) this.#deleteContent(numberOf(row, 'number'))
    return unused.length < SWEEP_CONTENTS ? undefined : numberOf(unused.at(-1) ?? {}, 'number') + 1
  }

  /** Finds the newest content of a page. */
  #findContent(key: string, nowMs = 0): number | undefined {
    const found = this.sql.get(
      `SELECT content FROM pages JOIN jobs ON jobs.number = pages.job
         WHERE key = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY pages.number DESC LIMIT 1`,
      key,
      Math.round(nowMs),
    )
    return numberIn(found ?? {}, 'content')
  }

  #putContent({ key, url, markdown = '', title, date, language }: PageToIndex): number {
    const text = markdown.slice(0, MAX_CONTENT_LENGTH)
    const facts = [title ?? null, date ?? null, dayOf(date) ?? null, language ?? null] as const
    const hash = createHash('sha256')
      .update(JSON.stringify([url, text, ...facts]))
      .digest('base64')
    // A page that is scraped again, and is the same, is not indexed again.
    const known = this.sql.get(
      'SELECT contents.number FROM pages JOIN contents ON contents.number = content WHERE key = ? AND hash = ? LIMIT 1',
      key,
      hash,
    )
    if (known) return numberOf(known, 'number')
    const content = this.sql.insert(
      'INSERT INTO contents (hash, title, date, day, language) VALUES (?, ?, ?, ?, ?)',
      hash,
      ...facts,
    )
    const titleWords = wordsOfTitle(title ?? '', url)
    for (const { path, markdown: chunk } of splitMarkdown(text, CHUNK_TOKENS)) {
      const number = this.sql.insert(
        'INSERT INTO chunks (content, path, markdown) VALUES (?, ?, ?)',
        content,
        JSON.stringify(path),
        chunk,
      )
      const [pathWords, bodyWords] = [wordsOfMarkdown(path.join(' ')), wordsOfMarkdown(chunk)]
      const sql = 'INSERT INTO words (rowid, title, path, body) VALUES (?, ?, ?, ?)'
      this.sql.run(sql, number, titleWords, pathWords, bodyWords)
    }
    return content
  }

  #deleteUnused(content: number | undefined): void {
    if (content === undefined || this.sql.get('SELECT 1 FROM pages WHERE content = ? LIMIT 1', content)) return
    this.#deleteContent(content)
  }

  #deleteContent(content: number): void {
    this.vectors.deleteContent(content)
    this.sql.run('DELETE FROM words WHERE rowid IN (SELECT number FROM chunks WHERE content = ?)', content)
    this.sql.run('DELETE FROM chunks WHERE content = ?', content)
    this.sql.run('DELETE FROM contents WHERE number = ?', content)
  }
}

/** The date in a form that sorts; undefined for one that is not understood. */
function dayOf(date: string | undefined): string | undefined {
  const time = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** A column of the table `jobs` of an index. Ledgers and job queues of other programs have a table of that name, too. */
const INDEX_COLUMN = 'is_replaced'

/**
 * Refuses a file with the tables of a ledger or of another program, before anything is written to it. An empty file is accepted.
 *
 * @throws TrawlError `SEARCH_ERROR`; the error of the SQLite library for a file that it cannot read
 */
function refuseForeignIndex(database: Database): void {
  const isEmpty = !database.prepare('SELECT name FROM sqlite_master LIMIT 1').get()
  if (isEmpty || isIndex(database)) return
  throw new TrawlError('SEARCH_ERROR', 'it has tables of a ledger or of another program, and no index of pages')
}

/** Tests for the tables of an index of any version. A file of version 0 has not been through a migration. */
function isIndex(database: Database): boolean {
  const columns = database.prepare("SELECT name FROM pragma_table_info('jobs')").all()
  const version = numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version')
  return columns.some((column) => textOf(column, 'name') === INDEX_COLUMN) && version > 0
}

/** Target of a link or an image of Markdown, which nobody reads. */
const TARGET = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"\n]*")?\)/g

/** The words of a chunk for the index, without the targets of its links. */
const wordsOfMarkdown = (markdown: string): string => foldText(markdown.replace(TARGET, ' '))

/** Last segments of a URL's path that are indexed. */
const URL_SEGMENTS = 2

/** The words of a page's title and of the end of its URL for the index. */
function wordsOfTitle(title: string, url: string): string {
  const { pathname } = new URL(url)
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const names = segments.slice(-URL_SEGMENTS).map((segment) => decode(segment).replace(/\.[a-z]{1,5}$/i, ''))
  return foldText([title, ...names].join(' '))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
