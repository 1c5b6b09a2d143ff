import type { Delivery } from '../ledger.js'
import type { SpillFile, Spot } from './spill-file.js'
import { parseJson } from '../../text/parse-json.js'

/** A document that was delivered: in memory, in the spill file, or dropped. */
interface Slot<Doc> {
  readonly sequence: number
  readonly order: number
  readonly bytes: number
  document?: Doc | undefined
  spot?: Spot | undefined
  isAcknowledged?: true
}

/** How much of a process's memory the documents of all jobs take up. */
export interface Budget {
  readonly maxBytes: number
  usedBytes: number
}

/** A job's documents. The oldest go to a file when all jobs together have more in memory than they may. */
export class SpillingDocumentBuffer<Doc> {
  readonly #budget: Budget
  readonly #spill: SpillFile | undefined
  readonly #slots: Slot<Doc>[] = []
  #sorted: Slot<Doc>[] = []
  #isSorted = true
  /** Documents before this one are not in memory. */
  #firstInMemory = 0
  #spilling: Promise<void> = Promise.resolve()

  /** @param spill absent when all is kept in memory, however much it is */
  constructor(budget: Budget, spill?: SpillFile) {
    this.#budget = budget
    this.#spill = spill
  }

  get size(): number {
    return this.#slots.length
  }

  /** Waits while documents are written to the file. */
  async add(documents: readonly { order: number; document: Doc }[], bytes: number): Promise<void> {
    this.#isSorted = false
    for (const { order, document } of documents) {
      this.#slots.push({ sequence: this.#slots.length, order, bytes, document })
      this.#budget.usedBytes += bytes
    }
    const { maxBytes } = this.#budget
    if (!this.#spill || this.#budget.usedBytes <= maxBytes) return
    const spilling = this.#spilling.then(() => this.#spillOldest())
    // What went wrong is told to who waits, and not to all that come after.
    this.#spilling = spilling.catch(() => undefined)
    await spilling
  }

  /** In order of discovery. */
  async page(skip: number, limit: number, maxBytes: number): Promise<readonly Delivery<Doc>[]> {
    if (!this.#isSorted) {
      const kept = this.#slots.filter((slot) => !isDropped(slot))
      this.#sorted = kept.toSorted((a, b) => a.order - b.order || a.sequence - b.sequence)
      this.#isSorted = true
    }
    const page: Slot<Doc>[] = []
    let bytes = 0
    for (const slot of this.#sorted.slice(skip, skip + limit)) {
      if (bytes > maxBytes) break
      page.push(slot)
      bytes += slot.bytes
    }
    return this.#read(page)
  }

  /** The document at this place in the order of discovery; undefined when it is not kept. */
  async at(order: number): Promise<Delivery<Doc> | undefined> {
    const slot = this.#slots.find((one) => one.order === order && !isDropped(one))
    return slot && (await this.#read([slot]))[0]
  }

  /** In order of completion. */
  async from(sequence: number, limit: number, isOpen: boolean): Promise<readonly Delivery<Doc>[]> {
    const found: Slot<Doc>[] = []
    for (let at = sequence; at < this.#slots.length && found.length < limit; at += 1) {
      const slot = this.#slots[at]
      if (slot && !isDropped(slot) && !(isOpen && slot.isAcknowledged)) found.push(slot)
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
    slot.spot = undefined
  }

  /** Takes up no memory any more. */
  async clear(): Promise<void> {
    for (const slot of this.#slots.splice(0)) if (slot.document !== undefined) this.#budget.usedBytes -= slot.bytes
    this.#sorted = []
    await this.#spill?.close()
  }

  async #read(slots: readonly Slot<Doc>[]): Promise<Delivery<Doc>[]> {
    const deliveries: Delivery<Doc>[] = []
    for (const { sequence, order, bytes, document, spot } of slots) {
      const kept = document ?? (spot && this.#spill && (parseJson(await this.#spill.read(spot)) as Doc))
      if (kept !== undefined) deliveries.push({ sequence, order, bytes, document: kept })
    }
    return deliveries
  }

  /** Writes the oldest documents of this job out, until a quarter of the budget is free. */
  async #spillOldest(): Promise<void> {
    const { maxBytes } = this.#budget
    const going: Slot<Doc>[] = []
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
      // It may have been acknowledged, and dropped, in the meantime.
      if (slot.document === undefined) continue
      slot.spot = spots[index]
      slot.document = undefined
      this.#budget.usedBytes -= slot.bytes
    }
  }
}

const isDropped = <Doc>({ document, spot }: Slot<Doc>): boolean => document === undefined && spot === undefined
