import { isHeading } from '../../html/tree.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { kindOf } from '../measures/element-kinds.js'
import { findMembers } from '../measures/members.js'
import { saysPrice } from './find-price.js'
import { distinctShare, isFramed, isSurelyNone, type ListSource, wordsOf } from './list-page.js'

/** Minimum entries of a list, and minimum share of them with a name and a second text. */
const MIN_MEMBERS = 3
const MIN_SHARE = 0.7
/** Minimum share of different names. */
const MIN_DISTINCT_NAMES = 0.7
/** The same share of names that are prices as well, without their amounts. */
const MIN_DISTINCT_WORDS = 0.9
/** Maximum length of a name, and of an entry in the mean. Longer ones are parts of a text. Characters. */
const MAX_NAME = 120
const MAX_LENGTH = 500
/** Maximum short texts of an entry before its name: a brand, a button, a label. */
const MAX_BEFORE_NAME = 4
/** Minimum names in a list relative to that around it, of which it is the better reading. */
const MIN_MORE = 2
/** Minimum blocks of a list without prices relative to those of that around it, whose members are its rows. */
const MIN_SAME = 0.8
/** Maximum words of sentences between the title and the list: an introduction, and no article with an advertisement. */
const MAX_WORDS_BEFORE = 200
/** Minimum mean probability of the names, and of the other texts. */
const MIN_MEAN = 0.06
/** Share of the names, or of the other texts, in the content from which on the model has read that half of the list, and only the rest is lost. */
const MAX_KEPT_SHARE = 0.5
/** Minimum texts that a list lacks per entry, for a half of it to be lost. With fewer, only entries of which a part is kept are completed. */
const MIN_LOST_SHARE = 0.5
/** Minimum share of the prices of a page in such a list: one beside a larger list is not what the page is for. */
const MIN_PRICES = 0.5
/** Maximum texts at one place of an entry, in the mean. */
const MAX_OF_ENTRY = 1.5
/** Minimum probability of what such a list lacks. */
const MIN_LOST = 0.05
/** Minimum words of a list without prices relative to those of what the markup rules take for content. */
const MIN_SHARE_OF_PAGE = 0.1
/** Minimum blocks of an entry without a price, in the mean. */
const MIN_MEMBER_BLOCKS = 1.7
/** Maximum blocks of a term with its definition. */
const MAX_DEFINITION_BLOCKS = 40
/** Minimum length of the words beside a link. Characters. */
const MIN_REMARK = 3
/** Minimum share of links in a name that leads to its page. */
const MIN_LINK = 0.9
/** Amount of a list whose prices all leave out the currency, as on a menu. */
const BARE_AMOUNT = /^\D{0,3}\d{1,3}(?:[., ]?\d{3})*[.,]\d{2}\D{0,3}$/

/** One of them that has a name. */
interface Entry {
  /** Its blocks, but for those that are the same for all. */
  readonly blocks: readonly Block[]
  readonly name: Block
  readonly prices: readonly Block[]
}

/** Things of one kind, each with a name and a price or another text of its own. */
interface Entries {
  /** Blocks of all members, in document order. */
  readonly blocks: readonly Block[]
  readonly names: readonly Block[]
  readonly entries: readonly Entry[]
  /** The prices; without prices, what else is not the same for all. */
  readonly others: readonly Block[]
  readonly isPriced: boolean
  readonly around: Region
}

/**
 * Finds the list of entries that a page is for, whatever text stands around it: siblings or cousins of one kind that have a name and a price
 * each, or that stand below the title and have a name and another text, in any markup. What stands beside a product, or below an article,
 * follows a price, a heading or a text.
 *
 * @returns the names, and the prices or other texts
 */
