import { isHeading } from '../../html/tree.js'
import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { boilerplateKind } from '../rules/boilerplate.js'
import { isCommandLabel } from '../rules/button-in-text.js'
import { isMenuLine } from '../rules/is-menu-line.js'
import { saysDay } from './find-event.js'
import { saysPrice } from './find-price.js'
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
/** Maximum length of a name, and of another part in the mean. Characters. */
const MAX_NAME = 80
const MAX_PART = 160
/** Maximum length of a number with its unit. Characters. */
const MAX_MEASURE = 40
const MEASURE = /\d \p{L}|\d\P{L}*\p{L}{2}|\p{L}{2}\P{L}*\d/u
/** Minimum share of different texts in the names: those of commands and labels are all the same. */
const MIN_DISTINCT_NAMES = 0.7
/** The same of the texts by which a part in the content tells of its members. */
const MIN_DISTINCT_PARTS = 0.5
/** Minimum share of the members that have a part in the content for that part to speak for all. */
const MIN_SAID = 0.7
/** Minimum mean probability of a series whose parts are likely together, whatever the rules say of each. */
const MIN_LIKELY = 0.5
/** Minimum mean probability of a part where other parts say that the series is content, where only its words do, and of a number. */
const MIN_BESIDE_PARTS = 0.17
const MIN_BESIDE_WORDS = 0.15
const MIN_MEASURE = 0.05
/** The same of a part that is a link alone, which may lead on from the member and say nothing of it; and minimum share of links in it. */
const MIN_OF_LINKS = 0.3
const MIN_LINK = 0.9
/** Maximum parts at one place of a member, which are told apart by their order. */
const MAX_ORDERED = 4

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

/**
 * Finds the parts of the members of a series that tell them apart, most of which the members have and the content lacks: the name, price,
 * date, author or place of each. The evidence is that of all members: a series is content by its names, its other parts or most of its
 * words, and then so is what stands in the footer of a card, in its form, or below its picture. What is the same for all is a command or a
 * label; what is named so is to share or to sell.
 */
export function findMemberParts(source: ListSource, kept: ReadonlySet<Block>): Block[] {
  return findSeries(source.read).all.flatMap((series) => {
    const { members, blocks } = series
    const around = members[0]?.parent
    if (blocks.every((block) => kept.has(block)) || around === undefined || source.verdictOf(around) === -1) return []
    const isOfLists = members.some(({ element }) => /^[uo]l$/.test(element.name))
    const hasPictures = members.some(({ images }) => images > 0)
    const isOfCards = isOfObjects(series) || (hasPictures && isOfPictures(series))
    return isOfLists || !isOfCards ? [] : findLostParts(series, source, kept)
  })
}

/** True for pictures with one line each. */
const isOfPictures = ({ members, blocks }: Series): boolean =>
  members.length >= MIN_MEMBERS &&
  blocks.length < MIN_MEMBER_BLOCKS * members.length &&
  members.filter(({ images }) => images > 0).length >= MIN_SHARE * members.length &&
  blocks.every(({ text }) => text.length <= MAX_PART)

