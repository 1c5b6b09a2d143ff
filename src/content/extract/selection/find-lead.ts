import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { Choice } from './related-blocks.js'

/** Minimum probability of a lead. A teaser of another text before the first paragraph has less. */
const MIN_LEAD = 0.3
/** Maximum blocks between the lead and the text, such as its author and date. */
const MAX_BETWEEN = 3
/** Maximum levels from the lead to the element with the text. */
const MAX_LEVELS = 2
const MAX_LINK_SHARE = 0.2

/**
 * Finds the lead of a text: sentences right before its first paragraph, in the same element. The model is not sure of them, as
 * teasers of other texts read so.
 */
export function findLead({ read: { blocks }, kept, probabilityOf, verdictOf }: Choice): Block[] {
  const first = blocks.find((block) => block.isProse && kept.has(block))
  if (first === undefined) return []
  const lead: Block[] = []
  for (let at = first.at - 1, left = MAX_BETWEEN; at >= 0 && left > 0; at -= 1) {
    const block = blocks[at]
    if (block === undefined) break
    const isLead =
      block.isProse &&
      !isCaption(block) &&
      probabilityOf(block) >= MIN_LEAD &&
      block.link <= MAX_LINK_SHARE * block.text.length
    if (isLead && verdictOf(block.region) !== -1 && isWithin(first.region, outOf(block.region))) lead.push(block)
    else left -= 1
  }
  return lead
}

/** True for the words below a picture. */
function isCaption({ region, inner }: Block): boolean {
  if (CAPTION.test(`${inner.name} ${inner.attribs['class'] ?? ''}`)) return true
  let at: Region | undefined = region
  for (let left = MAX_LEVELS; left >= 0 && at !== undefined; left -= 1) {
    if (CAPTION.test(`${at.element.name} ${at.element.attribs['class'] ?? ''}`)) return true
    at = at.parent
  }
  return false
}

const CAPTION = /^figure|caption|credit|legend/i

function outOf(region: Region): Region {
  let at = region
  for (let left = MAX_LEVELS; left > 0 && at.parent !== undefined; left -= 1) at = at.parent
  return at
}