export function findEntries({ read, verdictOf, probabilityOf }: ListSource, kept: ReadonlySet<Block>): Block[] {
  const { blocks, body } = read
  const begin = findBeginning(read)
  const isLeft = (block: Block): boolean => block.at >= begin && !kept.has(block) && verdictOf(block.region) !== -1
  if (blocks.filter(isLeft).length < MIN_MEMBERS) return []
  const all = readLists(read)
    .filter(({ blocks: [first] }) => first !== undefined && first.at >= begin)
    .map((list) => addLead(list, read, begin))
  if (all.length === 0) return []
  // The links of a wide menu have texts beside them, too.
  const lists = all.some(({ isPriced }) => isPriced) ? all.filter(({ isPriced }) => isPriced) : all
  const listed = new Set(lists.flatMap((list) => list.blocks))
  const before = blocks.filter((block) => block.at >= begin && !listed.has(block))
  const price = before.find(({ region, text }) => verdictOf(region) === 1 && saysPrice(text))?.at ?? blocks.length
  const heading =
    begin === -1
      ? 0
      : (blocks.find(({ at, region }) => at >= begin && verdictOf(region) === 1 && isInHeading(region))?.at ??
        blocks.length)
  // Up to each block: the words of sentences between the title and the lists.
  const proseTo = new Float64Array(blocks.length + 1)
  const isBefore = new Set(before)
  for (const block of blocks)
    proseTo[block.at + 1] = (proseTo[block.at] ?? 0) + (block.isProse && isBefore.has(block) ? block.words : 0)
  const accepted = wordsOf(blocks.filter(({ region }) => verdictOf(region) === 1))
  const keptTexts = new Set([...kept].map(({ text }) => text))
  const prices = blocks.filter(({ text }) => saysPrice(text)).length
  const isKnown = (part: readonly Block[]): boolean => shareOf(part, (block) => kept.has(block)) >= MAX_KEPT_SHARE
  return lists.flatMap((list) => {
    const { names, others, entries, around, isPriced, blocks: own } = list
    const [head] = own
    const start = head?.at ?? 0
    if (begin === -1 && head !== undefined && verdictOf(head.region) !== 1) return []
    if (isPriced ? price < start : heading < start || wordsOf(own) < MIN_SHARE_OF_PAGE * accepted) return []
    if ((proseTo[start] ?? 0) > MAX_WORDS_BEFORE) return []
    const parts = [names, others].filter(({ length }) => length > 0)
    if (parts.some((part) => isSurelyNone(part, probabilityOf, MIN_MEAN))) return []
    if (isFramed(around, body.text)) return []
    if (!isKnown(names) && !isKnown(others)) {
      const isCopy = shareOf(names, ({ text }) => keptTexts.has(text)) >= MAX_KEPT_SHARE
      return isCopy ? [] : [...parts.flat(), ...findTellingTexts(list)]
    }
    // What the page is for comes first: a list below another heading is left as it is.
    if (heading < start || (!isPriced && !isKnown(others))) return []
    if (isPriced && others.length < MIN_PRICES * prices) return []
    const lost = findLostOf(list, kept).filter((block) => probabilityOf(block) >= MIN_LOST)
    if (lost.length >= MIN_SHARE * entries.length) return [...lost, ...findTellingTexts(list)]
    if (lost.length >= MIN_LOST_SHARE * entries.length) return lost
    // Where the model has most of the list, an entry left out whole was told from the others; one with a part in the content was torn.
    const torn = entries.filter((entry) => entry.blocks.some((block) => kept.has(block)))
    const ofTorn = new Set(torn.flatMap((entry) => entry.blocks))
    return lost.filter((block) => ofTorn.has(block))
  })
}

/**
 * Finds what a list lacks of which the content has one half, the names without the prices or the prices without the names: the name of each
 * entry that has none in the content, and its first price; without prices, all that is its own.
 */
function findLostOf({ entries, others, isPriced }: Entries, kept: ReadonlySet<Block>): Block[] {
  const lost = isPriced ? [] : others.filter((block) => !kept.has(block))
  for (const { blocks, name, prices } of entries) {
    const said = blocks.filter((block) => kept.has(block))
    const priced = new Set(prices)
    const isNamed = said.some(
      (block) => !priced.has(block) && (block.at <= name.at || isTitle(block) || isInHeading(block.region)),
    )
    if (!isNamed) lost.push(name)
    const [price] = prices
    if (!isPriced || price === undefined) continue
    const amount = amountIn(price.text)
    if (!said.some((block) => priced.has(block) || block.text.includes(amount))) lost.push(price)
  }
  return lost
}

/**
 * Finds what else tells things with prices apart: at the same place of most entries, a text that is not the same, such as a date or a rating.
 * A command is the same for all.
 */
