import type { List } from '../../enrich/row-list.js'
import type { ListStep } from '../../ledger/attempt.js'

/** A list that was read to its end, and each step of it. */
export interface WholeList {
  readonly list: List
  readonly steps: readonly ListStep[]
}

/** End of reading a list, or one of its sources. */
export interface ListEnding {
  /** Evidence that there are no further rows. */
  readonly end?: string
  /** The reason why no further rows were read; absent with evidence of the end. */
  readonly stoppedBy?: string
}