function findLostParts(series: Series, { probabilityOf, verdictOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  const { members, blocks } = series
  const owners = ownersOf(series)
  const parts = partsOf(series, owners).filter(({ length }) => length >= MIN_SHARE * members.length)
  if (parts.every((slot) => shareOf(slot, kept) === 1)) return []
  const isName = (slot: Slot): boolean => isOfWords(slot) && !isOfValues(slot)
  const name =
    parts.find((slot) => slot.every(({ region }) => isHeading(region.element)) && isName(slot)) ??
    parts.find((slot) => slot.every(({ text }) => text.length <= MAX_NAME) && isName(slot))
  const nameOf = new Map(name?.map((block) => [owners.get(block), block.text]))
  const own = blocks.filter((block) => kept.has(block))
  const isSaid = (slot: Slot): boolean => shareOf(slot, kept) >= MIN_SAID
  const isNameKept = name !== undefined && isSaid(name)
  const isNamed = isNameKept || isLikely(blocks, probabilityOf)
  const isTold = parts.some((slot) => slot !== name && isSaid(slot) && distinctShare(slot) >= MIN_DISTINCT_PARTS)
  const isMost = wordsOf(own) >= MIN_KEPT_SHARE * wordsOf(blocks)
  if (!isNamed && !isTold && !isMost) return []
  const isTellingPart = (slot: Slot): boolean =>
    slot === name || isOfWords(slot, (block) => nameOf.get(owners.get(block))) || isOfValues(slot)
  const isInEnd = ({ region }: Block): boolean => verdictOf(region) !== 1
  const isToldApart = (slot: Slot): boolean => {
    if (!isTellingPart(slot)) return isNamed && isOfMeasures(slot) && !isSurelyNone(slot, probabilityOf, MIN_MEASURE)
    if (slot !== name && isOfLinks(slot)) return !isSurelyNone(slot, probabilityOf, MIN_OF_LINKS)
    if (!isNamed && !isTold) return !isSurelyNone(slot, probabilityOf, MIN_BESIDE_WORDS)
    // The model thinks little of what is in any header or footer.
    return isMost || slot.every(isInEnd) || !isSurelyNone(slot, probabilityOf, MIN_BESIDE_PARTS)
  }
  const isOfTable = members.every(({ element }) => element.name === 'tr')
  const isOwn = (block: Block): boolean => {
    const verdict = verdictOf(block.region)
    const frame = frameIn(block.region, owners.get(block))
    return frame !== 'other' && (verdict === 1 || (verdict === 0 ? isNameKept || isOfTable : frame === 'end'))
  }
  const texts = new Map<Region | undefined, string>()
  const say = (block: Block): void => {
    const owner = owners.get(block)
    texts.set(owner, `${texts.get(owner) ?? ''}\n${block.text}`)
  }
  for (const block of own) say(block)
  return parts.flatMap((slot) => {
    const lost = slot.filter((block) => !kept.has(block))
    if (lost.length === 0 || !isToldApart(slot) || !slot.every(isOwn)) return []
    const repeated = lost.filter((block) => isSaidIn(texts.get(owners.get(block)) ?? '', block.text))
    if (repeated.length >= MIN_SHARE * lost.length) return []
    for (const block of lost) say(block)
    return lost
  })
}

/** True for links alone that say no day or price: to read on, to a topic, to a file. */
const isOfLinks = (slot: Slot): boolean =>
  slot.every(({ text, link }) => link >= MIN_LINK * text.length) && !isOfValues(slot)

/** True for a series that is likely to be content as a whole. */
const isLikely = (blocks: readonly Block[], probabilityOf: (block: Block) => number): boolean =>
  blocks.reduce((sum, block) => sum + Math.max(1, block.words) * probabilityOf(block), 0) >=
  MIN_LIKELY * wordsOf(blocks)

/** True for a text, or the amount of a price, that is in what a member says already. */
const isSaidIn = (said: string, text: string): boolean =>
  said.includes(text) || (saysPrice(text) && said.includes(/\d[\d.,]*/.exec(text)?.[0] ?? text))

const isOfValues = (slot: Slot): boolean =>
  slot.filter(({ text, inner }) => inner.name !== 'button' && (saysPrice(text) || saysDay(text))).length >=
  MIN_SHARE * slot.length

/** True for numbers with a unit that no link or button is around, such as the minutes of a recipe. */
const isOfMeasures = (slot: Slot): boolean =>
  distinctShare(slot) >= MIN_DISTINCT_NAMES &&
  slot.every(({ text, link, inner }) => link === 0 && inner.name !== 'button' && text.length <= MAX_MEASURE) &&
  slot.filter(({ text }) => MEASURE.test(text)).length >= MIN_SHARE * slot.length

/**
 * True for short texts most of which have words of their own, and no command.
 *
 * @param nameOf name of the member of a block, which is no word of its own: `Share this event: Blues on the Quay`
 */
function isOfWords(slot: Slot, nameOf: (block: Block) => string | undefined = () => undefined): boolean {
  if (slot.reduce((sum, { text }) => sum + text.length, 0) > MAX_PART * slot.length) return false
  if (slot.some((block) => block.inner.name === 'button' || isMenuLine(block) || isCommandLabel(block.text)))
    return false
  // An address that is written as a text, and whose picture it is.
  if (slot.every(({ text }) => text.startsWith('/')) || slot.some(({ text }) => text.startsWith('©'))) return false
  return distinctShareOf(slot, (block) => wordsIn(block, nameOf(block))) >= MIN_DISTINCT_NAMES
}

const wordsIn = ({ text }: Block, name = ''): string =>
  (name === '' ? text : text.replaceAll(name, '')).replace(/[^\p{L}]+/gu, ' ').trim()

const distinctShareOf = (slot: Slot, textOf: (block: Block) => string): number =>
  new Set(slot.map((block) => textOf(block))).size / slot.length

/** Returns the slots of a series; those with several blocks of each member are divided by their order. */
function partsOf({ slots }: Series, owners: ReadonlyMap<Block, Region>): Slot[] {
  return slots.flatMap((slot): Slot[] => {
    const ordered: Block[][] = []
    let owner: Region | undefined
    let nth = 0
    for (const block of slot) {
      nth = owners.get(block) === owner ? nth + 1 : 0
      owner = owners.get(block)
      ;(ordered[nth] ??= []).push(block)
    }
    return ordered.length > MAX_ORDERED ? [] : ordered
  })
}

/** Returns the member of each block of a series. */
function ownersOf({ members, blocks }: Series): ReadonlyMap<Block, Region> {
  const owners = new Map<Block, Region>()
  let at = 0
  for (const block of blocks) {
    let member = members[at]
    while (member !== undefined && !isWithin(block.region, member)) member = members[(at += 1)]
    if (member !== undefined) owners.set(block, member)
  }
  return owners
}

/** Creates a function that returns the member of a series of objects whose header or footer a region is in. */
export function createFinderOfEnds(read: TextBlocks): (region: Region) => Region | undefined {
  const members = new Set(
    findSeries(read)
      .all.filter(isOfObjects)
      .flatMap((series) => series.members),
  )
  return (region) => {
    let member: Region | undefined = region
    while (member !== undefined && !members.has(member)) member = member.parent
    return member !== undefined && frameIn(region, member) === 'end' ? member : undefined
  }
}

/** Tells how markup sets a region apart within its member: not at all, as a header or footer, or as something else. */
function frameIn(region: Region, member: Region | undefined): 'none' | 'end' | 'other' {
  let frame: 'none' | 'end' = 'none'
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    const kind = boilerplateKind(at.element)
    const isEnd = kind === 'header' || kind === 'footer'
    // A member may be an aside or a dialog as a whole.
    if (kind !== undefined && !isEnd && !(at === member && (kind === 'aside' || kind === 'dialog'))) return 'other'
    if (kind !== undefined) frame = 'end'
    if (at === member) break
  }
  return frame
}
