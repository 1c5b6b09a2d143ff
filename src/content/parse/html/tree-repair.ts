import type { Document } from '../../html/tree.js'

/** A change of the tree for what a script would make of the page, or for what a program has written in its own way. */
export interface TreeRepair {
  /** Matches what every source with something to change has. Without flags, unless there is a {@link sign}. */
  readonly mark: RegExp
  /** Matches a part of the mark, which is looked for first because that takes less time. */
  readonly sign?: RegExp
  /**
   * Matches a class of what is changed, which is looked for before the mark: the different classes of a page are a small part of it.
   * Nearly no page has one, and a walk over all elements takes a fifth of the time for the tree.
   */
  readonly classSign?: RegExp
  readonly apply: (document: Document) => void
}
