import { TrawlError } from '../../../base/errors.js'
import type { Document } from '../../page/document.js'
import type { JobLedger } from '../../ledger/ledger.js'
import { sharedOf } from '../../ledger/shared-jobs.js'
import { LedgerStream, type DocumentStream, type StreamSource } from './document-stream.js'
import { TransientStream } from './transient-stream.js'
import type { JobOrigin } from '../job-origin.js'
import type { JobStrategy } from '../job-strategy.js'
import { Acknowledgements } from './acknowledgements.js'

/** Parts of a job that its documents are delivered from. */
interface DeliveryOptions extends StreamSource {
  readonly strategy: JobStrategy
  readonly origin: JobOrigin
  readonly ledger: Promise<JobLedger<Document>>
  readonly lifecycle: { readonly forgotten: string | undefined }
  /** Called when readers have received documents, so that the job may start further pages. */
  wake(): void
  /** Tells other processes of documents and of the job's end; absent when the ledger belongs to one process. */
  readonly announce?: () => void
}

/** Delivery of a job's documents to its readers. */
export interface DocumentDelivery {
  readonly stream: DocumentStream<Document>
  readonly acknowledgements: Acknowledgements
  /** True when documents are delivered once and not kept. */
  readonly isTransient: boolean
}

/** Tests for a job whose documents are not kept: the process that runs it delivers each once. */
export const deliversOnce = (
  { zeroDataRetention, dropsDocuments }: DeliveryOptions['strategy'],
  acknowledges: boolean,
): boolean => zeroDataRetention === true || (dropsDocuments === true && !acknowledges)

/** The reason why a job is not stored any more. */
export const expiryOf = (id: string): string => `job ${id} has expired`

/** The error of a job that is not stored any more. Made when it is thrown: an error that is kept may keep what called for it. */
export const jobNotFound = (reason: string): TrawlError => new TrawlError('JOB_NOT_FOUND', reason)

/** Opens the delivery of a job: from the ledger, or from memory where the ledger keeps no documents. */
export function openDelivery({
  strategy,
  origin,
  ledger,
  lifecycle,
  wake,
  announce,
  ...source
}: DeliveryOptions): DocumentDelivery {
  const { id, acknowledges, jobStore } = origin
  const dropsDocuments = strategy.dropsDocuments === true
  const isTransient = deliversOnce(strategy, acknowledges)
  const acknowledgements = new Acknowledgements({ jobId: id, isOn: acknowledges, dropsDocuments, ledger })
  if (isTransient) return { acknowledgements, isTransient, stream: new TransientStream(source, wake) }
  const stream = new LedgerStream<Document>(
    {
      ...source,
      completed: async (from, limit) => (await ledger).completed(from, limit, acknowledges),
      present: (delivery) => acknowledgements.present(delivery),
      async confirm() {
        const isStored = async () => !jobStore || (await (sharedOf(origin.ledger) ?? jobStore).read(id)) !== undefined
        if (lifecycle.forgotten !== undefined) throw jobNotFound(lifecycle.forgotten)
        if (!(await isStored())) throw jobNotFound(expiryOf(id))
      },
      announce,
      acknowledge: acknowledges ? (sequence) => acknowledgements.record(sequence) : undefined,
    },
    wake,
  )
  return { acknowledgements, isTransient, stream }
}
