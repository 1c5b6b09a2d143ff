import { isSameHost, parseUrl } from '../../../base/url.js'
import { type ChildNode, isElement, isHeading, type ParentNode } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { isPrice } from '../measures/page-features.js'
import { isBoilerplate, isInMain } from '../rules/frame.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'

/** Minimum members of the list that a page is for. A row of related products has fewer. */
const MIN_MEMBERS = 6
/** Minimum share of members with a picture, a heading or a price. */
const MIN_SHARE = 0.7
/** Maximum words of sentences before the list: a description of a category, and no article. */
const MAX_WORDS_BEFORE = 60
/** The same for a list with no heading of its own below the title of the page. */
const MAX_WORDS_UNDER_TITLE = 150
/** Minimum share of the list in the words of what the markup rules take for content. */
const MIN_SHARE_OF_PAGE = 0.25
const MIN_SHARE_UNDER_TITLE = 0.1
const MIN_WORDS = 12
/** Maximum elements from a text out to the link around it. */
const MAX_LEVELS = 10
/** Mean probability below which blocks are surely no content. */
const MIN_SURE = 0.05
/** Minimum mean probability of the titles or prices. */
const MIN_MEAN = 0.08
/** Maximum share of the titles and prices in the content for the list to be lost, and the same where cards say nothing else. */
const MAX_KEPT = 0.15
const MAX_KEPT_TITLES = 0.5
/** Minimum share of different texts in a slot. Those of commands, such as `Add to cart`, are all the same. */
const MIN_DISTINCT_SHARE = 0.6
/** Maximum blocks of a slot for each member, and minimum share of links in a title that is no heading. */
const MAX_PER_MEMBER = 1.5
const MIN_TITLE_LINK = 0.9
/** Minimum share of the link in a line such as `Miller<br>Leeds`. */
const MIN_LINK = 0.5
/** Maximum length of a line that is a price. A longer one says something about prices. Characters. */
const MAX_PRICE_LENGTH = 30

/** A page whose list is looked for. */
export interface ListSource {
  readonly read: TextBlocks
  readonly url: string
  readonly kind: ContentKind
  readonly probabilityOf: (block: Block) => number
  readonly verdictOf: (region: Region) => number
}

/**
 * Finds the list that a page is for: the products of a category, the posts of a blog, the results of a search. It stands at the
 * beginning of what the markup rules take for content, before any text, and is content whatever stands around it.
 *
 * @returns the titles and prices of its members
 */
