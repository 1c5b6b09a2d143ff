import { numberInRange, nonEmptyString, checkOptions } from '../../runtime/check-options.js'
import { type MemoryBudget, SpillingDocumentBuffer } from '../memory/spilling-document-buffer.js'
import type { Delivery, Ending, JobLedger, Ledger, LedgerRow, LedgerRules, Refusal, RowEnd, Source } from '../ledger.js'
import { reportedPagesOf, OutboxIndex } from '../memory/outbox-index.js'
import { IndexedJobLedger } from '../memory/indexed-job-ledger.js'
import { RowIndex } from '../memory/row-index.js'
import { SpillFile } from '../memory/spill-file.js'

/** Memory limits of the ledger. */
export interface MemoryLedgerOptions {
  /**
   * An existing folder for temporary files, such as `os.tmpdir()`. When documents exceed `maxBytes`, the oldest are
   * written there, and read back on demand. The files are deleted with the process.
   * @default none: no file is written, and all documents stay in memory
   */
  spillTo?: string | undefined
  /**
   * Maximum size of the documents in memory, over all jobs; beyond it they are written to `spillTo`. Bytes.
   * @default 67108864 (64 MiB)
   */
  maxBytes?: number | undefined
}

const MIB = 1024 * 1024

/**
 * Keeps the rows and documents of jobs in memory. They are lost with the process.
 *
 * @throws TypeError for invalid options
 * @example
 * createEngine({ ledger: memoryLedger({ spillTo: os.tmpdir() }) })
 */
export function memoryLedger(options: MemoryLedgerOptions = {}): Ledger {
  checkOptions('memoryLedger', options, {
    spillTo: nonEmptyString('the path of a folder'),
    maxBytes: numberInRange('bytes', 0),
  })
  const { spillTo, maxBytes = 64 * MIB } = options
  const budget: MemoryBudget = { maxBytes, usedBytes: 0 }
  const spills = new Set<SpillFile>()
  const clearings = new Map<string, () => Promise<void>>()
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const spill = spillTo === undefined ? undefined : new SpillFile(spillTo)
      const documents = new SpillingDocumentBuffer<Doc>(budget, spill)
      if (spill) spills.add(spill)
      clearings.set(jobId, async () => {
        if (spill) spills.delete(spill)
        await documents.clear()
      })
      return new MemoryJobLedger<Doc>(rules, documents)
    },
    forget(jobId) {
      // A file that fails to close is closed with the process.
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

class MemoryJobLedger<Doc> extends IndexedJobLedger implements JobLedger<Doc> {
  readonly outbox = new OutboxIndex()
  readonly #documents: SpillingDocumentBuffer<Doc>

  constructor(rules: LedgerRules, documents: SpillingDocumentBuffer<Doc>) {
    super(new RowIndex(rules))
    this.#documents = documents
  }

  async end(key: string, ending: Ending<Doc>, rowEnd: RowEnd): Promise<LedgerRow> {
    const row = this.index.end(key, ending, rowEnd)
    const made = ending.outcome === 'done' ? ending.documents : []
    const documents = made.map((document, at) => ({
      order: row.sources?.[at]?.order ?? row.order ?? 0,
      document,
    }))
    const sequences = this.#sequencesOf(documents)
    const reports =
      rowEnd.reportAtMs === undefined
        ? []
        : this.outbox.createPageReports(reportedPagesOf(row, sequences), rowEnd.reportAtMs)
    if (ending.outcome === 'done') await this.#documents.add(documents, ending.bytes)
    this.outbox.enqueue(reports)
    return row
  }

  async addSources(
    key: string,
    sources: readonly Source[],
    copy: (document: Doc, source: Source) => Doc,
    reportAtMs?: number,
  ): Promise<{ documents: readonly Doc[]; bytes: number } | undefined> {
    const row = this.index.row(key)
    if (row?.outcome !== 'done') {
      const added = row ? this.index.addSources(row, sources) : []
      if (row && reportAtMs !== undefined)
        this.outbox.enqueue(this.outbox.createReportsOfAddedSources(row, added, [], reportAtMs))
      return row && { documents: [], bytes: 0 }
    }
    const made = await this.#documents.findByOrder(row.sources?.[0]?.order ?? row.order ?? 0)
    if (!made) return undefined
    const added = this.index.addSources(row, sources)
    const copies = added.map((source) => ({ order: source.order, document: copy(made.document, source) }))
    const sequences = this.#sequencesOf(copies)
    const reports =
      reportAtMs === undefined ? [] : this.outbox.createReportsOfAddedSources(row, added, sequences, reportAtMs)
    await this.#documents.add(copies, made.bytes)
    this.outbox.enqueue(reports)
    return { documents: copies.map(({ document }) => document), bytes: made.bytes }
  }

  skipQueued(decide: (row: LedgerRow) => Promise<Refusal>, nowMs: number): Promise<readonly LedgerRow[]> {
    return this.index.skipQueued(decide, nowMs)
  }

  documents(page: { skip: number; limit: number; maxBytes?: number }): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.readDiscovered(page.skip, page.limit, page.maxBytes ?? Infinity)
  }

  completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.readCompleted(fromSequence, limit, unacknowledgedOnly)
  }

  async delivered(): Promise<number> {
    return this.#documents.size
  }

  recordUse(): void {
    // A job in memory is never resumed.
  }

  async acknowledge(sequence: number, drop: boolean): Promise<void> {
    this.#documents.acknowledge(sequence, drop)
  }

  async *notes(): AsyncGenerator<never> {
    // A job in memory is never resumed.
  }

  /** The sequence numbers that the next documents get. */
  #sequencesOf(documents: readonly unknown[]): number[] {
    return documents.map((_, at) => this.#documents.size + at)
  }
}