function findTellingTexts({ entries, isPriced }: Entries): Block[] {
  const slots = new Map<string, Block[]>()
  if (!isPriced) return []
  for (const { blocks, name, prices } of entries) {
    const priced = new Set(prices)
    for (const block of blocks) {
      if (block === name || priced.has(block) || block.inner.name === 'button') continue
      const place = `${kindOf(block.region.element)} ${kindOf(block.inner)}`
      const slot = slots.get(place)
      if (slot === undefined) slots.set(place, [block])
      else slot.push(block)
    }
  }
  return [...slots.values()]
    .filter(({ length }) => length >= MIN_SHARE * entries.length && length <= MAX_OF_ENTRY * entries.length)
    .filter((slot) => distinctShare(slot) >= MIN_DISTINCT_NAMES)
    .flat()
}

/** Returns the first amount in a text; empty without one. */
const amountIn = (text: string): string => /\d[\d.,]*/.exec(text)?.[0] ?? ''

const shareOf = (blocks: readonly Block[], test: (block: Block) => boolean): number =>
  blocks.filter(test).length / blocks.length

/** Returns the index of the first block after the title or, without one, of that in the element that is declared main; -1 without both. */
function findBeginning({ blocks, holders }: TextBlocks): number {
  const title = blocks.findIndex(({ region }) => isTitleOfPage(region))
  if (title !== -1) return title + 1
  const main = holders.find(({ element }) => element.name === 'main' || element.attribs['role'] === 'main')
  return main === undefined ? -1 : blocks.findIndex(({ start }) => start >= main.start)
}

const isTitleOfPage = ({ element, parent }: Region): boolean => element.name === 'h1' || parent?.element.name === 'h1'

const isInHeading = ({ element, parent }: Region): boolean =>
  isHeading(element) || (parent !== undefined && isHeading(parent.element))

/** Reads the lists of entries of a page, none inside another. */
function readLists(read: TextBlocks): Entries[] {
  const { blocks, regions } = read
  /** Index of the first block in each region, from 1. */
  const firstOf = new Int32Array(regions.length)
  for (const { at, region } of blocks)
    for (let around: Region | undefined = region; around && firstOf[around.at] === 0; around = around.parent)
      firstOf[around.at] = at + 1
  const blocksOf = (region: Region): readonly Block[] => {
    const first = (firstOf[region.at] ?? 1) - 1
    let end = first + region.blocks
    // A term has its definitions after it.
    const most = first + MAX_DEFINITION_BLOCKS
    if (region.element.name === 'dt') while (end < most && isOfDefinition(blocks[end]?.region, region.parent)) end += 1
    return blocks.slice(first, end)
  }
  const listOf = new Map<Block, Entries>()
  for (const members of findMembers(read)) {
    const list = readEntries(members, blocksOf)
    const [first] = list?.blocks ?? []
    const outer = first && listOf.get(first)
    // The rows of a grid are entries as well, by the first of their cards.
    if (list === undefined || (outer !== undefined && list.names.length < MIN_MORE * outer.names.length)) continue
    if (outer !== undefined && !list.isPriced && list.blocks.length < MIN_SAME * outer.blocks.length) continue
    for (const block of list.blocks) listOf.set(block, list)
  }
  return [...new Set(listOf.values())]
}

/** Adds the first thing of a list whose markup is not that of the others, such as the newest post: what is right before it, with a title that is a link. */
function addLead(list: Entries, { blocks }: TextBlocks, begin: number): Entries {
  const { isPriced } = list
  const end = list.blocks[0]?.at ?? 0
  const outer = new Set<Region>()
  for (let at: Region | undefined = list.around; at !== undefined; at = at.parent) outer.add(at)
  let lead = blocks[end - 1]?.region
  if (lead === undefined || outer.has(lead)) return list
  while (lead.parent !== undefined && !outer.has(lead.parent)) lead = lead.parent
  const own = blocks.slice(end - lead.blocks, end)
  if (own[0] === undefined || own[0].at < begin || lead.text > MAX_LENGTH || lead.headings > 1) return list
  const name = own.find((block) => isInHeading(block.region) && isTitle(block) && isName(block))
  const prices = isPriced ? own.filter((block) => hasPrice(block, saysPrice)) : []
  const others = isPriced ? prices : own.filter((block) => block !== name)
  if (name === undefined || others.length === 0) return list
  return {
    ...list,
    blocks: [...own, ...list.blocks],
    names: [name, ...list.names],
    entries: [{ blocks: own, name, prices }, ...list.entries],
    others: [...others, ...list.others],
  }
}

/** True for a definition in a list, and for what is in one. */
function isOfDefinition(region: Region | undefined, list: Region | undefined): boolean {
  let at = region
  while (at !== undefined && at.parent !== list) at = at.parent
  return at?.element.name === 'dd'
}

