import type { ChildNode, Element, ParentNode } from '../../html/tree.js'
import type { LinkPage, Notes } from './find-notes.js'
import type { MarkKind, ViewDetails, ViewKind } from '../markdown-view.js'
import type { ViewBuilder } from './view-builder.js'

/** Reads an element into the view. */
export type ElementReader = (element: Element, context: ReadingContext) => void

/** State shared by the readers of a page's elements. */
export interface ReadingContext extends LinkPage {
  readonly view: ViewBuilder
  readonly notes: Notes
  /** The page's language, e.g. `en-GB`; empty if it is not stated. */
  readonly language: string
  read(node: ChildNode): void
  readChildren(parent: ParentNode): void
  /** Calls a function when all of the content has been read. */
  readAtEnd(read: () => void): void
  /** Reads the children of an element as the contents of a block. */
  readBlock(kind: ViewKind, details: ViewDetails, element: Element): void
  /** Reads the children of an element as marked text. */
  readMarked(kind: MarkKind, element: Element): void
}

/** Reads an element that begins and ends a line. */
export function readLines(element: Element, context: ReadingContext): void {
  context.view.endLine()
  context.readChildren(element)
  context.view.endLine()
}
