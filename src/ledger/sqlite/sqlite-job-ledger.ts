import type { JobUse } from '../../accounting/budget.js'
import type {
  Attempt,
  Candidate,
  Claim,
  Counts,
  Delivery,
  Ending,
  JobLedger,
  LeaseRequest,
  LedgerRow,
  LedgerRules,
  Refusal,
  RowEnd,
  RowFilter,
  Source,
} from '../ledger.js'
import { AbridgedRows } from '../memory/abridged-rows.js'
import type { BookRow } from '../memory/new-row.js'
import { pagesOf, type OutboxIndex } from '../memory/outbox-index.js'
import { RowIndex } from '../memory/row-index.js'
import { numberOf, type SqlRow, textOf } from './sqlite-driver.js'
import type { SqliteFile } from './sqlite-file.js'
import { openOutbox } from './sqlite-outbox.js'
import { parseJson } from '../../text/parse-json.js'

/** Notes read at once. */
const NOTES = 500

/**
 * One job in an SQLite file. Its rows stand in memory as well, so that finding the next costs nothing; its documents
 * stand in the file alone.
 */
export class SqliteJobLedger<Doc> implements JobLedger<Doc> {
  #outbox: OutboxIndex | undefined
  readonly #file: SqliteFile
  readonly #job: number
  readonly #book: RowIndex
  #delivered: number
  /** Stands for what the job has taken up among the things that are written. */
  readonly #use = {}

