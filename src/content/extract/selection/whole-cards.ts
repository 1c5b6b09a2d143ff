import { isHeading } from '../../html/tree.js'
import { type Block, isWithin, type Region } from '../blocks/block.js'

/** Maximum text of a card. A longer part with one heading is a section of the text. Characters. */
const MAX_CARD_LENGTH = 600
/** Minimum probability of a card's text for the card to be content, and of its headline. */
const MIN_CARD_TEXT = 0.85
const MIN_CARD_HEADLINE = 0.1

/**
 * Adds or removes the rest of cards whose headline, a heading that is a link, is dropped while their text is kept. A
 * card is content as a whole, such as a product in a review, or a teaser as a whole, such as a related story.
 */
export function keepCardsWhole(blocks: readonly Block[], probabilities: Float64Array, kept: Set<Block>): void {
  for (const headline of blocks) {
    const { at, region, text, link } = headline
    if (kept.has(headline) || !isHeading(region.element) || link < text.length) continue
    const card = findCard(region)
    const texts = card === undefined ? [] : findAround(blocks, at, card).filter((block) => kept.has(block))
    if (texts.length === 0) continue
    const isContent = texts.some((block) => (probabilities[block.at] ?? 0) >= MIN_CARD_TEXT)
    // An item of a list, such as an ingredient with its link, is no teaser.
    const teaser = texts.filter((block) => block.region.element.name !== 'li')
    if (!isContent) for (const block of teaser) kept.delete(block)
    else if ((probabilities[at] ?? 0) >= MIN_CARD_HEADLINE) kept.add(headline)
  }
}

/** Returns the innermost element that contains more than a headline, if it is as short as a card and has one heading. */
function findCard(headline: Region): Region | undefined {
  let card = headline.parent
  while (card?.blocks === 1) card = card.parent
  return card !== undefined && card.headings === 1 && card.text <= MAX_CARD_LENGTH ? card : undefined
}

/** Returns the other blocks of a card. */
function findAround(blocks: readonly Block[], headline: number, card: Region): Block[] {
  const found: Block[] = []
  for (const step of [-1, 1])
    for (let at = headline + step; ; at += step) {
      const block = blocks[at]
      if (block === undefined || !isWithin(block.region, card)) break
      found.push(block)
    }
  return found
}
