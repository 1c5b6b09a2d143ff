import type { Document } from '../document.js'
import type { JobLedger } from '../ledger/ledger.js'
import { DeliveryDesk, type Desk } from './delivery.js'
import { OnceDesk } from './once-desk.js'
import type { Receipts } from './receipts.js'

/** What a desk needs of its job. */
interface DeskParts {
  readonly ledger: Promise<JobLedger<Document>>
  readonly receipts: Receipts
  /** Whether documents are not to be kept once they were handed out. */
  readonly forgets: boolean
  readonly acknowledges: boolean
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  wake(): void
}

/** Where a job's documents are handed out: from the ledger, or once, where it does not keep them. */
export const openDesk = ({ ledger, receipts, forgets, acknowledges, hasEnded, wake }: DeskParts): Desk<Document> =>
  forgets
    ? new OnceDesk(hasEnded, wake)
    : new DeliveryDesk(
        {
          completed: async (from, limit) => (await ledger).completed(from, limit, acknowledges),
          hasEnded,
          present: (delivery) => receipts.present(delivery),
          ...(acknowledges && { acknowledge: (sequence) => receipts.take(sequence) }),
        },
        wake,
      )
