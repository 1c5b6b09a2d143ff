import { collapse, type Element, findElement, isElement, isHeading, textOf } from '../../html/tree.js'
import { readAmount } from '../../../base/text/read-amount.js'
import { type EntryGroup, MIN_ENTRIES } from './find-groups.js'
import { entryKind, isWithin, shareAlike } from './kind.js'
import type { PageMeasures } from './measure-page.js'
import { type Cell, readCells } from './read-cells.js'
import { isMoney } from './type-column.js'
import type { TableGroup } from './table-groups.js'

/** A group of siblings that was read as a list. */
interface ReadGroup {
  readonly group: EntryGroup | TableGroup
  /** Characters of text in the entries, without white space. */
  readonly text: number
  /** Characters of it that are in the main content. */
  readonly keptText: number
  /** Share of the entries that lead to another page each, by a link that stands for the entry. */
  readonly linked: number
  /** Share of the entries with a link that no other entry has. */
  readonly leading: number
  /** Number of different links that entries lead to, relative to the number of entries. */
  readonly distinct: number
  /** Share of the entries whose heading is a link to another page. */
  readonly headed: number
  /** Share of the entries with an image, a price, a date, and a property in their markup. */
  readonly pictured: number
  readonly priced: number
  readonly dated: number
  readonly marked: number
  /** Share of the entries with a price of its own beside another text. */
  readonly offered: number
  /** Share of the entries that consist of the same elements, or lack only parts that not each has. */
  readonly alike: number
  /** Mean length of the text of an entry. */
  readonly meanText: number
  /** Share of the text that is in links. */
  readonly linkShare: number
  readonly isInFrame: boolean
}

/** A group of entries, with the facts that decide whether it is a list, and which of several is the main one. */
export interface JudgedGroup extends ReadGroup {
  /** Rank among the lists of the page. */
  readonly score: number
}

/** Entries that are read to judge a group. */
const SAMPLE = 30
/** Minimum share of entries with a linked heading, a picture or a price, for entries that may lack other parts. */
const CARDS = 0.6
/** Length from which more text of an entry does not count. Characters. */
const ENOUGH_TEXT = 400
const PRICE =
  /(?:\p{Sc}|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|kr|zł)\b)\s?\d|\d\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|kr|zł)\b)/u
const DATE = /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:ago|yesterday|today)\b/iu

/** Weighs a group by the text of its entries alone, to choose those that are judged. */
export function weighGroup({ entries }: EntryGroup, measures: PageMeasures): number {
  let weight = 0
  let isInFrame = false
  for (const element of entries.flat()) {
    const measure = measures.get(element)
    if (measure === undefined) continue
    isInFrame ||= measure.isInFrame
    const kept = measure.text === 0 ? 0 : measure.keptText / measure.text
    weight += Math.min(measure.text, ENOUGH_TEXT) * (0.2 + 0.8 * kept) + Math.min(measure.images, 2) * 20
  }
  return isInFrame ? weight / 20 : weight
}

/** Reads some entries of a group, and judges it by them. */
export function judgeGroup(
  group: EntryGroup | TableGroup,
  measures: PageMeasures,
  isInvisible: (element: Element) => boolean,
): JudgedGroup {
  const { entries } = group
  const step = Math.max(1, Math.floor(entries.length / SAMPLE))
  const sample = entries.filter((_, at) => at % step === 0).slice(0, SAMPLE)
  const facts = sample.map((entry) => readFacts(readCells(entry, isInvisible), measureEntry(entry, measures)))
  const share = (count: number): number => count / Math.max(1, sample.length)
  const has = (name: 'image' | 'price' | 'date' | 'property' | 'headed' | 'offer'): number =>
    share(facts.filter((one) => one[name]).length)
  const links = facts.flatMap(({ link }) => link ?? [])
  // A carousel has each of its entries twice.
  const distinct = Math.min(links.length, new Set(links).size * 2)
  const firsts = facts.flatMap(({ addresses: [first] }) => first ?? [])
  let [text, keptText, linkText, isInFrame] = [0, 0, 0, false]
  for (const element of entries.flat()) {
    const measure = measures.get(element)
    text += measure?.text ?? 0
    keptText += measure?.keptText ?? 0
    linkText += measure?.linkText ?? 0
    isInFrame ||= measure?.isInFrame === true
  }
  const judged = {
    group,
    text,
    keptText,
    linked: share(distinct),
    leading: share(Math.min(firsts.length, new Set(firsts).size * 2)),
    distinct: share(new Set(firsts).size),
    headed: has('headed'),
    pictured: has('image'),
    priced: has('price'),
    dated: has('date'),
    marked: has('property'),
    offered: has('offer'),
    alike: shareAlike(sample.map(partsOf), Math.max(has('headed'), has('image'), has('price'), has('offer')) >= CARDS),
    meanText: text / entries.length,
    linkShare: text === 0 ? 0 : linkText / text,
    isInFrame,
  }
  return { ...judged, score: scoreOf(judged, weighGroup(group, measures)) }
}

