import type { Document } from '../../page/document.js'
import { TrawlError, printSeen } from '../../../base/errors.js'
import type { Delivery, JobLedger } from '../../ledger/ledger.js'

/** Job whose documents are acknowledged. */
interface AcknowledgedJob {
  readonly jobId: string
  /** True when documents are delivered until they are acknowledged. */
  readonly isOn: boolean
  /** True when a document is deleted as soon as it is acknowledged. */
  readonly dropsDocuments: boolean
  readonly ledger: Promise<Pick<JobLedger<Document>, 'acknowledge' | 'delivered'>>
}

/** Acknowledgements of a job's documents. */
export class Acknowledgements {
  readonly #job: AcknowledgedJob

  constructor(job: AcknowledgedJob) {
    this.#job = job
  }

  /** Prepares a document for its delivery: adds the `deliveryId` that it is acknowledged by. */
  present({ document, sequence }: Delivery<Document>): Document {
    if (!this.#job.isOn) return document
    return { ...document, metadata: { ...document.metadata, deliveryId: sequence } }
  }

  async record(sequence: number): Promise<void> {
    await (await this.#job.ledger).acknowledge(sequence, this.#job.dropsDocuments)
  }

  /**
   * Acknowledges a document, given itself or its `metadata.deliveryId`.
   *
   * @throws TrawlError `BAD_REQUEST` when the job has no such document, or was started without `acknowledge`
   */
  async acknowledge(
    document: { readonly metadata: { readonly deliveryId?: number } } | number | string,
  ): Promise<void> {
    const { isOn, jobId, ledger } = this.#job
    if (!isOn) throw new TrawlError('BAD_REQUEST', `job ${jobId} was not started with \`acknowledge: true\``)
    // JavaScript callers may pass anything.
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
    await this.record(sequence)
  }
}
