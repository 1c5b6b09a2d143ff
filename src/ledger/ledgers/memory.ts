import { numberInRange, nonEmptyString, checkOptions } from '../../runtime/check-options.js'
import { type MemoryBudget, SpillingDocumentBuffer } from '../memory/spilling-document-buffer.js'
import type { DocumentPage, Delivery, JobLedger, Ledger, LedgerRules } from '../ledger.js'
import { OutboxIndex } from '../memory/outbox-index.js'
import { type DocumentWrite, IndexedJobLedger, type OrderedDocument } from '../memory/indexed-job-ledger.js'
import { RowIndex } from '../memory/row-index.js'
import { CompressedBytes } from '../memory/compressed-bytes.js'
import { SpillFile } from '../memory/spill-file.js'
import type { ByteStorage } from '../memory/byte-storage.js'
import { MemoryWatchStore } from '../memory/memory-watch-store.js'

/** Memory limits of the ledger. */
export interface MemoryLedgerOptions {
  /**
   * An existing folder for temporary files, such as `os.tmpdir()`. When documents exceed `maxBytes`, the oldest are
   * written there, and read back on demand. The files are deleted with the process.
   * @default none: no file is written, and the oldest documents are compressed in memory
   */
  spillTo?: string | undefined
  /**
   * Maximum size of the documents that stay in memory as they are, over all jobs; beyond it, nearly all documents of a job
   * that has more to store are compressed, or written to `spillTo`. Bytes.
   * @default 8388608 (8 MiB)
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
  const { spillTo, maxBytes = 8 * MIB } = options
  const budget: MemoryBudget = { maxBytes, usedBytes: 0 }
  const storages = new Set<ByteStorage>()
  const clearings = new Map<string, () => Promise<void>>()
  return {
    watches: new MemoryWatchStore(),
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const storage = spillTo === undefined ? new CompressedBytes() : new SpillFile(spillTo)
      const documents = new SpillingDocumentBuffer<Doc>(budget, storage)
      storages.add(storage)
      clearings.set(jobId, async () => {
        storages.delete(storage)
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
      await Promise.all(Array.from(storages, (storage) => storage.close()))
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

  documents(page: DocumentPage): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.readDiscovered(page.skip, page.limit, page.maxBytes ?? Infinity)
  }

  completed(fromSequence: number, limit: number, unacknowledgedOnly = false): Promise<readonly Delivery<Doc>[]> {
    return this.#documents.readCompleted(fromSequence, limit, unacknowledgedOnly)
  }

  async delivered(): Promise<number> {
    return this.#documents.size
  }

  async written(): Promise<void> {
    // Nothing outlives the process.
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
