import type { ErrorCode } from '../../base/errors.js'
import type { Refusal } from '../ledger/ledger.js'

/** A URL that a job never saw, with the decision of its rules if it were linked from the start page now. */
export interface UnseenUrl {
  readonly outcome: 'unseen'
  readonly url: string
  /** Reason why it would not be scraped; absent when it would. */
  readonly refusal?: Refusal
  /** Error that it would fail with, as far as it is known without a request: its site's robots.txt could not be read. */
  readonly failure?: { readonly code: ErrorCode; readonly error: string }
}
