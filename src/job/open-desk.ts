import type { JobLedger } from '../ledger/ledger.js'
import { DeliveryDesk, type Desk } from './delivery.js'
import { OnceDesk } from './once-desk.js'
import type { Receipts } from './receipts.js'
import type { Document } from '../document.js'

/** What a desk has of its job. */
interface DeskParts {
  /** Whether documents are not to be kept once they were handed out. */
  readonly forgets: boolean
  readonly acknowledges: boolean
  readonly ledger: Promise<JobLedger<Document>>
  readonly receipts: Receipts
  /** @throws when the job stopped before its end, and nothing more is to come from here */
  hasEnded(): boolean
  wake(): void
}

/** Opens the desk where a job's documents are handed out. */
export function openDesk(parts: DeskParts): Desk<Document> {
  const { forgets, acknowledges, ledger, receipts, hasEnded, wake } = parts
  if (forgets) return new OnceDesk(hasEnded, wake)
  const supply = {
    completed: async (from: number, limit: number) => (await ledger).completed(from, limit, acknowledges),
    hasEnded,
    present: receipts.present.bind(receipts),
    ...(acknowledges && { acknowledge: (sequence: number) => receipts.take(sequence) }),
  }
  return new DeliveryDesk(supply, wake)
}
