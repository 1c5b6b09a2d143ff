import type { DocumentStream } from './document-stream.js'
import { oneByOne } from './one-by-one.js'

/** What a {@link TransientStream} needs to know of its job. */
interface OnceSupply {
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  /** Why the job did not come to its own end; undefined when it did. */
  findFault(): unknown
}

/**
 * Hands out each document once, and keeps none: under `zeroDataRetention`.
 *
 * A document waits in memory for a reader. With several, each goes to the one that asks first. When nobody reads and the
 * job's listeners are told of it, that was its delivery.
 */
export class TransientStream<Doc> implements DocumentStream<Doc> {
  readonly #job: OnceSupply
  readonly #onTaken: () => void
  readonly #waiting: { readonly document: Doc; readonly bytes: number }[] = []
  readonly #sleepers = new Set<() => void>()
  #readers = 0
  #bytes = 0

  /** @param onTaken called when a document was taken, or a reader has left */
  constructor(job: OnceSupply, onTaken: () => void) {
    this.#job = job
    this.#onTaken = onTaken
  }

  /** 0 when nobody reads: who only waits for the job's end does not wait for ever. */
  get waitingBytes(): number {
    return this.#readers === 0 ? 0 : this.#bytes
  }

  produced(documents: readonly Doc[], bytesEach: number, isHeard: boolean): void {
    if (isHeard && this.#readers === 0) return
    for (const document of documents) this.#waiting.push({ document, bytes: bytesEach })
    this.#bytes += documents.length * bytesEach
    this.wake()
  }

  wake(): void {
    for (const wake of this.#sleepers) wake()
    this.#sleepers.clear()
  }

  read(): AsyncIterableIterator<Doc> {
    let closed = false

    const close = (): IteratorResult<Doc> => {
      if (!closed) this.#readers -= 1
      closed = true
      this.wake()
      this.#onTaken()
      return { done: true, value: undefined }
    }

    const take = async (): Promise<IteratorResult<Doc>> => {
      for (;;) {
        if (closed) return close()
        const ended = this.#job.hasEnded()
        const next = this.#waiting.shift()
        if (next) {
          this.#bytes -= next.bytes
          this.#onTaken()
          return { done: false, value: next.document }
        }
        if (ended) break
        await new Promise<void>((resolve) => this.#sleepers.add(resolve))
      }
      close()
      const fault = this.#job.findFault()
      if (fault !== undefined) throw fault
      return { done: true, value: undefined }
    }

    this.#readers += 1
    return oneByOne(take, close)
  }
}
