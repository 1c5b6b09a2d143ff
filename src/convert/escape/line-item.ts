import type { ViewNode } from '../markdown-view.js'

/** What a line consists of, in order. */
export type LineItem =
  | { readonly type: 'text'; readonly node: ViewNode; readonly inLink: boolean }
  | { readonly type: 'opaque' | 'break' | 'open' | 'close'; readonly node: ViewNode }

/**
 * Where a line stands: as a paragraph, as the first of a list item, or where no block can begin, in a heading or a cell, which
 * are written as one line whatever they hold: `rest` is what follows their first.
 */
export type LinePlace = 'paragraph' | 'item' | 'flat' | 'rest'
