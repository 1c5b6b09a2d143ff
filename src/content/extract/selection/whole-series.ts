import type { Block } from '../blocks/block.js'
import { distinctShare, isOfPrices, isSurelyNone, isTelling, type ListSource } from './list-page.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'

/** Minimum members of a series. */
const MIN_MEMBERS = 3
/** Minimum blocks of a member, in the mean. The paragraphs of a text are alike, and no series of objects. */
const MIN_MEMBER_BLOCKS = 1.5
/** Maximum text of a member, in the mean. Longer ones are parts of a text. Characters. */
const MAX_MEMBER_LENGTH = 2000
/** Minimum share of a series' words that is kept for the series to be content. */
const MIN_KEPT_SHARE = 0.5
/** Minimum share of the blocks in a slot that is kept for the rest to be kept as well. */
const MIN_SLOT_SHARE = 0.5

/** Minimum mean probability of a slot most of which is kept, as of a slot of posts, which are all content; and of another one. */
const MIN_MOST = 0.66
const MIN_OF_MOST = 0.3
const MIN_OF_FEW = 0.7
/** The same for the titles and prices of a series whose other parts are content: without titles, nothing says what the parts are of. */
const MIN_OF_TITLES = 0.15
/** Minimum share of the members that have a price or a name. */
const MIN_SHARE = 0.7
/** Maximum length of a name. Characters. */
const MAX_NAME = 80
/** Minimum share of different texts in the names: those of commands and labels are all the same. */
const MIN_DISTINCT_NAMES = 0.7

/**
 * Judges the members of a series alike: what is kept of most members is kept of all, and a series that is content has
 * its titles and prices.
 */
export function keepSeriesWhole({ read, kind, probabilityOf, verdictOf }: ListSource, kept: Set<Block>): void {
  for (const series of findSeries(read).all) {
    if (!isOfObjects(series)) continue
    const isContent =
      wordsOf(series.blocks.filter((block) => kept.has(block))) >= MIN_KEPT_SHARE * wordsOf(series.blocks)
    const titles = isContent ? titlesOf(series) : undefined
    const prices = isContent ? pricesOf(series) : undefined
    const names = namesOfPrices(series, kept)
    for (const slot of series.slots) {
      const share = shareOf(slot, kept)
      const isNeeded = slot === titles || slot === prices || slot === names
      if (share === 1 || (share < MIN_SLOT_SHARE && !isNeeded && !(isContent && isTelling(slot, series)))) continue
      const isMost = share >= MIN_MOST || kind === 'discussion'
      const least = isNeeded ? MIN_OF_TITLES : isMost ? MIN_OF_MOST : MIN_OF_FEW
      if (isSurelyNone(slot, probabilityOf, least)) continue
      // Where the rules found no element with the content, they accept no name either: it goes with its price.
      const leastVerdict = slot === names ? 0 : 1
      for (const block of slot) if (verdictOf(block.region) >= leastVerdict) kept.add(block)
    }
  }
}

/** Returns the titles of a series without headings: the first of its slots, if it tells the members apart and is no price. */
function titlesOf(series: Series): Slot | undefined {
  const [first] = series.slots
  const isTitled = series.members.some(({ headings }) => headings > 0)
  return first && !isTitled && isTelling(first, series) && !isOfPrices(first) ? first : undefined
}

/** Returns the first prices that most members have: some without their price would seem to have none. */
const pricesOf = ({ members, slots }: Series): Slot | undefined =>
  slots.find((slot) => slot.length >= MIN_SHARE * members.length && isOfPrices(slot))

const shareOf = (slot: Slot, kept: ReadonlySet<Block>): number =>
  slot.filter((block) => kept.has(block)).length / slot.length

/** Returns the names of things whose prices are in the content, which say nothing without: the first slot of short texts of their own. */
function namesOfPrices(series: Series, kept: ReadonlySet<Block>): Slot | undefined {
  const prices = pricesOf(series)
  if (prices === undefined || shareOf(prices, kept) < MIN_SLOT_SHARE) return undefined
  return series.slots.find(
    (slot) =>
      slot.length >= MIN_SHARE * series.members.length &&
      !isOfPrices(slot) &&
      distinctShare(slot) >= MIN_DISTINCT_NAMES &&
      slot.every(({ text, inner }) => text.length <= MAX_NAME && inner.name !== 'button'),
  )
}

/** True for a series of cards, posts or rows, each of several lines. */
export const isOfObjects = ({ members, blocks }: Series): boolean =>
  members.length >= MIN_MEMBERS &&
  blocks.length >= MIN_MEMBER_BLOCKS * members.length &&
  blocks.reduce((sum, { text }) => sum + text.length, 0) <= MAX_MEMBER_LENGTH * members.length

/** A block without a word counts as one. */
const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + Math.max(1, words), 0)
