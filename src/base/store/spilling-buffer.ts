import { BATCH_BYTES, type ByteStorage, type StoredBytes } from './byte-storage.js'
import { fromBytes, toBytes } from './value-bytes.js'

/** A document as it is read. */
interface ReadDocument<Doc> {
  /** Number in order of addition, from 0. */
  readonly sequence: number
  readonly order: number
  readonly bytes: number
  readonly document: Doc
}

/** A document: in memory, in the storage, or dropped. */
interface BufferedDocument<Doc> {
  readonly sequence: number
  readonly order: number
  readonly bytes: number
  document?: Doc
  stored?: StoredBytes
  isAcknowledged?: true
}

const NO_DOCUMENTS: readonly never[] = []

/** The memory that all buffers share. */
export interface MemoryBudget {
  readonly maxBytes: number
  /** Size of the documents that are in memory as they are. Bytes. */
  usedBytes: number
  /** Size of the rows. Bytes. */
  rowBytes: number
}

/**
 * Documents in memory. When those of all buffers exceed the memory budget, they are written to a storage, except for
 * one or two batches of the newest, for readers that keep up. More would cost several times its size: V8 lets the heap grow
 * to a multiple of what it has found in use.
 */
export class SpillingBuffer<Doc> {
  readonly #budget: MemoryBudget
  readonly #storage: ByteStorage
  #slots: BufferedDocument<Doc>[] = []
  #sorted: readonly BufferedDocument<Doc>[] = NO_DOCUMENTS
  #isSorted = true
  /** Index of the first document that may be written. */
  #firstToWrite = 0
  /** Size of the documents from there on that are in memory. Bytes. */
  #toWriteBytes = 0
  /** True once documents were written. */
  #isLarge = false
  /** Present while documents are written. */
  #spilling: Promise<void> | undefined

  constructor(budget: MemoryBudget, storage: ByteStorage) {
    this.#budget = budget
    this.#storage = storage
  }

  get size(): number {
    return this.#slots.length
  }

  /** Resolves when the documents that had to be spilled are written. */
  async add(documents: readonly { order: number; document: Doc }[], bytes: number): Promise<void> {
    this.#isSorted = false
    for (const { order, document } of documents) {
      this.#slots.push({ sequence: this.#slots.length, order, bytes, document })
      this.#budget.usedBytes += bytes
      this.#toWriteBytes += bytes
    }
    if (!this.#mustWrite()) return
    const spilling = (this.#spilling ?? Promise.resolve()).then(() => this.#spillOldest())
    // Only this caller gets the error, not those that wait behind it.
    const settled: Promise<void> = spilling
      .catch(() => undefined)
      .then(() => void (this.#spilling === settled && (this.#spilling = undefined)))
    this.#spilling = settled
    await spilling
  }

  /** Reads a page of documents in order of discovery. */
  async readDiscovered(skip: number, limit: number, maxBytes: number): Promise<readonly ReadDocument<Doc>[]> {
    if (!this.#isSorted) {
      const kept = this.#slots.filter((slot) => !isDropped(slot))
      this.#sorted = kept.toSorted((a, b) => a.order - b.order || a.sequence - b.sequence)
      this.#isSorted = true
    }
    const page: BufferedDocument<Doc>[] = []
    let bytes = 0
    for (const slot of this.#sorted.slice(skip, skip + limit)) {
      if (bytes > maxBytes) break
      page.push(slot)
      bytes += slot.bytes
    }
    return this.#read(page)
  }

  /** The document at this position in the order of discovery; undefined when it is not kept. */
  async findByOrder(order: number): Promise<ReadDocument<Doc> | undefined> {
    const slot = this.#slots.find((one) => one.order === order && !isDropped(one))
    return slot && (await this.#read([slot]))[0]
  }

  /** Reads documents in order of completion. @param unacknowledgedOnly leaves out acknowledged documents */
  async readCompleted(
    sequence: number,
    limit: number,
    unacknowledgedOnly: boolean,
  ): Promise<readonly ReadDocument<Doc>[]> {
    const found: BufferedDocument<Doc>[] = []
    for (let at = sequence; at < this.#slots.length && found.length < limit; at += 1) {
      const slot = this.#slots[at]
      if (slot && !isDropped(slot) && !(unacknowledgedOnly && slot.isAcknowledged)) found.push(slot)
    }
    return this.#read(found)
  }

  acknowledge(sequence: number, drop: boolean): void {
    const slot = this.#slots[sequence]
    if (!slot || slot.isAcknowledged) return
    slot.isAcknowledged = true
    if (!drop) return
    this.#isSorted = false
    if (slot.document !== undefined) {
      this.#budget.usedBytes -= slot.bytes
      if (sequence >= this.#firstToWrite) this.#toWriteBytes -= slot.bytes
    }
    slot.document = undefined
    slot.stored?.drop()
    slot.stored = undefined
  }

  /** Frees what only a running job needs. */
  settle(): void {
    this.#isSorted = false
    this.#sorted = NO_DOCUMENTS
    // A list that grew has room for more.
    this.#slots = this.#slots.slice()
  }

  /** Frees all memory. */
  clear(): void {
    for (const slot of this.#slots.splice(0)) {
      if (slot.document !== undefined) this.#budget.usedBytes -= slot.bytes
      // A batch that is being written must not count it again.
      slot.document = undefined
      slot.stored?.drop()
      slot.stored = undefined
    }
    this.#sorted = NO_DOCUMENTS
  }

  async #read(slots: readonly BufferedDocument<Doc>[]): Promise<ReadDocument<Doc>[]> {
    const deliveries: ReadDocument<Doc>[] = []
    for (const { sequence, order, bytes, document, stored } of slots) {
      const kept = document ?? (stored && (fromBytes(await stored.read()) as Doc))
      if (kept !== undefined) deliveries.push({ sequence, order, bytes, document: kept })
    }
    return deliveries
  }

  #mustWrite(): boolean {
    const { usedBytes, maxBytes } = this.#budget
    return usedBytes > maxBytes || (this.#isLarge && this.#toWriteBytes >= 2 * BATCH_BYTES)
  }

  /** Writes its oldest documents to the storage, in batches. */
  async #spillOldest(): Promise<void> {
    if (!this.#mustWrite()) return
    this.#isLarge = true
    while (
      this.#firstToWrite < this.#slots.length &&
      (this.#budget.usedBytes > this.#budget.maxBytes || this.#toWriteBytes > BATCH_BYTES)
    ) {
      await this.#write(this.#takeBatch())
    }
  }

  #takeBatch(): BufferedDocument<Doc>[] {
    const batch: BufferedDocument<Doc>[] = []
    for (let bytes = 0; this.#firstToWrite < this.#slots.length && bytes < BATCH_BYTES; this.#firstToWrite += 1) {
      const slot = this.#slots[this.#firstToWrite]
      if (slot?.document === undefined) continue
      batch.push(slot)
      bytes += slot.bytes
      this.#toWriteBytes -= slot.bytes
    }
    return batch
  }

  async #write(batch: readonly BufferedDocument<Doc>[]): Promise<void> {
    const stored = await this.#storage.write(batch.map(({ document }) => toBytes(document)))
    for (const [at, slot] of batch.entries()) {
      // It may have been dropped in the meantime.
      if (slot.document === undefined) {
        stored[at]?.drop()
        continue
      }
      slot.stored = stored[at]
      slot.document = undefined
      this.#budget.usedBytes -= slot.bytes
    }
  }
}

const isDropped = <Doc>({ document, stored }: BufferedDocument<Doc>): boolean =>
  document === undefined && stored === undefined
