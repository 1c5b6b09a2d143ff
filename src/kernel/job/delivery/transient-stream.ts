import type { Delivery } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import { type DocumentStream, notAcknowledging, serializeNext, type StreamSource } from './document-stream.js'

/**
 * Delivers each document once and keeps none, for jobs with `zeroDataRetention` or `retain: false`.
 *
 * Documents wait in memory for a reader. With several readers, each document goes to the one that reads first. Without
 * a reader, documents that listeners receive count as delivered, and are dropped.
 */
export class TransientStream implements DocumentStream {
  readonly isTransient = true
  readonly #id: string
  readonly #job: StreamSource
  readonly #onTaken: () => void
  readonly #waiting: { readonly document: Document; readonly bytes: number }[] = []
  readonly #sleepers = new Set<() => void>()
  #readers = 0
  #bytes = 0

  /** @param onTaken called when a reader has received a document or was closed */
  constructor(id: string, job: StreamSource, onTaken: () => void) {
    this.#id = id
    this.#job = job
    this.#onTaken = onTaken
  }

  /** 0 without a reader, so that a job whose caller only waits for its end does not stall. */
  get waitingBytes(): number {
    return this.#readers === 0 ? 0 : this.#bytes
  }

  get isRead(): boolean {
    return this.#readers > 0
  }

  /** True when no document waits to be read. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  push(documents: readonly Document[], bytesEach: number, isObserved: boolean): void {
    if (isObserved && this.#readers === 0) return
    for (const document of documents) this.#waiting.push({ document, bytes: bytesEach })
    this.#bytes += documents.length * bytesEach
    this.wake()
  }

  present({ document }: Delivery<Document>): Document {
    return document
  }

  async acknowledge(): Promise<void> {
    throw notAcknowledging(this.#id)
  }

  wake(): void {
    for (const wake of this.#sleepers) wake()
    this.#sleepers.clear()
  }

  read(): AsyncIterableIterator<Document> {
    let closed = false
    /** The last document, which the reader may still be processing. */
    let taken: Document | undefined

    const close = (): IteratorResult<Document> => {
      if (!closed) this.#readers -= 1
      closed = true
      this.wake()
      this.#onTaken()
      return { done: true, value: undefined }
    }

    const take = async (): Promise<IteratorResult<Document>> => {
      if (taken) this.#job.log?.add(taken)
      taken = undefined
      for (;;) {
        if (closed) return close()
        const ended = this.#job.hasEnded()
        const next = this.#waiting.shift()
        if (next) {
          this.#bytes -= next.bytes
          this.#onTaken()
          taken = next.document
          return { done: false, value: taken }
        }
        if (ended) break
        await new Promise<void>((resolve) => this.#sleepers.add(resolve))
      }
      close()
      await this.#job.log?.settle()
      const fault = this.#job.findFault()
      if (fault !== undefined) throw fault
      return { done: true, value: undefined }
    }

    this.#readers += 1
    return serializeNext(take, close, this.#job.log)
  }
}
