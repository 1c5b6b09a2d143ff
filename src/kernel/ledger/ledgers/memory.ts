import { numberInRange, nonEmptyString, checkOptions } from '../../../base/runtime/check-options.js'
import { type MemoryBudget, SpillingBuffer } from '../../../base/store/spilling-buffer.js'
import type { DocumentPage, Delivery, JobLedger, Ledger, LedgerRules } from '../ledger.js'
import { OutboxIndex } from '../rows/outbox-index.js'
import { type DocumentWrite, IndexedJobLedger, type OrderedDocument } from '../rows/indexed-job-ledger.js'
import { type IndexedRow, readRow } from '../rows/new-row.js'
import { RowIndex } from '../rows/row-index.js'
import { CompressedBytes } from '../../../base/store/compressed-bytes.js'
import { SpillFile } from '../../../base/store/spill-file.js'
import type { ByteStorage } from '../../../base/store/byte-storage.js'

/** Memory limits of the ledger. */
export interface MemoryLedgerOptions {
  /**
   * An existing folder for temporary files, such as `os.tmpdir()`. When documents exceed `maxBytes`, the oldest are
   * written there, and read back on demand. The files are deleted with the process.
   * @default none: no file is written, and the oldest documents are compressed in memory
   */
  spillTo?: string
  /**
   * Maximum size of the documents that stay in memory as they are, over all jobs; beyond it, nearly all documents of a job
   * that has more to store are compressed, or written to `spillTo`. Bytes.
   * @default 8388608 (8 MiB)
   */
  maxBytes?: number
  /**
   * Maximum number of ended jobs. Beyond it, the engine forgets those that ended first, before `retentionMs` is over, but none whose
   * documents are being read, and no running one: see docs/guides/jobs.md#how-long-a-job-is-remembered.
   * @default 10000
   */
  maxJobs?: number
  /**
   * Maximum size in memory of the documents and rows of all jobs, compressed where they are. Beyond it, ended jobs are forgotten as with
   * `maxJobs`. Running jobs lose nothing: they may exceed it. Bytes.
   * @default 268435456 (256 MiB)
   */
  maxTotalBytes?: number
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
    maxJobs: numberInRange('jobs', 1),
    maxTotalBytes: numberInRange('bytes', 0),
  })
  const { spillTo, maxBytes = 8 * MIB, maxJobs = 10_000, maxTotalBytes = 256 * MIB } = options
  const budget: MemoryBudget = { maxBytes, usedBytes: 0, rowBytes: 0 }
  const storage = spillTo === undefined ? new CompressedBytes() : new SpillFile(spillTo)
  const jobs = new Map<string, MemoryJobLedger<unknown>>()
  return {
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const job = new MemoryJobLedger<Doc>(rules, budget, storage)
      jobs.set(jobId, job)
      return job
    },
    keeps: {
      maxJobs,
      maxBytes: maxTotalBytes,
      get heldBytes() {
        return budget.usedBytes + budget.rowBytes + storage.heldBytes
      },
    },
    forget(jobId) {
      jobs.get(jobId)?.clear()
      jobs.delete(jobId)
    },
    async close() {
      jobs.clear()
      await storage.close()
    },
  }
}

/** Approximate size of a row without its URLs. Bytes. */
const ROW_BYTES = 600

class MemoryJobLedger<Doc> extends IndexedJobLedger<Doc> implements JobLedger<Doc> {
  #outboxes: OutboxIndex | undefined
  readonly #documents: SpillingBuffer<Doc>

  readonly #budget: MemoryBudget
  /** Text while they are packed: the job has ended, and nothing has asked for them for a while. */
  #rows: RowIndex | string
  #rowCount = 0
  #rowBytes = 0

  constructor(rules: LedgerRules, budget: MemoryBudget, storage: ByteStorage) {
    super()
    this.#rows = new RowIndex(rules, (row) => this.#count(row))
    this.#budget = budget
    this.#documents = new SpillingBuffer<Doc>(budget, storage)
  }

  /** Made on first use: most jobs have no reports. */
  protected get outboxes(): OutboxIndex {
    return (this.#outboxes ??= new OutboxIndex())
  }

  protected get index(): RowIndex {
    if (typeof this.#rows !== 'string') return this.#rows
    this.#packSoon()
    return (this.#rows = unpackRows(this.#rows, (row, index) => {
      this.#rows = index
      this.#count(row)
    }))
  }

  settle(): void {
    this.#packSoon()
  }

  /** Frees what only calls need, once those that are under way have read it. */
  #packSoon(): void {
    setImmediate(() => {
      this.#documents.settle()
      if (typeof this.#rows === 'string') return
      this.#rows.settle()
      this.#rows = packRows(this.#rows) ?? this.#rows
    })
  }

  /** Frees the memory of a job that is forgotten. Its rows are freed with the ledger. */
  clear(): void {
    this.#documents.clear()
    this.#budget.rowBytes -= this.#rowBytes
    this.#rowBytes = 0
  }

  /** Counts the size of a row that is new. Rows are numbered from 0. */
  #count({ number, url, key }: IndexedRow): void {
    if (number < this.#rowCount) return
    this.#rowCount = number + 1
    const bytes = ROW_BYTES + url.length + key.length
    this.#rowBytes += bytes
    this.#budget.rowBytes += bytes
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

/** Maximum number of rows that are packed: to write and read more would hold up the host's thread. */
const MAX_PACKED_ROWS = 50

/** Rules for rows that have all ended: none is leased. */
const NO_RULES = { limit: 0, holdLevelMs: 0 }

/**
 * Packs the rows of a job that has ended as text, one a line. The index of one row takes 1.9 KB of heap, its text 0.4: a service may
 * have ended ten thousand small jobs.
 *
 * @returns undefined where they are too many, abridged, or have not all ended
 */
function packRows(index: RowIndex): string | undefined {
  const { queued, active, abridged } = index.counts()
  if (queued > 0 || active > 0 || abridged !== undefined || index.size > MAX_PACKED_ROWS) return undefined
  // One text, also of one row: what `JSON.stringify` returns is made of many parts.
  return [...index.rows().map((row) => JSON.stringify(row)), ''].join('\n')
}

/** Makes an index of packed rows. @param changed called before a row changes, with the index that it changes in */
function unpackRows(text: string, changed: (row: IndexedRow, index: RowIndex) => void): RowIndex {
  const index: RowIndex = new RowIndex(NO_RULES, (row) => changed(row, index))
  for (const line of text.split('\n')) if (line !== '') index.restore(readRow(line))
  return index
}
