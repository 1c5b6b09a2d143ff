import { TrawlError } from '../../../base/errors.js'
import type { Document } from '../../page/document.js'
import type { JobLedger } from '../../ledger/ledger.js'
import { sharedOf } from '../../ledger/shared-jobs.js'
import { LedgerStream, type DocumentStream, type StreamSource } from './document-stream.js'
import { TransientStream } from './transient-stream.js'
import type { JobOrigin } from '../job-origin.js'
import type { JobStrategy } from '../job-strategy.js'

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

/** Tests for a job whose documents are not kept: the process that runs it delivers each once. */
export const deliversOnce = ({ plan }: JobStrategy, acknowledges: boolean): boolean =>
  plan.page.zeroDataRetention === true || (!plan.retain && !acknowledges)

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
  ...source
}: DeliveryOptions): DocumentStream {
  const { id, acknowledges, jobStore } = origin
  if (deliversOnce(strategy, acknowledges)) return new TransientStream(id, source, wake)
  const dropsDocuments = !strategy.plan.retain
  const confirm = async (): Promise<void> => {
    const isStored = async () => !jobStore || (await (sharedOf(origin.ledger) ?? jobStore).read(id)) !== undefined
    if (lifecycle.forgotten !== undefined) throw jobNotFound(lifecycle.forgotten)
    if (!(await isStored())) throw jobNotFound(expiryOf(id))
  }
  return new LedgerStream({ ...source, id, acknowledges, dropsDocuments, ledger: () => ledger, confirm }, wake)
}
