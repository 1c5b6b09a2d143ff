import { WaitingQueue } from '../../../base/concurrency/waiting-queue.js'
import { toTrawlError, type TrawlError } from '../../../base/errors.js'
import type { Ending } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'

/** Maximum number and size of endings that are being recorded. Beyond it, a page keeps its place until one has been recorded. */
const MAX_ENDINGS = 50
const MAX_BYTES = 16 * 1024 * 1024

/** Parts that the endings work with. */
interface PendingOptions {
  /** Maximum size of the documents, when that is less than the built-in one. Bytes. */
  readonly maxBytes: number
  /** Called whenever an ending was recorded, or could not be. */
  onEnded(): void
}

/**
 * Endings of pages that are being recorded. A page gives its place up before its ending is stored, because a feature
 * or a database takes its time: with 20 ms for each page, ten pages at once would wait for a third of the time of a site
 * that answers in 50 ms.
 */
export class PendingEndings {
  readonly #maxBytes: number
  readonly #onEnded: () => void
  readonly #pending = new Set<Promise<void>>()
  readonly #waiting = new WaitingQueue()
  #bytes = 0
  #failure: TrawlError | undefined

  constructor({ maxBytes, onEnded }: PendingOptions) {
    this.#maxBytes = Math.min(maxBytes, MAX_BYTES)
    this.#onEnded = onEnded
  }

  get size(): number {
    return this.#pending.size
  }

  /** The first error of an ending that could not be recorded. */
  get failure(): TrawlError | undefined {
    return this.#failure
  }

  /** Records an ending. Resolves as soon as there is room for another one. @param record stores the ending */
  async add(ending: Ending<Document>, record: () => Promise<void>): Promise<void> {
    const bytes = ending.outcome === 'done' ? ending.bytes : 0
    this.#bytes += bytes
    const done = record()
      .catch((error: unknown) => {
        this.#failure ??= toTrawlError(error)
      })
      .finally(() => {
        this.#bytes -= bytes
        this.#pending.delete(done)
        this.#waiting.wakeAll()
        this.#onEnded()
      })
    this.#pending.add(done)
    while (this.#pending.size >= MAX_ENDINGS || this.#bytes > this.#maxBytes)
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
  }

  /** Waits for all endings. @throws TrawlError when one could not be recorded */
  async drain(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
    if (this.#failure) throw this.#failure
  }
}
