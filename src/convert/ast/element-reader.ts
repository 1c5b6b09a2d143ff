import type { ChildNode, Element, ParentNode } from '../../html/tree.js'
import type { Notes } from './find-notes.js'
import type { ViewBuilder } from './view-builder.js'

/** Reads one element into the view. */
export type ElementReader = (element: Element, context: ReadingContext) => void

/** What readers of elements work with. */
export interface ReadingContext {
  readonly view: ViewBuilder
  /** Whether an address is a place on the page itself. */
  isOnPage(href: string): boolean
  readonly notes: Notes
  /** What the page says it is written in, e.g. `en-GB`; empty when it says nothing. */
  readonly language: string
  read(node: ChildNode): void
  readChildren(parent: ParentNode): void
}
