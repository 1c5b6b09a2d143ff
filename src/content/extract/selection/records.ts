import { type Element, isElement, isHeading, type ParentNode } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSimilarityGroups } from '../measures/similarity-groups.js'
import { findSeries, type Series, type Slot } from '../measures/series.js'
import { isFileAddress, saysDay } from './find-event.js'
import { distinctShare, isFramed, isOfPrices, isSurelyNone, type ListSource, wordsOf } from './list-page.js'

/** Minimum records of a list, and minimum share of them with a link and with a date or number. */
const MIN_RECORDS = 3
const MIN_SHARE = 0.7
/** Maximum words of sentences in the content before the list: an introduction, and no article with a list of others below it. */
const MAX_WORDS_BEFORE = 150
/** Minimum share of the list in the words of what the markup rules take for content, unless it is longer than all that is kept. */
const MIN_SHARE_OF_PAGE = 0.1
/** Minimum mean probability of the list. */
const MIN_MEAN = 0.1
/** Maximum length of the mean record. A longer one is a part of a text. Characters. */
const MAX_LENGTH = 600
/** Maximum share of the list in the content for it to be lost. */
const MAX_KEPT = 0.5

/** Maximum length of a line that dates or numbers the entry below it, in all and of its letters without those of months. Characters. */
const MAX_HEAD = 60
const MAX_OTHER_LETTERS = 20
const MIN_HEADS = 3
/** Maximum length of the lines that are compared with each other. Characters. */
const MAX_LINE = 120
/** Maximum blocks from such a line to its entry. */
const MAX_DISTANCE = 2

/**
 * Finds the list of records that a page is for: decisions of a court, meetings, papers, results of a search. Each has a date or a number
 * by which it is looked up, and leads to its text. It needs neither pictures nor prices.
 */
export function findRecords(source: ListSource, kept: ReadonlySet<Block>): Block[] {
  const { read, kind, probabilityOf, verdictOf } = source
  const { blocks, body } = read
  const linked = findSeries(read).all.filter(
    ({ members, blocks: own }) =>
      members.length >= MIN_RECORDS &&
      own.filter(({ link }) => link > 0).length >= MIN_SHARE * members.length &&
      own.filter((block) => kept.has(block)).length <= MAX_KEPT * own.length &&
      // Menus are surely none.
      !isSurelyNone(own, probabilityOf, MIN_MEAN),
  )
  if (linked.length === 0) return []
  const title = blocks.findIndex(
    ({ region: { element, parent } }) => element.name === 'h1' || parent?.element.name === 'h1',
  )
  const accepted = wordsOf(blocks.filter(({ region }) => verdictOf(region) === 1))
  const ofContent = wordsOf([...kept])
  return linked.flatMap((series) => {
    const { blocks: own, members, slots } = series
    const [first] = own
    const around = members[0]?.parent
    if (first === undefined || around === undefined || first.at < title) return []
    const words = wordsOf(own)
    if ((words < MIN_SHARE_OF_PAGE * accepted && words <= ofContent) || !isOfRecords(series)) return []
    if (own.some(({ region }) => verdictOf(region) === -1) || isFramed(around, body.text)) return []
    // An article may have a list of others below it.
    const texts = (kind === 'article' ? blocks : blocks.slice(0, first.at)).filter(
      (block) => block.isProse && kept.has(block),
    )
    return wordsOf(texts) > MAX_WORDS_BEFORE ? [] : slots.filter(isOfText).flat()
  })
}

/** True for a series most of whose members have a link, and a date or a number that tells them apart, and no picture or price. */
function isOfRecords(series: Series): boolean {
  const { members, blocks, slots } = series
  if (hasPictures(series)) return false
  if (slots.some((slot) => slot.length >= MIN_SHARE * members.length && isOfPrices(slot))) return false
  let records = 0
  let length = 0
  let next = 0
  for (const { start, text } of members) {
    let hasLink = false
    let isDated = false
    for (let block = blocks[next]; block !== undefined && block.start < start + text; block = blocks[(next += 1)]) {
      if (block.link > 0) hasLink = true
      isDated ||= isDateOrNumber(block.text)
      length += block.text.length
    }
    if (hasLink && isDated) records += 1
  }
  return records >= MIN_SHARE * members.length && length <= MAX_LENGTH * members.length
}

/** True for a slot that says something of the members. The links and buttons of all, such as `Download`, have one text. */
const isOfText = (slot: Slot): boolean =>
  distinctShare(slot) > 1 / slot.length ||
  slot.some(({ text, link, inner }) => link < text.length && inner.name !== 'button')

/** True for a line with a date, or with the number of a case, paper or part, such as `2025-MO-045`. */
const isDateOrNumber = (text: string): boolean =>
  /\d/.test(text) && (text.slice(0, MAX_LENGTH).split(' ').some(isNumber) || saysDay(text))

const isNumber = (word: string): boolean =>
  /^[A-Z\d-]{5,25}[,;:.)]?$/.test(word) && /[A-Z-]/.test(word) && (word.match(/\d/g)?.length ?? 0) >= 3

/**
 * Finds the lines that date or number the entries below them, all of which are in the content: the days of a list of decisions, the
 * numbers above their summaries. Without it, an entry does not say which it is. On a card, its picture and title do.
 */
