import type { Document } from '../document.js'
import type { JobLedger } from '../ledger/ledger.js'
import { DeliveryDesk, type Desk } from './delivery.js'
import { OnceDesk } from './once-desk.js'
import type { Receipts } from './receipts.js'

/** How a job hands its documents out. */
interface DeskParts {
  /** Whether documents are not to be kept once they were handed out. */
  readonly forgets: boolean
  /** Whether documents are handed out until they are acknowledged. */
  readonly acknowledges: boolean
  readonly ledger: Promise<JobLedger<Document>>
  readonly receipts: Receipts
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  /** Called when a document was taken, or a reader has left. */
  onTaken(): void
}

/** The desk of a job: one that reads the ledger, or holds what nothing keeps. */
export function openDesk({ forgets, acknowledges, ledger, receipts, hasEnded, onTaken }: DeskParts): Desk<Document> {
  if (forgets) return new OnceDesk(hasEnded, onTaken)
  return new DeliveryDesk(
    {
      completed: async (from, limit) => (await ledger).completed(from, limit, acknowledges),
      hasEnded,
      present: (delivery) => receipts.present(delivery),
      ...(acknowledges && { acknowledge: (sequence) => receipts.take(sequence) }),
    },
    onTaken,
  )
}
