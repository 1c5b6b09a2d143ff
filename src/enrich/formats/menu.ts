import type { EnrichFormat } from '../format.js'

/** The menu of the restaurant that the page is about. */
export interface MenuFormat {
  type: 'menu'
}

/** What `menu` fills. */
export interface MenuFields {
  /** The menu; absent, with a `warning`, when the page shows none. */
  menu?: unknown
}

/** @see behaviour 1.4 */
export const menu: EnrichFormat<MenuFormat, MenuFields> = { type: 'menu' }