export function findPageList({ read, url, probabilityOf, verdictOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  const { blocks, body } = read
  const series = findSeries(read).all.filter(
    ({ members, blocks: own }) =>
      members.length >= MIN_MEMBERS && own.filter(({ link }) => link > 0).length >= MIN_SHARE * members.length,
  )
  const lines = blocks.filter(({ region, nodes }) => region.images >= MIN_MEMBERS && nodes.length >= MIN_MEMBERS)
  if (series.length + lines.length === 0) return []
  const isAccepted = ({ region }: Block): boolean => verdictOf(region) === 1
  const ofPage = wordsOf(blocks.filter(isAccepted))
  const title = blocks.findIndex(({ region }) => headingOf(region) === 'h1')
  // Up to each block after the title: words of sentences, and headings.
  const proseTo = new Float64Array(blocks.length + 1)
  const headingsTo = new Int32Array(blocks.length + 1)
  for (const block of blocks) {
    const counts = block.at > title && isAccepted(block)
    proseTo[block.at + 1] = (proseTo[block.at] ?? 0) + (counts && block.isProse ? block.words : 0)
    headingsTo[block.at + 1] = (headingsTo[block.at] ?? 0) + (counts && headingOf(block.region) !== undefined ? 1 : 0)
  }
  // Neither text nor heading stands between the title and such a block, which is in the main part of the page.
  const isFirst = ({ at, region }: Block): boolean =>
    title !== -1 && (proseTo[at] ?? 0) === 0 && (headingsTo[at] ?? 0) === 0 && isInMain(region)
  // Cards with prices are no stories of others, whatever the model makes of their elements.
  const isOfShop = (first: Block | undefined, telling: readonly Slot[]): boolean =>
    first !== undefined && isFirst(first) && telling.some(isOfPrices)
  const isPageList = ({ blocks: own, telling, around, isPlain = false }: Candidate): boolean => {
    const [first] = own
    const words = wordsOf(own)
    if (first === undefined || first.at < title || words < MIN_WORDS) return false
    if (isPlain && !isFirst(first)) return false
    if (isSurelyNone(own, probabilityOf, MIN_MEAN) && !isOfShop(first, telling)) return false
    // Without a title, what comes first may be a menu.
    if (title === -1 && !isAccepted(first)) return false
    const prose = proseTo[first.at] ?? 0
    const isUnderTitle = title !== -1 && headingsTo[first.at] === 0
    if (words < (isUnderTitle ? MIN_SHARE_UNDER_TITLE : MIN_SHARE_OF_PAGE) * ofPage) return false
    return (
      prose <= (isUnderTitle ? MAX_WORDS_UNDER_TITLE : MAX_WORDS_BEFORE) &&
      !isFramed(around, body.text) &&
      isOfSite(telling.flat(), url)
    )
  }
  const isLost = (slot: Slot, most: number): boolean =>
    slot.filter((block) => kept.has(block)).length < most * slot.length
  const lostOf = ({ blocks: own, telling }: Candidate): readonly Slot[] => {
    const all = telling.flat()
    const isSure = isOfShop(own[0], telling)
    const lost = isLost(all, all.length === own.length ? MAX_KEPT_TITLES : MAX_KEPT)
      ? telling
      : pricesOf(telling).filter((slot) => isLost(slot, MAX_KEPT))
    return lost.filter((slot) => isSure || !isSurelyNone(slot, probabilityOf, MIN_MEAN))
  }
  return [...series.flatMap(readCards), ...lines.flatMap(readTiles)].filter(isPageList).flatMap(lostOf).flat()
}

/** True for blocks that the model is sure are no content: whose mean probability is below `least`. */
export function isSurelyNone(
  blocks: readonly Block[],
  probabilityOf: (block: Block) => number,
  least = MIN_SURE,
): boolean {
  return blocks.reduce((sum, block) => sum + probabilityOf(block), 0) < least * blocks.length
}

/** A part that may be the list of a page. */
interface Candidate {
  /** It has links alone, and counts where it comes first. */
  readonly isPlain?: boolean
  readonly blocks: readonly Block[]
  readonly telling: readonly Slot[]
  readonly around: Region
}

function readCards(series: Series): Candidate[] {
  const { members, blocks, slots } = series
  const around = members[0]?.parent
  if (around === undefined) return []
  if (isOfCards(series)) return [{ blocks, telling: slots.filter((slot) => isTelling(slot, series)), around }]
  const links = linksOf(series)
  return links.length > 0 ? [{ blocks, telling: links, around, isPlain: true }] : []
}

/** Reads a line that is a grid of cards, each one link around a picture and a text, which only its style sets apart. */
function readTiles(block: Block): Candidate[] {
  const { region } = block
  const links = region.element.children.filter((child) => isElement(child) && child.name === 'a')
  const tiles = links.filter(
    (link) => isElement(link) && link.children.some((child) => isElement(child) && child.name === 'img'),
  )
  const isGrid = tiles.length >= MIN_MEMBERS && tiles.length >= MIN_SHARE * links.length
  return isGrid ? [{ blocks: [block], telling: [[block]], around: region }] : []
}

/** True for cards that lead to pages of the site. Those that lead to another one are its posts, embedded. */
function isOfSite(telling: readonly Block[], url: string): boolean {
  const site = parseUrl(url)
  const links = telling.flatMap(({ nodes: [first] }) => targetOf(first, url) ?? [])
  return site === undefined || links.filter((link) => isSameHost(link, site)).length >= links.length / 2
}

/** Returns where the link around a node leads. */
function targetOf(node: ChildNode | undefined, url: string): URL | undefined {
  let at: ParentNode | ChildNode | null | undefined = node
  for (let left = MAX_LEVELS; left > 0 && at; left -= 1, at = at.parent)
    if (isElement(at) && at.name === 'a') return parseUrl(at.attribs['href'] ?? '', url)
  return undefined
}

export const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + words, 0)

