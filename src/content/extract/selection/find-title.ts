import { type Block, isTitle } from '../blocks/block.js'

/** Minimum length of a line that is the title, on a page without a first heading. Characters. */
const MIN_LENGTH = 8

/**
 * Returns the index of the block with the title of a page: of its first headings that which the page's `title` says, or else the first;
 * without any, the first line with which the `title` begins. -1 for none.
 */
export function findTitle(blocks: readonly Block[], pageTitle = ''): number {
  let first = -1
  for (const { at, region, text } of blocks) {
    if (!isTitle(region)) continue
    if (pageTitle.includes(text)) return at
    if (first === -1) first = at
  }
  return first === -1 ? blocks.findIndex(({ text }) => text.length >= MIN_LENGTH && pageTitle.startsWith(text)) : first
}
