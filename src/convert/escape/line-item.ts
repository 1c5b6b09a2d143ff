import type { ViewNode } from '../markdown-view.js'

/** A part of a line, in order. */
export type LineItem =
  | { readonly type: 'text'; readonly node: ViewNode; readonly inLink: boolean }
  | { readonly type: 'opaque' | 'break' | 'open' | 'close'; readonly node: ViewNode }

/**
 * Position of a line: a paragraph; the first paragraph of a list item; or a heading or cell, which is written as one line and
 * cannot contain a block. `rest` is what follows the first line of a heading or cell.
 */
export type LinePlace = 'paragraph' | 'item' | 'flat' | 'rest'
