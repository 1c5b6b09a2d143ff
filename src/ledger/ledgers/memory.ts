import { numberInRange, nonEmptyString, checkOptions } from '../../runtime/check-options.js'
import { type MemoryBudget, SpillingDocumentBuffer } from '../memory/spilling-document-buffer.js'
import type { Delivery, JobLedger, Ledger, LedgerRow, LedgerRules, Refusal } from '../ledger.js'
import { OutboxIndex } from '../memory/outbox-index.js'
import { type DocumentWrite, IndexedJobLedger, type OrderedDocument } from '../memory/indexed-job-ledger.js'
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

class MemoryJobLedger<Doc> extends IndexedJobLedger<Doc> implements JobLedger<Doc> {
  readonly outbox = new OutboxIndex()
  readonly #documents: SpillingDocumentBuffer<Doc>

  constructor(rules: LedgerRules, documents: SpillingDocumentBuffer<Doc>) {
    super(new RowIndex(rules))
    this.#documents = documents
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

  protected writeDocuments(documents: readonly OrderedDocument<Doc>[], bytes: number): DocumentWrite {
    const { size } = this.#documents
    return {
      sequences: documents.map((_document, index) => size + index),
      finish: async () => {
        if (documents.length > 0) await this.#documents.add(documents, bytes)
      },
    }
  }

  protected findDocument(order: number): Promise<Delivery<Doc> | undefined> {
    return this.#documents.findByOrder(order)
  }

  protected writeNote(): void {
    // A job in memory is never resumed.
  }
}
