import type { Delivery } from '../../ledger/ledger.js'
import { oneByOne } from './one-by-one.js'

/** What a {@link LedgerStream} needs to know of its job. */
interface Supply<Doc> {
  /** Documents in order of completion, from this sequence number on. */
  completed(fromSequence: number, limit: number): Promise<readonly Delivery<Doc>[]>
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  /** Why the job did not come to its own end, for a reader that has taken all there is; undefined when it did. */
  findFault(): unknown
  /** Notes that a document was taken; absent when nobody waits for that. */
  acknowledge?(sequence: number): Promise<void>
  /** A document as it is handed out. */
  present(delivery: Delivery<Doc>): Doc
}

/** Where a job's documents are handed out. */
export interface DocumentStream<Doc> {
  /** What waits to be read, so that the job may wait as well: bytes. */
  readonly waitingBytes: number
  /**
   * Takes documents in.
   *
   * @param bytesEach the size of each
   * @param isHeard whether somebody is told of each as it comes
   */
  produced(documents: readonly Doc[], bytesEach: number, isHeard: boolean): void
  /** Lets waiting readers look again: a document has come, or the job has ended. */
  wake(): void
  /** A new reader. */
  read(): AsyncIterableIterator<Doc>
}

interface Reader {
  /** Bytes handed out to this reader. */
  takenBytes: number
  tell: (() => void) | undefined
}

/** How many documents a reader fetches from the ledger at once. */
const STRIDE = 16

/**
 * Hands a job's documents to its readers, and knows how far the slowest is behind.
 *
 * Readers read the ledger, not a queue of their own: nothing is held twice, and each reader sees every document.
 */
export class LedgerStream<Doc> implements DocumentStream<Doc> {
  readonly #supply: Supply<Doc>
  readonly #onTaken: () => void
  readonly #readers = new Set<Reader>()
  #produced = 0
  #producedBytes = 0
  /** Documents before this one were there already, and hold nobody back. */
  #first = 0

  constructor(supply: Supply<Doc>, onTaken: () => void) {
    this.#supply = supply
    this.#onTaken = onTaken
  }

  /** Says that so many documents stand in the ledger from an earlier process. */
  goOnFrom(documents: number): void {
    this.#produced = documents
    this.#first = documents
    this.wake()
  }

  /** What the slowest reader has not taken; 0 when nobody reads. */
  get waitingBytes(): number {
    let waiting = 0
    for (const reader of this.#readers) waiting = Math.max(waiting, this.#producedBytes - reader.takenBytes)
    return waiting
  }

  /** Says that these documents stand in the ledger. */
  produced({ length }: readonly Doc[], bytesEach: number): void {
    this.#produced += length
    this.#producedBytes += length * bytesEach
    this.wake()
  }

  /** Lets waiting readers look again: a document has come, or the job has ended. */
  wake(): void {
    for (const reader of this.#readers) reader.tell?.()
  }

  /** A new reader, from the first document on. */
  read(): AsyncIterableIterator<Doc> {
    const reader: Reader = { takenBytes: 0, tell: undefined }
    let fetched: readonly Delivery<Doc>[] = []
    let index = 0
    let sequence = 0
    let closed = false
    /** The document that the reader has and may still be at work with. */
    let inHand: number | undefined

    const close = (): IteratorResult<Doc> => {
      closed = true
      this.#readers.delete(reader)
      reader.tell?.()
      this.#onTaken()
      return { done: true, value: undefined }
    }

    const take = async (): Promise<IteratorResult<Doc>> => {
      // Who asks for the next document is done with the one before.
      if (inHand !== undefined) await this.#supply.acknowledge?.(inHand)
      inHand = undefined
      for (;;) {
        if (closed) return close()
        // Asked before the ledger is read: a document that comes in between is then read in the next round.
        const ended = this.#supply.hasEnded()
        const produced = this.#produced
        if (index === fetched.length) [fetched, index] = [await this.#supply.completed(sequence, STRIDE), 0]
        const delivery = fetched[index]
        if (delivery) {
          index += 1
          sequence = delivery.sequence + 1
          inHand = delivery.sequence
          if (delivery.sequence >= this.#first) reader.takenBytes += delivery.bytes
          this.#onTaken()
          return { done: false, value: this.#supply.present(delivery) }
        }
        // Those that are not given out any more are passed over.
        sequence = Math.max(sequence, produced)
        if (ended) break
        await new Promise<void>((resolve) => {
          reader.tell = resolve
          if (closed || this.#supply.hasEnded() || this.#produced > sequence) resolve()
        })
        reader.tell = undefined
      }
      close()
      const fault = this.#supply.findFault()
      if (fault !== undefined) throw fault
      return { done: true, value: undefined }
    }

    this.#readers.add(reader)
    return oneByOne(take, close)
  }
}
