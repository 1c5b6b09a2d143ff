import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { isPrice } from '../measures/page-features.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'
import { distinctShare, headingOf, wordsOf } from '../selection/list-page.js'
import { RELATED } from '../selection/next-story.js'

/** Minimum members of a series, and minimum blocks of a member, in the mean: lines of one text each are menus, tags or paragraphs. */
const MIN_MEMBERS = 3
const MIN_MEMBER_BLOCKS = 1.5
/** Maximum blocks before a series that may say that it leads to other texts. */
const MAX_LEAD_IN = 3

/** Minimum share of members with a text in the content for the series to be in it, and maximum share for it to be out of it. */
const MIN_KEPT_MEMBERS = 0.7
const MAX_KEPT_MEMBERS = 0.34
/** Maximum words of a member in the mean: parts of longer ones are no details of a thing. */
const MAX_MEMBER_WORDS = 100
/** Minimum and maximum texts at one place for each member, and minimum share of different ones: those of commands are the same. */
const MIN_OF_MEMBER = 0.7
const MAX_OF_MEMBER = 2.2
const MIN_DISTINCT = 0.7
/** Maximum share of the texts at one place in the content for these to be lost, and that of those which other texts say. */
const MAX_KEPT = 0.5
/** Minimum words of what each member lacks, relative to the series: the name of who wrote a review is a smaller part. */
const MIN_LOST_WORDS = 0.2
/** Maximum share of links in what members lack, and are no headings. */
const MAX_LINKS = 0.5

/** Minimum words of a series that was left out, relative to the content, and minimum share of different texts in it. */
const MIN_SHARE_OF_CONTENT = 0.15
const MIN_DISTINCT_LINES = 0.6
/** Maximum share of its texts that the content says elsewhere. */
const MAX_SAID = 0.3
/** Maximum share of links in it, and in one without pictures or prices: that of menus is higher. */
const MAX_LINKS_OF_CARDS = 0.9
const MAX_LINKS_OF_LINES = 0.8

/** A series of things a page shows, such as its products or posts, that the content lacks or has in part. */
export interface LostSeries {
  readonly members: number
  /** Its first text that was left out. */
  readonly start: string
  /** True if its members are in the content, without a part of each. */
  readonly isTorn: boolean
}

/**
 * Finds a small series of several lines each, with texts of its own, that a page which is no article has before any text, or that is in the
 * content without the names, or the like, of its members. Menus, related stories and what the markup declares boilerplate are none.
 */
export function findLostSeries(
  read: TextBlocks,
  kept: readonly Block[],
  isFramed: (region: Region) => boolean,
): LostSeries | undefined {
  const { blocks } = read
  const isKept = new Set(kept)
  const said = new Set(kept.map(({ text }) => text))
  const title = blocks.findIndex(({ region }) => headingOf(region) === 'h1')
  const begun = kept.find(({ at, isProse, region }) => at > title && (isProse || headingOf(region) !== undefined))
  const words = wordsOf(kept)
  for (const series of findSeries(read).all) {
    const { members, blocks: own } = series
    const [first] = own
    if (first === undefined || members.length < MIN_MEMBERS || own.length < MIN_MEMBER_BLOCKS * members.length) continue
    const lost = own.filter((block) => !isKept.has(block))
    if (lost.length === 0 || 2 * members.filter(isFramed).length >= members.length) continue
    if (blocks.slice(Math.max(0, first.at - MAX_LEAD_IN), first.at).some(({ text }) => RELATED.test(text))) continue
    const inContent = countMembers(series, isKept) / members.length
    const isFirst = first.at > title && (begun === undefined || begun.at >= first.at)
    if (inContent <= MAX_KEPT_MEMBERS) {
      if (isFirst && wordsOf(lost) >= MIN_SHARE_OF_CONTENT * words && isOwn(series, lost, said))
        return { members: members.length, start: lost[0]?.text ?? '', isTorn: false }
    } else if (inContent >= MIN_KEPT_MEMBERS && wordsOf(own) <= MAX_MEMBER_WORDS * members.length) {
      const torn = series.slots.filter((slot) => isLostSlot(slot, series, isKept, said))
      if (torn.reduce((sum, slot) => sum + wordsOf(slot), 0) >= MIN_LOST_WORDS * wordsOf(own))
        return { members: members.length, start: torn[0]?.[0]?.text ?? '', isTorn: true }
    }
  }
  return undefined
}

/** Counts the members of a series of which a text is in the content. */
function countMembers({ members, blocks }: Series, kept: ReadonlySet<Block>): number {
  const open = new Set(members)
  for (const block of blocks) {
    if (!kept.has(block)) continue
    for (let at: Region | undefined = block.region; at !== undefined; at = at.parent) if (open.delete(at)) break
  }
  return members.length - open.size
}

/** True for lost blocks that say something of their own: things with pictures or prices, or lines of which a part leads nowhere. */
function isOwn({ members, blocks }: Series, lost: readonly Block[], said: ReadonlySet<string>): boolean {
  if (lost.filter(({ text }) => said.has(text)).length > MAX_SAID * lost.length) return false
  if (distinctShare(lost) < MIN_DISTINCT_LINES) return false
  const links = linkShare(blocks)
  if (links < MAX_LINKS_OF_LINES) return true
  const areCards = members.filter(({ images }) => images > 0).length >= MIN_OF_MEMBER * members.length
  return links < MAX_LINKS_OF_CARDS && (areCards || lost.some(({ text }) => isPrice(text)))
}

/** True for texts of their own at one place of most members, hardly any of which are in the content. */
function isLostSlot(slot: Slot, { members }: Series, kept: ReadonlySet<Block>, said: ReadonlySet<string>): boolean {
  if (slot.length < MIN_OF_MEMBER * members.length || slot.length > MAX_OF_MEMBER * members.length) return false
  if (slot.some(({ inner }) => inner.name === 'button') || distinctShare(slot) < MIN_DISTINCT) return false
  const most = MAX_KEPT * slot.length
  if (slot.filter((block) => kept.has(block)).length > most || slot.filter(({ text }) => said.has(text)).length > most)
    return false
  return linkShare(slot) < MAX_LINKS || slot.some(({ region }) => headingOf(region) !== undefined)
}

function linkShare(blocks: readonly Block[]): number {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  return blocks.reduce((sum, { link }) => sum + link, 0) / Math.max(1, all)
}