/** Returns the name of the heading that a region is or stands in. */
function headingOf({ element, parent }: Region): string | undefined {
  if (isHeading(element)) return element.name
  return parent !== undefined && isHeading(parent.element) ? parent.element.name : undefined
}

/** True for a region in what the markup declares boilerplate. @param text characters of the page */
export function isFramed(region: Region, text: number): boolean {
  let at: Region | undefined = region
  while (at !== undefined && !isBoilerplate(at.element, at.text / text)) at = at.parent
  return at !== undefined
}

/** True for a series most of whose members have a picture, a heading or a price, and lead to different pages. */
function isOfCards({ members, slots }: Series): boolean {
  const share = (test: (member: Region) => boolean): number => members.filter(test).length / members.length
  const hasPrices = slots.some((slot) => slot.length >= MIN_SHARE * members.length && isOfPrices(slot))
  if (!hasPrices && share(({ images }) => images > 0) < MIN_SHARE && share(({ headings }) => headings > 0) < MIN_SHARE)
    return false
  return slots.some(
    (slot) =>
      slot.length >= MIN_SHARE * members.length &&
      distinctShare(slot) >= MIN_SHARE &&
      slot.some(({ link }) => link > 0),
  )
}

/** The links of members that are little else, such as the pages of a category or the openings of an employer: one for each. */
const linksOf = ({ members, slots }: Series): readonly Slot[] =>
  slots.filter(
    (slot) =>
      slot.length >= MIN_SHARE * members.length &&
      slot.length <= members.length &&
      distinctShare(slot) >= MIN_SHARE &&
      slot.filter(({ link, text }) => link >= MIN_LINK * text.length).length >= MIN_SHARE * members.length,
  )

/**
 * Returns a test for the titles of cards, each of which leads to a page. A title that most cards of a series have in the content needs no
 * text below it.
 */
export function findTitlesOfCards(read: TextBlocks, kept: ReadonlySet<Block>): (title: Block) => boolean {
  const { ofBlocks, slotOf } = findSeries(read)
  const known = new Map<Slot, boolean>()
  return ({ at, link, text }) => {
    const series = ofBlocks[at]
    const slot = slotOf[at]
    if (series === undefined || slot === undefined || link < MIN_TITLE_LINK * text.length) return false
    let isTitle = known.get(slot)
    if (isTitle === undefined) {
      const inContent = slot.filter((block) => kept.has(block)).length
      isTitle =
        slot.length >= MIN_SHARE * series.members.length && inContent >= MIN_SHARE * slot.length && isOfCards(series)
      known.set(slot, isTitle)
    }
    return isTitle
  }
}

/** True for the titles or the prices of most members. */
export function isTelling(slot: Slot, { members }: Series): boolean {
  if (slot.length < MIN_SHARE * members.length || slot.length > MAX_PER_MEMBER * members.length) return false
  if (isOfPrices(slot)) return true
  const isTitle = ({ region, link, text }: Block): boolean =>
    headingOf(region) !== undefined || link >= MIN_TITLE_LINK * text.length
  return distinctShare(slot) >= MIN_DISTINCT_SHARE && slot.filter(isTitle).length >= MIN_SHARE * slot.length
}

/** The prices of the members: the first slot of them, for shops write a price for each of those who may see it. */
const pricesOf = (slots: readonly Slot[]): readonly Slot[] =>
  slots.filter((slot) => isOfPrices(slot) && slot.every(({ text }) => text.length <= MAX_PRICE_LENGTH)).slice(0, 1)

export const isOfPrices = (slot: Slot): boolean =>
  slot.filter(({ text }) => isPrice(text)).length >= MIN_SHARE * slot.length

/** Returns the share of different texts in a slot, 0 to 1. */
export const distinctShare = (slot: Slot): number => new Set(slot.map(({ text }) => text)).size / slot.length
