import type { Document } from '../../kernel/page/document.js'
import type { Deliveries, DeliveringJob } from '../../kernel/job/delivery/deliveries.js'

/** A record that is told of the documents of its crawl. */
interface ToldRecord {
  keyOf(url: string): string
  /** Notes that the caller has the document of a page. @param key of its row */
  deliver(key: string): void
  /** Adds to the record of a crawl which documents were delivered after it was written. Never rejects. */
  settle(job: DeliveringJob, isWhole: boolean): Promise<void>
}

/**
 * Tells the record of a crawl which documents its caller has: those after which a loop has asked for the next one, or that were
 * acknowledged. In a job without either, those that the receiver of its reports has, and without one those that were given.
 */
export class DeliveryLog implements Deliveries {
  readonly #job: DeliveringJob
  readonly #record: ToldRecord

  constructor(job: DeliveringJob, record: ToldRecord) {
    this.#job = job
    this.#record = record
  }

  add({ metadata }: Document): void {
    this.#record.deliver(this.#record.keyOf(metadata.sourceURL))
  }

  addGiven(documents: readonly Document[]): void {
    if (this.#isUnread && !this.#job.isReported()) for (const document of documents) this.add(document)
  }

  addReported(key: string): void {
    if (this.#isUnread) this.#record.deliver(key)
  }

  get #isUnread(): boolean {
    return !this.#job.acknowledges && !this.#job.wasRead()
  }

  async settle(isWhole = false): Promise<void> {
    await this.#record.settle(this.#job, isWhole)
  }
}