export function findEntryHeads({ read, verdictOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  const { blocks } = read
  const isHead = new Set(blocks.filter(({ text }) => isEntryHead(text)))
  if ([...isHead].every((block) => kept.has(block))) return []
  const entryOf = ({ at }: Block): Block | undefined => {
    for (let nth = at + 1; nth <= at + MAX_DISTANCE; nth += 1) {
      const next = blocks[nth]
      if (next === undefined || kept.has(next)) return next
      if (!isHead.has(next)) return undefined
    }
    return undefined
  }
  const isOnCard = createCardTest(read)
  return [...linesByForm(read).values()].flatMap((alike) => {
    const heads = alike.filter((block) => isHead.has(block))
    const above = heads.filter((block) => entryOf(block) !== undefined)
    // A byline has a date as well, but mostly more.
    if (
      above.length < MIN_SHARE * heads.length ||
      (heads.length < MIN_SHARE * alike.length && !heads.every(isHeadingLine))
    )
      return []
    if (heads.length < MIN_HEADS && !heads.every(isHeadingLine)) return []
    return above.filter((block) => {
      const entry = entryOf(block)
      const isAccepted = entry !== undefined && verdictOf(block.region) >= verdictOf(entry.region)
      return !kept.has(block) && isAccepted && !isOnCard(block)
    })
  })
}

/** Groups the short lines of a page by their form. */
function linesByForm(read: TextBlocks): ReadonlyMap<number, readonly Block[]> {
  const groups = findSimilarityGroups(read)
  const lines = new Map<number, Block[]>()
  for (const block of read.blocks) {
    if (block.text.length > MAX_LINE) continue
    const form = groups[block.at]?.long ?? 0
    const others = lines.get(form)
    if (others === undefined) lines.set(form, [block])
    else others.push(block)
  }
  return lines
}

/** Returns a test for the lines of cards with a picture each. */
function createCardTest(read: TextBlocks): (block: Block) => boolean {
  const { ofBlocks } = findSeries(read)
  const known = new Map<Series, boolean>()
  return ({ at }) => {
    const series = ofBlocks[at]
    if (series === undefined) return false
    let isOfCards = known.get(series)
    if (isOfCards === undefined) known.set(series, (isOfCards = hasPictures(series)))
    return isOfCards
  }
}

const hasPictures = ({ members }: Series): boolean =>
  members.length >= MIN_RECORDS && members.filter(({ images }) => images > 0).length >= MIN_SHARE * members.length

const isEntryHead = (text: string): boolean => text.length <= MAX_HEAD && isDateOrNumber(text) && isLittleElse(text)

const isLittleElse = (text: string): boolean =>
  text
    .split(' ')
    .filter((word) => !isNumber(word))
    .join('')
    .replaceAll(/[^\p{L}]/gu, '').length <= MAX_OTHER_LETTERS

const isHeadingLine = ({ region: { element, parent } }: Block): boolean =>
  isHeading(element) || (parent !== undefined && isHeading(parent.element))

/** Minimum dates of a list, and minimum share of them in the content and mean probability for the rest to be kept as well. */
const MIN_DATES = 3
const MIN_DATED_SHARE = 0.25

/** Finds the other lines of a list of dates, some of which are in the content. A calendar with some of its days missing is wrong. */
export function findOtherDates({ read, probabilityOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  const isOnCard = createCardTest(read)
  return [...linesByForm(read).values()].flatMap((lines) => {
    if (lines.length < MIN_DATES || lines.every((block) => kept.has(block))) return []
    const list = lines.filter(({ text }) => saysDay(text))
    const left = list.filter((block) => !kept.has(block) && !isOnCard(block))
    const isPart = left.length > 0 && left.length <= (1 - MIN_DATED_SHARE) * list.length
    return isPart && list.length >= MIN_DATES && !isSurelyNone(left, probabilityOf, MIN_MEAN) ? left : []
  })
}

/** Minimum links to files of a list of papers. */
const MIN_PAPERS = 3
const MIN_PAPER_LINK = 0.8

/**
 * Finds the lists of papers, such as agendas and minutes: lines whose links all lead to files. What a site has in menus are pages. The
 * heading right above such a list is found with it.
 */
export function findPapers({ read, verdictOf }: ListSource): Block[] {
  const { blocks, body } = read
  const lists = new Map<Region | undefined, { papers: number; readonly lines: Block[] }>()
  for (const block of blocks) {
    const papers = block.link >= MIN_PAPER_LINK * block.text.length ? countPapers(block) : 0
    if (papers === 0) continue
    const { region } = block
    const around = region.element.name === 'li' || region.element.name === 'p' ? region.parent : region
    const list = lists.get(around) ?? { papers: 0, lines: [] }
    lists.set(around, list)
    list.papers += papers
    list.lines.push(block)
  }
  return [...lists].flatMap(([around, { papers, lines }]) => {
    if (papers < MIN_PAPERS || around === undefined || isFramed(around, body.text)) return []
    const above = blocks[(lines[0]?.at ?? 0) - 1]
    const isAbove = above !== undefined && isHeadingLine(above) && verdictOf(above.region) !== -1
    return isAbove ? [above, ...lines] : lines
  })
}

/** Counts the links of a line that lead to files; 0 if one leads elsewhere. */
function countPapers({ nodes }: Block): number {
  const links = new Set(nodes.map(({ parent }) => linkAround(parent)).filter((link) => link !== undefined))
  return [...links].every(({ attribs }) => isFileAddress(attribs['href'])) ? links.size : 0
}

/** Maximum elements from a text out to its link. */
const MAX_LEVELS = 4

function linkAround(node: ParentNode | null): Element | undefined {
  let at = node
  for (let level = 0; level < MAX_LEVELS && at !== null && isElement(at); level += 1, at = at.parent)
    if (at.name === 'a') return at
  return undefined
}

/** Finds the dates of posts, each right above a text that is kept. */
export function findPostDates({ read: { blocks }, verdictOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  return blocks.filter((block) => {
    const next = blocks[block.at + 1]
    return next !== undefined && kept.has(next) && verdictOf(block.region) !== -1 && block.inner.name === 'time'
  })
}