  /** @param job its number in the file */
  constructor(file: SqliteFile, job: number, rules: LedgerRules) {
    this.#file = file
    this.#job = job
    const abridged = new AbridgedRows((hash, facts) => this.#file.write({}, () => this.#writeAbridged(hash, facts)))
    this.#book = new RowIndex(rules, (row) => file.write(row, () => this.#writeRow(row)), abridged)
    for (const row of file.statement('SELECT row FROM pages WHERE job = ? ORDER BY number').all(job)) {
      this.#book.restore(readRow(textOf(row, 'row')))
    }
    for (const row of file.statement('SELECT hash, facts FROM abridged WHERE job = ?').all(job)) {
      this.#book.restoreAbridged(numberOf(row, 'hash'), numberOf(row, 'facts'))
    }
    const last =
      file.statement('SELECT max(sequence) AS last, count(*) AS size FROM documents WHERE job = ?').get(job) ?? {}
    this.#delivered = numberOf(last, 'size') === 0 ? 0 : numberOf(last, 'last') + 1
  }

  /** Read when it is first asked for: until a job is this process's, another may send its reports. */
  get outbox(): OutboxIndex {
    return (this.#outbox ??= openOutbox(this.#file, this.#job))
  }

  async admit(candidates: readonly Candidate[], nowMs: number): Promise<readonly LedgerRow[]> {
    return this.#book.admit(candidates, nowMs)
  }

  async claim(candidate: Candidate & { refused: Refusal }, nowMs: number): Promise<Claim> {
    return this.#book.claim(candidate, nowMs)
  }

  async lease(request: LeaseRequest): Promise<LedgerRow | undefined> {
    return this.#book.lease(request)
  }

  async ready(request: LeaseRequest): Promise<boolean> {
    return this.#book.ready(request)
  }

  async putBack(key: string): Promise<void> {
    this.#book.putBack(key)
  }

  async retry(key: string, attempt: Attempt): Promise<void> {
    this.#book.retry(key, attempt)
  }

  async end(key: string, ending: Ending<Doc>, how: RowEnd): Promise<LedgerRow> {
    const row = this.#book.end(key, ending, how)
    const { note } = how
    if (note !== undefined) this.#file.write({}, () => this.#writeNote(row, note))
    const made = ending.outcome === 'done' ? ending : { documents: [], bytes: 0 }
    const sequences = made.documents.map((document, at) =>
      this.#deliver(row.sources?.[at]?.order ?? row.order ?? 0, made.bytes, document),
    )
    const { reportAtMs } = how
    const reports = reportAtMs === undefined ? [] : this.outbox.make(pagesOf(row, sequences), reportAtMs)
    await this.#file.written()
    this.outbox.open(reports)
    return row
  }

  async nameAgain(
    key: string,
    sources: readonly Source[],
    copy: (document: Doc, source: Source) => Doc,
    reportAtMs?: number,
  ): Promise<{ documents: readonly Doc[]; bytes: number } | undefined> {
    const row = this.#book.row(key)
    if (row?.outcome !== 'done') {
      const added = row ? this.#book.nameAgain(row, sources) : []
      const reports = row && reportAtMs !== undefined ? this.outbox.makeAgain(row, added, [], reportAtMs) : []
      await this.#file.written()
      this.outbox.open(reports)
      return row && { documents: [], bytes: 0 }
    }
    // A page that has ended just now is still to be written: not found, it would be fetched and paid for again.
    await this.#file.written()
    const found = this.#file
      .statement('SELECT * FROM documents WHERE job = ? AND place = ? AND body IS NOT NULL')
      .get(this.#job, row.sources?.[0]?.order ?? row.order ?? 0)
    if (!found) return undefined
    const made = toDelivery<Doc>(found)
    const added = this.#book.nameAgain(row, sources)
    const documents = added.map((source) => copy(made.document, source))
    const sequences = documents.map((document, at) => this.#deliver(added[at]?.order ?? 0, made.bytes, document))
    const reports = reportAtMs === undefined ? [] : this.outbox.makeAgain(row, added, sequences, reportAtMs)
    await this.#file.written()
    this.outbox.open(reports)
    return { documents, bytes: made.bytes }
  }

  async skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    const rows = await this.#book.skipQueued(decide, nowMs)
    await this.#file.written()
    return rows
  }

  async counts(): Promise<Counts> {
    return this.#book.counts()
  }

  async row(key: string): Promise<LedgerRow | undefined> {
    return this.#book.find(key)
  }

  async rows(filter?: RowFilter): Promise<readonly LedgerRow[]> {
    return this.#book.rows(filter)
  }

  async documents({
    skip,
    limit,
    maxBytes = Infinity,
  }: {
    skip: number
    limit: number
    maxBytes?: number
  }): Promise<readonly Delivery<Doc>[]> {
    const sizes = this.#file
      .statement(
        'SELECT sequence, bytes FROM documents WHERE job = ? AND place >= 0 ORDER BY place, sequence LIMIT ? OFFSET ?',
      )
      .all(this.#job, limit, skip)
    const page: number[] = []
    let bytes = 0
    for (const row of sizes) {
      if (bytes > maxBytes) break
      page.push(numberOf(row, 'sequence'))
      bytes += numberOf(row, 'bytes')
    }
    const read = this.#file.statement('SELECT * FROM documents WHERE job = ? AND sequence = ?')
    return page.flatMap((sequence) => {
      const row = read.get(this.#job, sequence)
      return row ? [toDelivery<Doc>(row)] : []
    })
  }

  async completed(fromSequence: number, limit: number, isOpen = false): Promise<readonly Delivery<Doc>[]> {
    return this.#file
      .statement(
        `SELECT * FROM documents WHERE job = ? AND sequence >= ? AND body IS NOT NULL AND acknowledged <= ?
         ORDER BY sequence LIMIT ?`,
      )
      .all(this.#job, fromSequence, isOpen ? 0 : 1, limit)
      .map((row) => toDelivery<Doc>(row))
  }

  async delivered(): Promise<number> {
    return this.#delivered
  }

  noteUse(use: JobUse): void {
    const text = JSON.stringify(use)
    this.#file.write(this.#use, () =>
      this.#file.statement('UPDATE jobs SET used = ? WHERE number = ?').run(text, this.#job),
    )
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    const dropped = drop ? ', body = NULL, place = NULL' : ''
    this.#file.transact(() =>
      this.#file
        .statement(`UPDATE documents SET acknowledged = 1${dropped} WHERE job = ? AND sequence = ?`)
        .run(this.#job, sequence),
    )
  }

  async *notes(): AsyncGenerator<{ row: LedgerRow; note: string }> {
    await this.#file.written()
    const rows = this.#book.rows()
    const read = this.#file.statement(
      'SELECT number, page, note FROM notes WHERE job = ? AND number > ? ORDER BY number LIMIT ?',
    )
    let found: readonly SqlRow[] = []
    for (let last = -1; ; last = numberOf(found.at(-1) ?? {}, 'number')) {
      found = read.all(this.#job, last, NOTES)
      if (found.length === 0) return
      for (const note of found) {
        const row = rows[numberOf(note, 'page')]
        if (row) yield { row, note: textOf(note, 'note') }
      }
    }
  }

  #writeRow(row: BookRow): void {
    this.#file
      .statement('INSERT OR REPLACE INTO pages (job, number, row) VALUES (?, ?, ?)')
      .run(this.#job, row.number, JSON.stringify(row))
  }

  #writeAbridged(hash: number, facts: number | undefined): void {
    if (facts === undefined) {
      this.#file.statement('DELETE FROM abridged WHERE job = ? AND hash = ?').run(this.#job, hash)
    } else {
      const sql = 'INSERT OR REPLACE INTO abridged (job, hash, facts) VALUES (?, ?, ?)'
      this.#file.statement(sql).run(this.#job, hash, facts)
    }
  }

  #writeNote(row: BookRow, note: string): void {
    this.#file.statement('INSERT INTO notes (job, page, note) VALUES (?, ?, ?)').run(this.#job, row.number, note)
  }

  #deliver(place: number, bytes: number, document: Doc): number {
    const sequence = this.#delivered++
    const sql = 'INSERT INTO documents (job, sequence, place, bytes, acknowledged, body) VALUES (?, ?, ?, ?, 0, ?)'
    this.#file.write({}, () => {
      this.#file.statement(sql).run(this.#job, sequence, place, Math.round(bytes), JSON.stringify(document))
    })
    return sequence
  }
}

function readRow(text: string): BookRow {
  const row = parseJson(text) as BookRow
  const [page, index] = row.place as readonly [number | null, number]
  // JSON has no Infinity.
  row.place = [page ?? Infinity, index]
  return row
}

const toDelivery = <Doc>(row: SqlRow): Delivery<Doc> => ({
  sequence: numberOf(row, 'sequence'),
  order: numberOf(row, 'place'),
  bytes: numberOf(row, 'bytes'),
  document: parseJson(textOf(row, 'body')) as Doc,
})
