import type { Document } from '../../html/tree.js'

/** A change of the tree for what a script would make of the page, or for what a program has written in its own way. */
export interface TreeRepair {
  /**
   * Matches what every source with something to change has, without flags or with `i`. Nearly no page has any, and a walk over all
   * elements takes a fifth of the time for the tree.
   */
  readonly mark: RegExp
  readonly apply: (document: Document) => void
}
