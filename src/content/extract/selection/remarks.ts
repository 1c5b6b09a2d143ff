import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSimilarityGroups } from '../measures/similarity-groups.js'
import { boilerplateByTag } from '../rules/boilerplate.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'
import { distinctShare, isSurelyNone, type ListSource, wordsOf } from './list-page.js'

/** Minimum remarks of a discussion. */
const MIN_REMARKS = 4
/** Minimum share of remarks with an author and a time. */
const MIN_SHARE = 0.7
/** Maximum length of the line with the author and the time. Characters. */
const MAX_BYLINE = 160
/** Maximum words of sentences before the remarks: a question, and no article with comments. */
const MAX_WORDS_BEFORE = 150
/** Minimum share of the remarks in the words from the first one on. */
const MIN_SHARE_OF_REST = 0.5

/** A time of day, a year, or how long ago something was: `3 hours ago`, `5d`. */
const TIME =
  /\d\s?(?:s|m|h|d|w|mo|y|sec|min|hour|hr|day|week|month|year)[a-z]{0,4}\b|\d{1,2}:\d{2}|\b(?:19|20)\d{2}\b|\bago\b/i

/**
 * Finds the remarks of a page that is a discussion: a series whose members each have an author, a time and a text. It is content as
 * a whole, however short each remark is, unless it follows an article.
 */
export function findRemarks({ read, probabilityOf, verdictOf }: ListSource): Block[] {
  const { blocks } = read
  // Each remark has a link to its author, or to itself.
  if (blocks.filter(({ link }) => link > 0).length < MIN_REMARKS) return []
  const linked = findSeries(read).all.filter(
    ({ members, blocks: own }) =>
      members.length >= MIN_REMARKS && own.filter(({ link }) => link > 0).length >= MIN_SHARE * members.length,
  )
  const nested = findNested(read)
  if (linked.length === 0 && nested.length === 0) return []
  const found: Block[] = []
  const wordsTo = new Float64Array(blocks.length + 1)
  const proseTo = new Float64Array(blocks.length + 1)
  for (const { at, words, isProse, region } of blocks) {
    wordsTo[at + 1] = (wordsTo[at] ?? 0) + words
    proseTo[at + 1] = (proseTo[at] ?? 0) + (isProse && verdictOf(region) !== -1 ? words : 0)
  }
  const isDiscussion = (remarks: readonly Block[]): boolean => {
    const [first] = remarks
    if (first === undefined) return false
    const rest = (wordsTo[blocks.length] ?? 0) - (wordsTo[first.at] ?? 0)
    if ((proseTo[first.at] ?? 0) > MAX_WORDS_BEFORE || wordsOf(remarks) < MIN_SHARE_OF_REST * rest) return false
    let at: Region | undefined = first.region.parent
    while (at !== undefined && boilerplateByTag(at.element) === undefined) at = at.parent
    return at === undefined
  }
  for (const series of linked) {
    if (!isOfRemarks(series) || !isDiscussion(series.blocks)) continue
    for (const slot of series.slots) if (isOfText(slot) && !isSurelyNone(slot, probabilityOf)) found.push(...slot)
  }
  if (isDiscussion(nested) && !isSurelyNone(nested, probabilityOf)) found.push(...nested)
  return found
}

/**
 * Finds the remarks that stand in each other, as answers do, so that they are no siblings: lines of one form with an author and a time,
 * each with a text of one form right after it.
 */
function findNested(read: TextBlocks): readonly Block[] {
  const { blocks } = read
  if (blocks.length < 2 * MIN_REMARKS) return []
  const groups = findSimilarityGroups(read)
  const formOf = (block: Block | undefined): number => (block && groups[block.at]?.short) ?? 0
  const byForms = new Map<string, Block[]>()
  for (const byline of blocks) {
    const text = blocks[byline.at + 1]
    if (text === undefined || !isByline(byline) || text.link > text.text.length / 2) continue
    const forms = `${formOf(byline)} ${formOf(text)}`
    const others = byForms.get(forms)
    if (others === undefined) byForms.set(forms, [byline])
    else others.push(byline)
  }
  const bylines = [...byForms.values()].reduce((most, one) => (one.length > most.length ? one : most), [])
  const depths = new Set(bylines.map(({ region }) => region.depth))
  if (bylines.length < MIN_REMARKS || depths.size < MIN_DEPTHS) return []
  return bylines.flatMap((byline) => {
    const remark = [byline]
    const form = formOf(blocks[byline.at + 1])
    for (let at = byline.at + 1; blocks[at] !== undefined && formOf(blocks[at]) === form; at += 1)
      remark.push(...blocks.slice(at, at + 1))
    return remark
  })
}

/** Minimum different depths of remarks that stand in each other. */
const MIN_DEPTHS = 2

function isOfRemarks({ members, slots }: Series): boolean {
  const least = Math.max(MIN_REMARKS, MIN_SHARE * members.length)
  if (members.length < least) return false
  const bylines = slots.find((slot) => slot.filter(isByline).length >= least)
  return (
    bylines !== undefined &&
    slots.some((slot) => slot !== bylines && slot.length >= least && distinctShare(slot) >= MIN_SHARE)
  )
}

/** True for the texts of remarks and the lines above them, and not for what else stands beside them, such as the rank of an author. */
const isOfText = (slot: Slot): boolean =>
  distinctShare(slot) >= MIN_SHARE &&
  (slot.filter(isByline).length >= MIN_SHARE * slot.length ||
    slot.reduce((sum, { text, link }) => sum + text.length - 2 * link, 0) >= MIN_TEXT * slot.length)

/** Minimum length of a remark, in the mean, and without twice what is links. Characters. */
const MIN_TEXT = 15

const isByline = ({ text, link }: Block): boolean => text.length <= MAX_BYLINE && link > 0 && TIME.test(text)
