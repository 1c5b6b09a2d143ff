import { type Element, parentElement } from '../../html/tree.js'
import type { JudgedGroup } from './judge-group.js'

/**
 * Minimum share of the main content that the main list has. On 154 articles and pages of documentation and 32 pages with
 * lists, a lower share takes lists of links in articles, and a higher one misses home pages with several lists.
 */
const MIN_SHARE = 0.3
/** The same for a list whose entries are all made alike, with a link and a picture or a date. */
const MIN_SHARE_OF_CARDS = 0.2
/** The same for a shop's products: its texts and filters may be much longer. */
const MIN_SHARE_OF_PRODUCTS = 0.12
/** The same for definition lists, which documentation has beside its text. */
const MIN_SHARE_OF_TERMS = 0.7
const MIN_CARDS = 8

/** The same for lists of plain items, as texts have them. */
const MIN_SHARE_OF_PLAIN = 0.6

/** Facts of a page that its lists are compared with. */
interface ContentFacts {
  /** Characters of its main content, without white space. */
  readonly keptText: number
  /** True for a page that calls itself an article. */
  readonly isArticle: boolean
}

/** Chooses the main list of a page, of groups in the order of their scores. */
export function chooseMain(judged: readonly JudgedGroup[], page: ContentFacts): JudgedGroup | undefined {
  return judged.find((group) => isList(group) && shareOf(group, page) >= minimumShare(group, page))
}

/**
 * Returns the share of a group in the main content. Shops write texts below their products, which the selection of content
 * prefers to the products: entries with prices count as content.
 */
function shareOf(judged: JudgedGroup, page: ContentFacts): number {
  const { text, keptText } = judged
  return Math.max(1, areProducts(judged) ? text : keptText) / Math.max(1, page.keptText)
}

const areProducts = ({ priced, leading, group }: JudgedGroup): boolean =>
  priced >= 0.6 && leading >= 0.8 && group.entries.length >= MIN_CARDS

function minimumShare(judged: JudgedGroup, { isArticle }: ContentFacts): number {
  const { group, linked, alike, pictured, dated, priced, headed, offered } = judged
  if (group.kind.startsWith('dt')) return MIN_SHARE_OF_TERMS
  const isPlain = leaderOf(group.kind) === 'li' && Math.max(pictured, dated, priced, headed, offered) < 0.5
  if (isPlain) return MIN_SHARE_OF_PLAIN
  const areCards = linked >= 0.9 && alike >= 0.9 && Math.max(pictured, dated) >= 0.8
  if (!areCards || group.entries.length < MIN_CARDS) return MIN_SHARE
  if (areProducts(judged)) return isArticle ? MIN_SHARE : MIN_SHARE_OF_PRODUCTS
  return MIN_SHARE_OF_CARDS
}

/** Parts of a text, which are alike without being entries of a list. */
const PARTS_OF_TEXT =
  /(?:^|[>+])(?:p|ul|ol|dl|pre|blockquote|details|figure|form|header|footer|aside|main|nav|table)(?:$|[.+])/u
/** Elements without a class. */
const UNNAMED = /^(?:div|section|span)$/u

/** Maximum mean length of the text of entries, and of those whose headings are links. Characters. */
const MAX_TEXT = 900
const MAX_TEXT_OF_FEW = 400
const FEW = 5
const MAX_HEADED_TEXT = 3000
/** Minimum share of entries with a price of their own, and of those made alike, if they lead nowhere. */
const OFFERED = 0.8

/** True for a group whose entries are things of a kind, and not paragraphs or sections of a text. */
export function isList(judged: JudgedGroup): boolean {
  const { group, linked, leading, headed, priced, marked, offered, alike, meanText, isInFrame } = judged
  if (isInFrame) return false
  if ('cells' in group || group.kind.startsWith('dt')) return true
  const kind = leaderOf(group.kind)
  if (PARTS_OF_TEXT.test(kind) || alike < (UNNAMED.test(kind) ? 0.8 : 0.5)) return false
  const maximum = group.entries.length < FEW ? MAX_TEXT_OF_FEW : MAX_TEXT
  if (meanText > (headed >= 0.8 ? MAX_HEADED_TEXT : maximum)) return false
  if (linked >= 0.7 || (priced >= 0.6 && leading >= 0.7) || (marked >= 0.8 && leading >= 0.7)) return true
  if (areEvents(judged)) return true
  // The dishes of a menu have no pages of their own.
  return offered >= OFFERED && alike >= OFFERED && group.entries.length >= FEW
}

/** Maximum mean length of the text of events. Comments have dates and links as well. Characters. */
const MAX_EVENT_TEXT = 150
/** Minimum share of events with a date, with a link that leads to a page of their own, and of those made alike. */
const EVENTS = 0.9

/** Tests for matches, concerts and departures: their parts are alike, and only a link such as `Report` or `Tickets` leads on. */
const areEvents = ({ group, dated, distinct, alike, meanText }: JudgedGroup): boolean =>
  Math.min(dated, distinct, alike) >= EVENTS && meanText <= MAX_EVENT_TEXT && group.entries.length >= FEW

/** Returns the kind of an entry's first element, without those of the elements around it. */
const leaderOf = (kind: string): string => kind.slice(kind.lastIndexOf('>') + 1).split('+', 1)[0] ?? ''

/** Minimum share of the text of rows that is in the entries inside of them. */
const INNER_TEXT = 0.95
/** Minimum share of the entries that lead to a page of their own, and that consist of the same elements. */
const OWN_PAGE = 0.9
const ALIKE = 0.8
/**
 * Minimum share of rows with pictures, prices and dates, by the share of the entries that have one, relative to the rows that
 * do. A row of several entries has a price unless none of them has.
 */
const FACTS = 0.6
/** Maximum elements between an entry and its row. */
const MAX_LEVELS = 3

/**
 * Gives the entries of a grid a higher score than its rows and columns, which have the same links and texts. Rows are entries of
 * their own only if what is inside of them is none.
 */
export const preferEntries = (judged: readonly JudgedGroup[]): JudgedGroup[] =>
  judged.map((one) => {
    const rows = judged.filter((other) => other.score >= one.score && areRowsOf(other, one))
    return rows.length === 0 ? one : { ...one, score: Math.max(...rows.map(({ score }) => score)) * 1.001 }
  })

function areRowsOf(rows: JudgedGroup, inner: JudgedGroup): boolean {
  if ('cells' in rows.group || 'cells' in inner.group || rows.isInFrame !== inner.isInFrame) return false
  const [count, rowCount] = [inner.group.entries.length, rows.group.entries.length]
  if (count <= rowCount || inner.text < rows.text * INNER_TEXT || inner.text > rows.text) return false
  if (inner.distinct < OWN_PAGE || inner.linked < OWN_PAGE || inner.alike < ALIKE) return false
  const inRow = count / rowCount
  const hasFacts = (['headed', 'pictured', 'priced', 'dated'] as const).every(
    (fact) => 1 - (1 - inner[fact]) ** inRow >= rows[fact] * FACTS,
  )
  if (!hasFacts) return false
  const elements = new Set(rows.group.entries.flat())
  return inner.group.entries.every(([first]) => first !== undefined && isInOne(first, elements))
}

function isInOne(element: Element, elements: ReadonlySet<Element>): boolean {
  let at = parentElement(element)
  for (let up = 0; at && up < MAX_LEVELS; up += 1, at = parentElement(at)) if (elements.has(at)) return true
  return false
}
