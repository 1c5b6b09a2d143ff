import type { Document } from '../../page/document.js'
import { TrawlError, printSeen } from '../../errors.js'
import type { Delivery, JobLedger } from '../../ledger/ledger.js'

/** Whose documents they are, and what is done with those that were taken. */
interface Receiving {
  readonly jobId: string
  /** Whether documents are handed out until they are acknowledged. */
  readonly isOn: boolean
  /** Whether a document is dropped when it was acknowledged. */
  readonly drops: boolean
  readonly ledger: Promise<JobLedger<Document>>
}

/** Which documents of a job were taken for good. */
export class Acknowledgements {
  readonly #job: Receiving

  constructor(job: Receiving) {
    this.#job = job
  }

  /** A document as it is handed out: where it can be acknowledged, with the name by which it is. */
  present({ document, sequence }: Delivery<Document>): Document {
    if (!this.#job.isOn) return document
    return { ...document, metadata: { ...document.metadata, deliveryId: sequence } }
  }

  async take(sequence: number): Promise<void> {
    await (await this.#job.ledger).acknowledge(sequence, this.#job.drops)
  }

  /**
   * Notes that a document was taken, by itself or its `metadata.deliveryId`.
   *
   * @throws TrawlError `BAD_REQUEST` when the job has no such document, or none is to be acknowledged
   */
  async acknowledge(
    document: { readonly metadata: { readonly deliveryId?: number } } | number | string,
  ): Promise<void> {
    const { isOn, jobId, ledger } = this.#job
    if (!isOn) throw new TrawlError('BAD_REQUEST', `job ${jobId} was not started with \`acknowledge: true\``)
    // Of JavaScript anything may come.
    const given: { metadata?: { deliveryId?: unknown } } | null | number | string | undefined = document
    const deliveryId = typeof given === 'object' ? given?.metadata?.deliveryId : given
    const isWhole = typeof deliveryId === 'string' ? /^\d{1,15}$/.test(deliveryId) : Number.isSafeInteger(deliveryId)
    const sequence = isWhole && Number(deliveryId) >= 0 ? Number(deliveryId) : Infinity
    if (sequence >= (await (await ledger).delivered())) {
      throw new TrawlError(
        'BAD_REQUEST',
        `job ${jobId} has no document with the \`metadata.deliveryId\` ${printSeen(deliveryId)}`,
      )
    }
    await this.take(sequence)
  }
}
