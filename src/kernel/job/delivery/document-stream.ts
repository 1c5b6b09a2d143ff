import { printSeen, TrawlError } from '../../../base/errors.js'
import type { Delivery } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import type { Deliveries } from './deliveries.js'

/** State of a job that a stream reads. */
export interface StreamSource {
  /** @throws when the job was parked, so that no further document comes from this process */
  hasEnded(): boolean
  /** Finds the error of a job that did not complete, which a reader gets after the last document. */
  findFault(): unknown
  /** Takes note of the documents that readers are done with; absent for a job that leaves nothing for a later one. */
  readonly log?: Deliveries | undefined
}

/** Documents of a job in its ledger. */
interface DeliveredLedger {
  /** Reads documents in order of completion, from this sequence number on. */
  completed(fromSequence: number, limit: number, unacknowledgedOnly: boolean): Promise<readonly Delivery<Document>[]>
  /** Number of documents so far. */
  delivered(): Promise<number>
  /** @param drop deletes the document */
  acknowledge(sequence: number, drop: boolean): Promise<void>
}

/** State and documents of a job that a {@link LedgerStream} reads. */
interface LedgerStreamSource extends StreamSource {
  readonly id: string
  /** True when documents are delivered until they are acknowledged. */
  readonly acknowledges: boolean
  /** True when a document is deleted as soon as it is acknowledged. */
  readonly dropsDocuments: boolean
  ledger(): Promise<DeliveredLedger>
  /** Called when the ledger has no further documents for a reader. */
  onEmpty?(): void
  /**
   * Called when a reader of an ended job was not given all documents: acknowledged ones are left out, and those of an expired job are
   * deleted.
   *
   * @throws TrawlError `JOB_NOT_FOUND` when the job has expired
   */
  confirm(): unknown
  /** Tells readers in other processes what the waiting ones are woken for; absent when there can be none. */
  announce?(): void
}

/** A document, or its `metadata.deliveryId`. */
type Acknowledged = { readonly metadata: { readonly deliveryId?: number } } | number | string

/** Stream of a job's documents. */
export interface DocumentStream {
  /** True when documents are delivered once and not kept. */
  readonly isTransient: boolean
  /** Size of the documents that the slowest reader has not received yet, for backpressure. Bytes; 0 when there is no reader. */
  readonly waitingBytes: number
  /** True while a reader has not come to its end. */
  readonly isRead: boolean
  /**
   * Adds documents.
   *
   * @param bytesEach size of each document
   * @param isObserved true when a listener or a reporter receives each document
   */
  push(documents: readonly Document[], bytesEach: number, isObserved: boolean): void
  /** Prepares a document for its delivery: adds the `deliveryId` that it is acknowledged by. */
  present(delivery: Delivery<Document>): Document
  /** @throws TrawlError `BAD_REQUEST` when the job has no such document, or was started without `acknowledge` */
  acknowledge(document: Acknowledged): Promise<void>
  /** Wakes waiting readers after a document was added or the job has ended. */
  wake(): void
  /** Opens a new reader. */
  read(): AsyncIterableIterator<Document>
}

interface StreamReader {
  /** Size of the documents delivered to this reader. */
  takenBytes: number
  wake: (() => void) | undefined
  /** Sequence number of the next document. */
  next: number
}

/** Documents that a reader fetches from the ledger at once. */
const BATCH_SIZE = 16

/**
 * Streams a job's documents from its ledger, and tracks how far the slowest reader is behind.
 *
 * Readers have no queues of their own: no document is held twice, and each reader gets every document.
 */
export class LedgerStream implements DocumentStream {
  readonly isTransient = false
  readonly #supply: LedgerStreamSource
  readonly #onTaken: () => void
  readonly #readers = new Set<StreamReader>()
  #produced = 0
  #producedBytes = 0
  /** Sequence number of the first document of this process. Earlier ones do not count for backpressure. */
  #first = 0
  /** Size of the documents of this process up to each one, for readers in other processes. */
  readonly #sums: number[] = []
  /** Sequence number of the next document of the slowest reader in another process. */
  #remoteNext: number | undefined

  constructor(supply: LedgerStreamSource, onTaken: () => void) {
    this.#supply = supply
    this.#onTaken = onTaken
  }

