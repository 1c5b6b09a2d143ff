import type { ChildNode, Element, ParentNode } from '../../html/tree.js'
import type { Notes } from './find-notes.js'
import type { ViewBuilder } from './view-builder.js'

/** Reads an element into the view. */
export type ElementReader = (element: Element, context: ReadingContext) => void

/** State shared by the readers of a page's elements. */
export interface ReadingContext {
  readonly view: ViewBuilder
  /** True for a URL that refers to a place on the page itself. */
  isOnPage(href: string): boolean
  readonly notes: Notes
  /** The page's language, e.g. `en-GB`; empty if it is not stated. */
  readonly language: string
  read(node: ChildNode): void
  readChildren(parent: ParentNode): void
}
