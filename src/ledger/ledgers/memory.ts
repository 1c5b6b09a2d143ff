import { aNumber, aText, checkOptions } from '../../runtime/check-options.js'
import { type Budget, SpillingDocumentBuffer } from '../memory/spilling-document-buffer.js'
import type {
  Attempt,
  Candidate,
  Claim,
  Counts,
  Delivery,
  Ending,
  JobLedger,
  LeaseRequest,
  Ledger,
  LedgerRow,
  LedgerRules,
  Refusal,
  RowEnd,
  RowFilter,
  Source,
} from '../ledger.js'
import { pagesOf, OutboxIndex } from '../memory/outbox-index.js'
import { RowIndex } from '../memory/row-index.js'
import { SpillFile } from '../memory/spill-file.js'

/** How much memory the ledger may take up. */
export interface MemoryLedgerOptions {
  /**
   * An existing folder for temporary files: documents go there when there are more of them than `maxBytes`, the oldest
   * first, and are read back when they are asked for. The files are gone when the process is. `os.tmpdir()` is one.
   * @default none: no file is written, and all documents stay in memory
   */
  spillTo?: string | undefined
  /** Documents in memory, over all jobs, from which on they go to `spillTo`. Bytes. @default 67108864 (64 MiB) */
  maxBytes?: number | undefined
}

const MIB = 1024 * 1024

/**
 * Keeps every job's rows and documents in this process's memory, and with the process they end.
 *
 * @throws TypeError for options that are not allowed
 * @example
 * createEngine({ ledger: memoryLedger({ spillTo: os.tmpdir() }) })
 */
export function memoryLedger(options: MemoryLedgerOptions = {}): Ledger {
  checkOptions('memoryLedger', options, { spillTo: aText('the path of a folder'), maxBytes: aNumber('bytes', 0) })
  const { spillTo, maxBytes = 64 * MIB } = options
  const budget: Budget = { maxBytes, usedBytes: 0 }
  const spills = new Set<SpillFile>()
  const clearings = new Map<string, () => Promise<void>>()
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const spill = spillTo === undefined ? undefined : new SpillFile(spillTo)
      const pile = new SpillingDocumentBuffer<Doc>(budget, spill)
      if (spill) spills.add(spill)
      clearings.set(jobId, async () => {
        if (spill) spills.delete(spill)
        await pile.clear()
      })
      return new MemoryJobLedger<Doc>(rules, pile)
    },
    forget(jobId) {
      // A file that cannot be closed is closed with the process.
      void clearings
        .get(jobId)?.()
        .catch(() => undefined)
      clearings.delete(jobId)
    },
    async close() {
      await Promise.all([...spills].map((spill) => spill.close()))
    },
  }
}

class MemoryJobLedger<Doc> implements JobLedger<Doc> {
  readonly outbox = new OutboxIndex()
  readonly #book: RowIndex
  readonly #documents: SpillingDocumentBuffer<Doc>

  constructor(rules: LedgerRules, documents: SpillingDocumentBuffer<Doc>) {
    this.#book = new RowIndex(rules)
    this.#documents = documents
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
    const made = ending.outcome === 'done' ? ending.documents : []
    const documents = made.map((document, at) => ({
      order: row.sources?.[at]?.order ?? row.order ?? 0,
      document,
    }))
    const sequences = this.#sequencesOf(documents)
    const reports = how.reportAtMs === undefined ? [] : this.outbox.make(pagesOf(row, sequences), how.reportAtMs)
    if (ending.outcome === 'done') await this.#documents.add(documents, ending.bytes)
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
      if (row && reportAtMs !== undefined) this.outbox.open(this.outbox.makeAgain(row, added, [], reportAtMs))
      return row && { documents: [], bytes: 0 }
    }
    const made = await this.#documents.at(row.sources?.[0]?.order ?? row.order ?? 0)
    if (!made) return undefined
    const added = this.#book.nameAgain(row, sources)
    const copies = added.map((source) => ({ order: source.order, document: copy(made.document, source) }))
    const sequences = this.#sequencesOf(copies)
    const reports = reportAtMs === undefined ? [] : this.outbox.makeAgain(row, added, sequences, reportAtMs)
    await this.#documents.add(copies, made.bytes)
    this.outbox.open(reports)
    return { documents: copies.map(({ document }) => document), bytes: made.bytes }
  }

  skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    return this.#book.skipQueued(decide, nowMs)
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

  documents(page: { skip: number; limit: number; maxBytes?: number }): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.page(page.skip, page.limit, page.maxBytes ?? Infinity)
  }

  completed(fromSequence: number, limit: number, isOpen = false): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.from(fromSequence, limit, isOpen)
  }

  async delivered(): Promise<number> {
    return this.#documents.size
  }

  noteUse(): void {
    // What ends with the process is never taken up again.
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    this.#documents.acknowledge(sequence, drop)
  }

  async *notes(): AsyncGenerator<never> {
    // What ends with the process is never taken up again.
  }

  /** Which sequence numbers documents get that are added now. */
  #sequencesOf(documents: readonly unknown[]): number[] {
    return documents.map((_, at) => this.#documents.size + at)
  }
}