  /** Sets the number of documents that other processes have added to the ledger. */
  resumeFrom(documents: number): void {
    // A reader that is woken reads the ledger, and asks for news when it finds nothing.
    if (documents === this.#produced) return
    this.#produced = documents
    this.#first = documents
    this.wake()
  }

  get isRead(): boolean {
    return this.#readers.size > 0
  }

  get waitingBytes(): number {
    let waiting = 0
    for (const reader of this.#readers) waiting = Math.max(waiting, this.#producedBytes - reader.takenBytes)
    if (this.#remoteNext === undefined) return waiting
    const taken = Math.min(this.#remoteNext - this.#first, this.#sums.length)
    return Math.max(waiting, this.#producedBytes - (this.#sums[taken - 1] ?? 0))
  }

  /** Sequence number of the next document of the slowest reader; undefined when there is none. */
  get position(): number | undefined {
    return this.#readers.size === 0 ? undefined : Math.min(...Array.from(this.#readers, ({ next }) => next))
  }

  /** Sets the position of the slowest reader in another process. @param next undefined when there is none */
  followRemote(next: number | undefined): void {
    if (this.#remoteNext === next) return
    this.#remoteNext = next
    this.#onTaken()
  }

  /** Counts documents that were added to the ledger, and wakes the readers. */
  push({ length }: readonly Document[], bytesEach: number): void {
    this.#produced += length
    for (let left = length; left > 0; left -= 1) {
      this.#producedBytes += bytesEach
      if (this.#supply.announce) this.#sums.push(this.#producedBytes)
    }
    this.wake()
  }

  wake(): void {
    for (const reader of this.#readers) reader.wake?.()
    this.#supply.announce?.()
  }

  present({ document, sequence }: Delivery<Document>): Document {
    if (!this.#supply.acknowledges) return document
    return { ...document, metadata: { ...document.metadata, deliveryId: sequence } }
  }

  async acknowledge(document: Acknowledged): Promise<void> {
    const { id, acknowledges, ledger } = this.#supply
    if (!acknowledges) throw notAcknowledging(id)
    // JavaScript callers may pass anything.
    const given: { metadata?: { deliveryId?: unknown } } | null | number | string | undefined = document
    const deliveryId = typeof given === 'object' ? given?.metadata?.deliveryId : given
    const isWhole = typeof deliveryId === 'string' ? /^\d{1,15}$/.test(deliveryId) : Number.isSafeInteger(deliveryId)
    const sequence = isWhole && Number(deliveryId) >= 0 ? Number(deliveryId) : Infinity
    if (sequence >= (await (await ledger()).delivered())) {
      const message = `job ${id} has no document with the \`metadata.deliveryId\` ${printSeen(deliveryId)}`
      throw new TrawlError('BAD_REQUEST', message)
    }
    const { log } = this.#supply
    const [delivery] = log ? await (await ledger()).completed(sequence, 1, true) : []
    await this.#record(sequence)
    if (delivery?.sequence !== sequence) return
    log?.add(delivery.document)
    await log?.settle()
  }

  async #record(sequence: number): Promise<void> {
    const { acknowledges, dropsDocuments, ledger } = this.#supply
    if (acknowledges) await (await ledger()).acknowledge(sequence, dropsDocuments)
  }

  async #fetch(fromSequence: number): Promise<readonly Delivery<Document>[]> {
    const { acknowledges, ledger, onEmpty } = this.#supply
    const found = await (await ledger()).completed(fromSequence, BATCH_SIZE, acknowledges)
    if (found.length === 0) onEmpty?.()
    return found
  }

  /** Opens a new reader, which starts at the first document. */
  read(): AsyncIterableIterator<Document> {
    const reader: StreamReader = { takenBytes: 0, wake: undefined, next: 0 }
    let fetched: readonly Delivery<Document>[] = []
    let index = 0
    let closed = false
    /** The last delivered document, which the reader may still be processing. */
    let delivered: Delivery<Document> | undefined
    let isIncomplete = false

    const close = (): IteratorResult<Document> => {
      closed = true
      this.#readers.delete(reader)
      reader.wake?.()
      this.#onTaken()
      return { done: true, value: undefined }
    }

    const take = async (): Promise<IteratorResult<Document>> => {
      // Asking for the next document acknowledges the one before.
      if (delivered) await this.#record(delivered.sequence)
      if (delivered) this.#supply.log?.add(delivered.document)
      delivered = undefined
      for (;;) {
        if (closed) return close()
        // Read before the ledger: a document that is added in between is then read in the next round.
        const ended = this.#supply.hasEnded()
        const produced = this.#produced
        if (index === fetched.length) [fetched, index] = [await this.#fetch(reader.next), 0]
        const delivery = fetched[index]
        if (delivery) {
          index += 1
          isIncomplete ||= delivery.sequence > reader.next
          reader.next = delivery.sequence + 1
          delivered = delivery
          if (delivery.sequence >= this.#first) reader.takenBytes += delivery.bytes
          this.#onTaken()
          return { done: false, value: this.present(delivery) }
        }
        // Documents that are no longer delivered are skipped.
        isIncomplete ||= reader.next < produced
        reader.next = Math.max(reader.next, produced)
        if (ended) break
        await new Promise<void>((resolve) => {
          reader.wake = resolve
          if (closed || this.#supply.hasEnded() || this.#produced > reader.next) resolve()
        })
        reader.wake = undefined
      }
      if (isIncomplete) await this.#supply.confirm()
      close()
      await this.#supply.log?.settle(true)
      const fault = this.#supply.findFault()
      if (fault !== undefined) throw fault
      return { done: true, value: undefined }
    }

    const takeOrClose = async (): Promise<IteratorResult<Document>> => {
      try {
        return await take()
      } catch (error) {
        // A loop does not call `return` after an error, and the job would wait for this reader.
        close()
        throw error
      }
    }

    this.#readers.add(reader)
    return serializeNext(takeOrClose, close, this.#supply.log)
  }
}

/** The error of a job whose documents are not acknowledged. */
export const notAcknowledging = (jobId: string): TrawlError =>
  new TrawlError('BAD_REQUEST', `job ${jobId} was not started with \`acknowledge: true\``)

/**
 * Creates an iterator whose `next` calls run one after another, even when the caller does not await them.
 *
 * @param take produces the next result
 * @param close ends the iteration
 * @param log is told when the iteration was left before its end
 */
export function serializeNext<T>(
  take: () => Promise<IteratorResult<T>>,
  close: () => IteratorResult<T>,
  log?: Deliveries,
): AsyncIterableIterator<T> {
  let last: Promise<unknown> = Promise.resolve()
  return {
    next: () => {
      const taken = last.then(take)
      last = taken.catch(() => undefined)
      return taken
    },
    return: async () => {
      const closed = close()
      await log?.settle()
      return closed
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
