import type { Document } from '../../page/document.js'
import type { JobLedger } from '../../ledger/ledger.js'
import { LedgerStream, type DocumentStream } from './document-stream.js'
import { TransientStream } from './transient-stream.js'
import type { JobOrigin } from '../lifecycle/job-origin.js'
import type { JobStrategy } from '../job-strategy.js'
import { Acknowledgements } from './acknowledgements.js'

/** What handing documents out takes of a job. */
interface DeliveryParts {
  readonly script: Pick<JobStrategy, 'keepsNothing' | 'forgetsDocuments'>
  readonly origin: Pick<JobOrigin, 'id' | 'acknowledges'>
  readonly ledger: Promise<JobLedger<Document>>
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  /** Why the job did not come to its own end; undefined when it did. */
  findFault(): unknown
  wake(): void
}

/** Opens the desk of a job, and the record of what was taken from it. `forgets` says that documents are handed out once and not kept. */
export function openStream({ script, origin, ledger, ...job }: DeliveryParts): {
  readonly desk: DocumentStream<Document>
  readonly receipts: Acknowledgements
  readonly forgets: boolean
} {
  const { id, acknowledges } = origin
  const drops = script.forgetsDocuments === true
  const forgets = script.keepsNothing === true || (drops && !acknowledges)
  const receipts = new Acknowledgements({ jobId: id, isOn: acknowledges, drops, ledger })
  return { receipts, forgets, desk: createDocumentStream({ ledger, receipts, forgets, acknowledges, ...job }) }
}

/** What a desk needs of its job. */
interface DeskParts {
  readonly ledger: Promise<JobLedger<Document>>
  readonly receipts: Acknowledgements
  /** Whether documents are not to be kept once they were handed out. */
  readonly forgets: boolean
  readonly acknowledges: boolean
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  /** Why the job did not come to its own end; undefined when it did. */
  findFault(): unknown
  wake(): void
}

/** Where a job's documents are handed out: from the ledger, or once, where it does not keep them. */
const createDocumentStream = ({
  ledger,
  receipts,
  forgets,
  acknowledges,
  hasEnded,
  findFault,
  wake,
}: DeskParts): DocumentStream<Document> =>
  forgets
    ? new TransientStream({ hasEnded, findFault }, wake)
    : new LedgerStream(
        {
          completed: async (from, limit) => (await ledger).completed(from, limit, acknowledges),
          hasEnded,
          findFault,
          present: (delivery) => receipts.present(delivery),
          ...(acknowledges && { acknowledge: (sequence) => receipts.take(sequence) }),
        },
        wake,
      )
