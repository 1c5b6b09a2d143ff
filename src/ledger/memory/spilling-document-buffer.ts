import type { Delivery } from '../ledger.js'
import type { SpillFile, SpilledText } from './spill-file.js'
import { parseJson } from '../../text/parse-json.js'

/** A document of the job: in memory, in the spill file, or dropped. */
interface BufferedDocument<Doc> {
  readonly sequence: number
  readonly order: number
  readonly bytes: number
  document?: Doc | undefined
  spilled?: SpilledText | undefined
  isAcknowledged?: true
}

/** The memory that the documents of all jobs share. */
export interface MemoryBudget {
  readonly maxBytes: number
  usedBytes: number
}

/** The documents of a job. The oldest are written to a file when the documents of all jobs exceed the memory budget. */
export class SpillingDocumentBuffer<Doc> {
  readonly #budget: MemoryBudget
  readonly #spill: SpillFile | undefined
  readonly #slots: BufferedDocument<Doc>[] = []
  #sorted: BufferedDocument<Doc>[] = []
  #isSorted = true
  /** Index of the first document that may be in memory. */
  #firstInMemory = 0
  #spilling: Promise<void> = Promise.resolve()

  /** @param spill absent when all documents stay in memory, whatever their size */
  constructor(budget: MemoryBudget, spill?: SpillFile) {
    this.#budget = budget
    this.#spill = spill
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
    }
    const { maxBytes } = this.#budget
    if (!this.#spill || this.#budget.usedBytes <= maxBytes) return
    const spilling = this.#spilling.then(() => this.#spillOldest())
    // Only this caller gets the error, not those that wait behind it.
    this.#spilling = spilling.catch(() => undefined)
    await spilling
  }

  /** Reads a page of documents in order of discovery. */
  async readDiscovered(skip: number, limit: number, maxBytes: number): Promise<readonly Delivery<Doc>[]> {
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
  async findByOrder(order: number): Promise<Delivery<Doc> | undefined> {
    const slot = this.#slots.find((one) => one.order === order && !isDropped(one))
    return slot && (await this.#read([slot]))[0]
  }

  /** Reads documents in order of completion. @param unacknowledgedOnly leaves out acknowledged documents */
  async readCompleted(sequence: number, limit: number, unacknowledgedOnly: boolean): Promise<readonly Delivery<Doc>[]> {
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
    if (slot.document !== undefined) this.#budget.usedBytes -= slot.bytes
    slot.document = undefined
    slot.spilled = undefined
  }

  /** Frees all memory and deletes the file. */
  async clear(): Promise<void> {
    for (const slot of this.#slots.splice(0)) if (slot.document !== undefined) this.#budget.usedBytes -= slot.bytes
    this.#sorted = []
    await this.#spill?.close()
  }

  async #read(slots: readonly BufferedDocument<Doc>[]): Promise<Delivery<Doc>[]> {
    const deliveries: Delivery<Doc>[] = []
    for (const { sequence, order, bytes, document, spilled: spot } of slots) {
      const kept = document ?? (spot && this.#spill && (parseJson(await this.#spill.read(spot)) as Doc))
      if (kept !== undefined) deliveries.push({ sequence, order, bytes, document: kept })
    }
    return deliveries
  }

  /** Writes the oldest documents of this job to the file, until a quarter of the budget is free. */
  async #spillOldest(): Promise<void> {
    const { maxBytes } = this.#budget
    const going: BufferedDocument<Doc>[] = []
    let leaving = 0
    if (this.#budget.usedBytes <= maxBytes) return
    while (this.#firstInMemory < this.#slots.length && this.#budget.usedBytes - leaving > maxBytes * 0.75) {
      const slot = this.#slots[this.#firstInMemory++]
      if (slot?.document === undefined) continue
      going.push(slot)
      leaving += slot.bytes
    }
    const texts = going.map(({ document }) => JSON.stringify(document))
    const spots = (await this.#spill?.write(texts)) ?? []
    for (const [index, slot] of going.entries()) {
      // It may have been dropped in the meantime.
      if (slot.document === undefined) continue
      slot.spilled = spots[index]
      slot.document = undefined
      this.#budget.usedBytes -= slot.bytes
    }
  }
}

const isDropped = <Doc>({ document, spilled: spot }: BufferedDocument<Doc>): boolean =>
  document === undefined && spot === undefined
