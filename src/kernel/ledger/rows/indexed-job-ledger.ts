import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type {
  Attempt,
  UrlCandidate,
  Claim,
  Counts,
  Ending,
  LeaseRequest,
  LedgerRow,
  Refusal,
  RowEnd,
  RowFilter,
  Source,
} from '../ledger.js'
import type { IndexedRow } from './new-row.js'
import type { Outbox, RowReports } from '../outbox.js'
import type { OutboxIndex } from './outbox-index.js'
import { type RowIndex, SLICE_SIZE } from './row-index.js'

/** A document with its position in the order of discovery, or in the batch's list. */
export interface OrderedDocument<Doc> {
  readonly order: number
  readonly document: Doc
}

/** Documents that are being stored. */
export interface DocumentWrite {
  readonly sequences: readonly number[]
  /** Resolves when the documents, and everything changed before the call, are as durable as the ledger makes them. */
  finish(): Promise<void>
}

/** The part of a job's ledger that does not depend on where its documents are stored: its rows, indexed in memory. */
export abstract class IndexedJobLedger<Doc> {
  protected abstract readonly index: RowIndex
  protected abstract readonly outboxes: OutboxIndex

  /** Stores documents of one page. @param bytes size of each document */
  protected abstract writeDocuments(documents: readonly OrderedDocument<Doc>[], bytes: number): DocumentWrite

  /** Resolves when everything changed before the call is as durable as the ledger makes it. */
  abstract written(): Promise<void>

  /** Finds the document at a position in the order of discovery; undefined when it is not stored any more. */
  protected abstract findDocument(order: number): Promise<{ document: Doc; bytes: number } | undefined>

  /** Stores the note of a row that ends. */
  protected abstract writeNote(row: IndexedRow, note: string): void

  async end(key: string, ending: Ending<Doc>, rowEnd: RowEnd): Promise<LedgerRow> {
    const row = this.index.end(key, ending, rowEnd)
    // Sources may be added to the row while it is written.
    const ended = { ...row }
    const { note } = rowEnd
    if (note !== undefined) this.writeNote(row, note)
    const { documents, bytes } = ending.outcome === 'done' ? ending : { documents: [], bytes: 0 }
    const ordered = documents.map((document, at) => ({ order: orderOf(row, at), document }))
    const write = this.writeDocuments(ordered, bytes)
    const reports = rowEnd.reports ? this.outboxes.createPageReports(row, write.sequences, rowEnd.reports) : []
    await write.finish()
    if (reports.length > 0) this.outboxes.enqueue(reports)
    return ended
  }

  async addSources(
    key: string,
    sources: readonly Source[],
    copy: (document: Doc, source: Source) => Doc,
    rowReports?: RowReports,
  ): Promise<{ documents: readonly Doc[]; bytes: number; ended?: LedgerRow } | undefined> {
    const row = this.index.row(key)
    if (!row) return undefined
    const original = row.outcome === 'done' ? await this.findDocument(orderOf(row, 0)) : undefined
    if (row.outcome === 'done' && !original) return undefined
    const added = this.index.addSources(row, sources)
    const hasNone = added.length > 0 && (row.outcome === 'failed' || row.outcome === 'skipped')
    const ended = hasNone && { ended: { ...row, sources: added } }
    const copies = original
      ? added.map((source) => ({ order: source.order, document: copy(original.document, source) }))
      : []
    const bytes = original?.bytes ?? 0
    const write = this.writeDocuments(copies, bytes)
    const reports = rowReports ? this.outboxes.createReportsOfAddedSources(row, added, write.sequences, rowReports) : []
    await write.finish()
    if (reports.length > 0) this.outboxes.enqueue(reports)
    return { documents: copies.map(({ document }) => document), bytes, ...ended }
  }

  outbox(feature: string): Outbox {
    return this.outboxes.of(feature)
  }

  async admit(candidates: readonly UrlCandidate[], nowMs: number): Promise<readonly LedgerRow[]> {
    if (candidates.length <= SLICE_SIZE) return this.index.admit(candidates, nowMs)
    const added: LedgerRow[] = []
    for (let from = 0; from < candidates.length; from += SLICE_SIZE) {
      if (from > 0) await this.endSlice()
      for (const row of this.index.admit(candidates.slice(from, from + SLICE_SIZE), nowMs)) added.push(row)
    }
    return added
  }

  async skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    const rows = await this.index.skipQueued(decide, nowMs, () => this.endSlice())
    await this.written()
    return rows
  }

  /** Yields to the event loop of the host between two slices of a long list of rows. */
  protected endSlice(): Promise<void> {
    return yieldIfHeld()
  }

  isSettled(key: string): boolean {
    return this.index.isSettled(key)
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }, nowMs: number): Promise<Claim> {
    return this.index.claim(candidate, nowMs)
  }

  async lease(request: LeaseRequest): Promise<LedgerRow | undefined> {
    return this.index.lease(request)
  }

  async ready(request: LeaseRequest): Promise<boolean> {
    return this.index.next(request) !== undefined
  }

  async putBack(key: string): Promise<void> {
    this.index.putBack(key)
  }

  async retry(key: string, attempt: Attempt): Promise<void> {
    this.index.retry(key, attempt)
  }

  async counts(): Promise<Counts> {
    return this.index.counts()
  }

  async row(key: string): Promise<LedgerRow | undefined> {
    return this.index.find(key)
  }

  async rows(filter?: RowFilter): Promise<readonly LedgerRow[]> {
    return this.index.rows(filter)
  }
}

/** Position of a row's document in the order in which pages were begun. @param at index of the source */
const orderOf = (row: LedgerRow, at: number): number => row.sources?.[at]?.order ?? row.order ?? 0
