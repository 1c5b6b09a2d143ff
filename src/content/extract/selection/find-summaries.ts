import { type Block, isWithin, type Region } from '../blocks/block.js'
import { isCommandLabel } from '../rules/button-in-text.js'

/**
 * Finds the summaries of `details` elements of which the text below is kept. It is the question of an answer, or the name of what
 * a click opens. An icon is none of them, nor is a command such as `Show more`.
 */
export function findSummaries(blocks: readonly Block[], kept: ReadonlySet<Block>): Block[] {
  const found: Block[] = []
  let open: { readonly details: Region; readonly blocks: Block[] } | undefined
  for (const block of blocks) {
    const details = findDetails(block.region)
    if (details === undefined) {
      if (open !== undefined && kept.has(block) && isWithin(block.region, open.details)) found.push(...open.blocks)
      open = undefined
    } else {
      if (open?.details !== details) open = { details, blocks: [] }
      if (!kept.has(block) && block.words > 0 && !isCommandLabel(block.text)) open.blocks.push(block)
    }
  }
  return found
}

/** Returns the `details` element of a text in its summary. */
function findDetails(region: Region): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && at.element.name !== 'summary') at = at.parent
  return at?.parent?.element.name === 'details' ? at.parent : undefined
}
