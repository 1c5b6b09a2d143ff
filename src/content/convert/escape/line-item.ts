import type { ViewNode } from '../markdown-view.js'

/** A part of a line, in order. A text, a break and anything else without marks inside is the view node itself. */
export interface LineItem {
  readonly type: 'text' | 'opaque' | 'break' | 'open' | 'close'
  readonly node: ViewNode
  /** True for a text in a link. */
  readonly inLink: boolean
}

/**
 * Position of a line: a paragraph; the first paragraph of a list item; or a heading or cell, which is written as one line and
 * cannot contain a block. `rest` is what follows the first line of a heading or cell.
 */
export type LinePlace = 'paragraph' | 'item' | 'flat' | 'rest'
