import type { Block } from '../blocks/block.js'

/** Minimum share of links in a line of several links. The rest are the separators. */
const MIN_LINK_SHARE = 0.8

/** True for a line that consists of several links: a menu without the markup of a list. */
export const isMenuLine = ({ nodes, link, text }: Block): boolean =>
  link > MIN_LINK_SHARE * text.length && new Set(nodes.map(({ parent }) => parent)).size > 2