/** Reads things of which most have a name of their own and a second text. */
function readEntries(members: readonly Region[], read: (member: Region) => readonly Block[]): Entries | undefined {
  const around = members[0]?.parent
  const length = members.reduce((sum, { text }) => sum + text, 0)
  if (around === undefined || length > MAX_LENGTH * members.length) return undefined
  const parts = members.map(read)
  const blocks = parts.flat()
  const isPrice = blocks.some(({ text }) => saysPrice(text)) ? saysPrice : isBareAmount
  const prices = parts.map((own) => own.filter((block) => hasPrice(block, isPrice)))
  const isPriced = prices.filter((own) => own.length > 0).length >= MIN_SHARE * members.length
  const priced = new Set(isPriced ? prices.flat() : [])
  const isOwn = isOfEntry(parts)
  const owns = parts.map((own) => own.filter(isOwn))
  const seen = isPriced ? prices : owns
  const isSplit = isPriced || blocks.length >= MIN_MEMBER_BLOCKS * members.length
  if (!isSplit && blocks.filter(isLinkWithRemark).length < MIN_SHARE * members.length) return undefined
  const namesOf = parts.map((own, at) => {
    const names = own.filter((block) => isName(block) && !priced.has(block))
    return names.length > 0 ? names : (prices[at] ?? []).filter(isName)
  })
  // The brand, a button or a label may stand before the name.
  for (let nth = 0; nth < MAX_BEFORE_NAME; nth += 1) {
    const entries = owns.flatMap((own, at): Entry[] => {
      const name = namesOf[at]?.[nth]
      return name === undefined || !seen[at]?.length ? [] : [{ blocks: own, name, prices: prices[at] ?? [] }]
    })
    const names = entries.map(({ name }) => name)
    if (names.length < MIN_SHARE * members.length) return undefined
    if (distinctShare(names) < MIN_DISTINCT_NAMES || areRanges(names, isPrice)) continue
    const isLed = (block: Block): boolean => isLinkWithRemark(block) || (isSplit && isTitle(block))
    if (!isPriced && names.filter(isLed).length < MIN_SHARE * members.length) return undefined
    const named = new Set(names)
    const others = seen.flat().filter((block) => !named.has(block))
    return { blocks, names, entries, others, isPriced, around }
  }
  return undefined
}

/** True for prices that stand as names and say the same words: the ranges of a filter. */
function areRanges(names: readonly Block[], isPrice: (text: string) => boolean): boolean {
  const prices = names.filter(({ text }) => isPrice(text))
  const words = prices.map(({ text }) => text.replace(/[^\p{L}]+/gu, ' ').trim())
  return prices.length === names.length && new Set(words).size < MIN_DISTINCT_WORDS * names.length
}

/** Returns a test for what is not the same for most entries, as a button and a link `Read more` are. */
function isOfEntry(parts: readonly (readonly Block[])[]): (block: Block) => boolean {
  const counts = new Map<string, number>()
  for (const own of parts) for (const { text } of own) counts.set(text, (counts.get(text) ?? 0) + 1)
  return ({ text, link, inner }) =>
    (link < text.length && inner.name !== 'button') || (counts.get(text) ?? 0) < parts.length / 2
}

/** True for a line of a link and words beside it: a title and its author, a file and its size. The numbers of filters are none. */
const isLinkWithRemark = ({ link, text, nodes }: Block): boolean =>
  link > 0 && nodes.length > 1 && text.length - link >= MIN_REMARK && /\p{L}{2}/u.test(nodes.at(-1)?.data ?? '')

/** True for a name that leads to a page. The parts of a text and of dialogs have headings as well. */
const isTitle = ({ link, text }: Block): boolean => link >= MIN_LINK * text.length

const isBareAmount = (text: string): boolean => BARE_AMOUNT.test(text)

/** True for a price, by itself or in a line with the name. */
const hasPrice = ({ text, nodes }: Block, isPrice: (text: string) => boolean): boolean =>
  isPrice(text) || (text.length <= MAX_NAME && nodes.length > 1 && nodes.some(({ data }) => isPrice(data.trim())))

const isName = ({ text, inner }: Block): boolean =>
  text.length <= MAX_NAME && /\p{L}[\p{L}\p{M}\d]/u.test(text) && inner.name !== 'button'