interface Facts {
  readonly addresses: readonly string[]
  /** Address of the link that stands for the entry. */
  readonly link: string | undefined
  readonly headed: boolean
  readonly image: boolean
  readonly price: boolean
  readonly date: boolean
  readonly property: boolean
  readonly offer: boolean
}

/** Minimum share of an entry's text in a link that stands for it. */
const LINK_SHARE = 0.25
/** Maximum length of the text of an entry whose only link follows its text: `Read more`. Characters. */
const MAX_LINKED_TEXT = 700

/** Tests for the rank before a title: `12.` A number that is a link may be a title, or a note in a text. */
const isRank = ({ value, element }: Cell): boolean => /^#?\d{1,4}[.)]?$/u.test(value) && !isWithin(element, isLink)

const isLink = ({ name }: Element): boolean => name === 'a'

/** Characters of text and number of headings of an entry. */
interface EntryMeasure {
  readonly text: number
  readonly headings: number
}

function readFacts(cells: readonly Cell[], { text, headings }: EntryMeasure): Facts {
  const links = cells.filter(({ kind }) => kind === 'url')
  const addresses = new Set(links.map(({ value }) => value))
  const firstText = cells.find((cell) => cell.kind === 'text' && !isRank(cell))
  const headed = links.find(({ element }) => isOfHeading(element))
  const prices = cells.filter(isPriceAlone).length
  const isFor = ({ element, named }: Cell): boolean =>
    named !== undefined ||
    holdsImage(element) ||
    collapse(textOf(element)).length >= text * LINK_SHARE ||
    (firstText !== undefined && isWithin(firstText.element, (at) => at === element) && text < MAX_LINKED_TEXT) ||
    (addresses.size === 1 && headings > 0 && text < MAX_LINKED_TEXT)
  return {
    addresses: [...addresses],
    link: (headed ?? links.find(isFor))?.value,
    headed: headed !== undefined,
    image: cells.some(({ kind }) => kind === 'image'),
    price: cells.some(({ kind, value }) => kind === 'text' && value.length < 200 && PRICE.test(value)),
    date: cells.some(
      ({ kind, value }) => kind === 'time' || (kind === 'text' && value.length < 60 && DATE.test(value)),
    ),
    property: cells.some(({ named }) => named?.source === 'microdata'),
    offer: prices > 0 && prices < cells.filter(({ kind }) => kind === 'text').length,
  }
}

/** A word that is no currency: most texts with a digit have one, and are read no further. */
const WORD = /\p{L}{4}/u
const PRICE_CLASS = /price|preis|prix|prezzo|precio|preço|prijs|cena|tarif/iu

/** Tests for a price without other text. Menus write it without a currency. */
function isPriceAlone({ kind, value, element }: Cell): boolean {
  if (kind !== 'text' || value.length > 30 || !/\d/u.test(value) || WORD.test(value)) return false
  const isMarked = PRICE_CLASS.test(element.attribs['class'] ?? '')
  if (!isMarked && !/[\p{Sc}\p{L}]/u.test(value)) return false
  const amount = readAmount(value, '.') ?? readAmount(value, ',')
  return amount !== undefined && (isMoney(amount) || (isMarked && amount.unit === ''))
}

const isOfHeading = (link: Element): boolean => isWithin(link, isHeading) || findElement(link, isHeading) !== undefined

const holdsImage = (link: Element): boolean => findElement(link, ({ name }) => name === 'img') !== undefined

function measureEntry(entry: readonly Element[], measures: PageMeasures): EntryMeasure {
  const all = entry.flatMap((element) => measures.get(element) ?? [])
  return {
    text: all.reduce((sum, { text }) => sum + text, 0),
    headings: all.reduce((sum, { headings }) => sum + headings, 0),
  }
}

/** Returns the kinds of the children of an entry. */
const partsOf = (entry: readonly Element[]): ReadonlySet<string> =>
  new Set(entry.flatMap(({ children }) => children.flatMap((child) => (isElement(child) ? entryKind(child) : []))))

function scoreOf(judged: ReadGroup, weight: number): number {
  const { group, linked, pictured, priced, dated, marked, alike, meanText, linkShare } = judged
  const isTable = 'cells' in group
  const count = group.entries.length
  const evidence =
    0.15 +
    0.45 * linked +
    0.25 * pictured +
    0.35 * priced +
    0.15 * dated +
    0.3 * marked +
    0.15 * alike +
    (isTable ? 0.5 : 0)
  const isMenuLike = !isTable && linkShare > 0.9 && meanText < 30 && pictured < 0.5
  const number = count < MIN_ENTRIES ? 0.5 : Math.min(1, 0.55 + count / 20)
  return weight * evidence * number * (isMenuLike ? 0.4 : 1)
}
