import { listNodes, type PageNodes } from '../../html/page-nodes.js'
import { type ChildNode, type Element, isText } from '../../html/tree.js'
import type { Block } from '../blocks/block.js'
import { readBlocks, type TextBlocks } from '../blocks/read-blocks.js'
import { isPrice } from '../measures/page-features.js'
import { findSeries, type Series } from '../measures/series.js'
import { countWords, type Fidelity, type VisibleChoice, visitVisible } from '../fidelity/fidelity.js'
import { findFrame } from '../rules/frame.js'
import { findLostTables } from './lost-tables.js'

/**
 * Maximum share of a page's running text that is in the content, and minimum words of it that were left out, for a warning.
 */
const MAX_KEPT_TEXT = 1 / 4
const MIN_DROPPED_WORDS = 150

/** Maximum share of all visible words for the running text to be compared, and for series and prices. */
const MAX_KEPT_WORDS = 0.4
const MAX_KEPT_BESIDE_SERIES = 2 / 3

/** Minimum members of a series, and minimum words of all of them, for a warning. */
const MIN_MEMBERS = 5
const MIN_SERIES_WORDS = 30
/** Maximum share of a series' words that is in the content. */
const MAX_KEPT_OF_SERIES = 0.2
/**
 * Minimum words of a series relative to the content: of any; of one beside a text, of which related stories are a part as
 * well; of the rows of tables, where the page has no table in its content.
 */
const MIN_SERIES_SHARE = 1
const MIN_SHARE_BESIDE_TEXT = 2
const MIN_ROWS_SHARE = 0.4
/** Running words from which on the content is a text. */
const MIN_TEXT_WORDS = 150
/** Maximum share of links in a series beside a text: related stories have more. */
const MAX_LINKS_BESIDE_TEXT = 0.6

/** Minimum prices of a page, none of which is in the content, for a warning: of a series with links, and beside no text at all. */
const MIN_PRICES = 8
const MIN_PRICES_ALONE = 5
/** Minimum share of links in a series of things with prices: variants, and sums in tables, have fewer. */
const MIN_LINKS_OF_PRICES = 0.3

/** Minimum headings of a page, its title among them, none of which is in the content, for a warning. */
const MIN_HEADINGS = 5

/** Maximum words of a content that is next to nothing of its page, its maximum share, and minimum words of the page. */
const MAX_FEW_WORDS = 50
const MAX_FEW_SHARE = 0.11
const MIN_PAGE_WORDS = 200

/** Maximum share of links in a line of text. */
const MAX_LINK_SHARE = 0.3

const ADVICE = '`onlyMainContent: false` gives the whole page, `trace` lists what was left out.'

/**
 * Warns if most of a page's text was left out, all headings, a series such as the products of a grid, all prices, or nearly all.
 * Text is what has sentences, outside of links. What the markup declares boilerplate, such as menus and comments, counts for the
 * last only.
 *
 * @param cleared elements that are not visible
 */
export function warnOfDropped(
  body: Element,
  cleared: ReadonlySet<Element>,
  choice: VisibleChoice & { readonly read?: TextBlocks },
  { words = 1, tableCells, nodes = listNodes(body) }: Fidelity & { readonly nodes?: PageNodes },
): string | undefined {
  const mayLackTable = tableCells !== undefined && tableCells < 1
  if (words > MAX_KEPT_BESIDE_SERIES && !mayLackTable) return undefined
  const keptNodes = new Set<ChildNode>()
  visitVisible(body, cleared, choice, { visit: addKept, state: keptNodes })
  const read = choice.read ?? readBlocks(body, cleared, nodes)
  const isFramed = findFrame(read.regions)
  const isKept = (block: Block): boolean => block.nodes.some((node) => keptNodes.has(node))
  const isLost = (block: Block): boolean => !isKept(block) && !isFramed(block.region)
  const kept = read.blocks.filter(isKept)
  const loss: Loss = {
    read,
    isLost,
    words: wordsOf(kept),
    textWords: wordsOf(kept.filter(isRunningText)),
    hasLostTables: tableCells === 0,
  }
  return (
    (words > MAX_KEPT_BESIDE_SERIES ? undefined : warnOfMost(loss, kept, words)) ??
    (mayLackTable ? warnOfTables(loss, kept) : undefined)
  )
}

const warnOfMost = (loss: Loss, kept: readonly Block[], words: number): string | undefined =>
  (words > MAX_KEPT_WORDS ? undefined : (warnOfText(loss) ?? warnOfHeadings(loss, kept))) ??
  warnOfSeries(loss) ??
  (kept.some(({ text }) => isPrice(text)) ? undefined : warnOfPrices(loss)) ??
  (loss.words > MAX_FEW_WORDS ? undefined : warnOfFewWords(loss))

/** A page's text, beside its content. */
interface Loss {
  readonly read: TextBlocks
  /** Tests for a block that was left out, and that the markup does not declare boilerplate. */
  readonly isLost: (block: Block) => boolean
  /** Words of the content, and those of its running text. */
  readonly words: number
  readonly textWords: number
  /** True if the page has tables, and none of their cells is in the content. */
  readonly hasLostTables: boolean
}

function warnOfText({ read, isLost, words }: Loss): string | undefined {
  const dropped = wordsOf(read.blocks.filter((block) => isRunningText(block) && isLost(block)))
  const share = words / (words + dropped)
  if (dropped < MIN_DROPPED_WORDS || share > MAX_KEPT_TEXT) return undefined
  return (
    `Only ${Math.round(100 * share)}% of the page's text is in the content: ${dropped} words outside of menus, headers ` +
    `and footers were left out. ${ADVICE}`
  )
}

/** Warns if the content is another part of the page than that which its headings are for, such as a declaration of cookies. */
function warnOfHeadings({ read, isLost }: Loss, kept: readonly Block[]): string | undefined {
  if (kept.some(isHeading)) return undefined
  const lost = read.blocks.filter((block) => isHeading(block) && isLost(block))
  if (lost.length < MIN_HEADINGS || !lost.some(({ region }) => region.element.name === 'h1')) return undefined
  return `None of the page's ${lost.length} headings is in the content: all were left out. ${ADVICE}`
}

/** Tests for a heading; one that is a link is that of another page. */
const isHeading = ({ region, text, link }: Block): boolean =>
  /^h[1-6]$/.test(region.element.name) && link <= MAX_LINK_SHARE * text.length

function warnOfSeries({ read, isLost, words: kept, textWords, hasLostTables }: Loss): string | undefined {
  const isBesideText = textWords >= MIN_TEXT_WORDS
  const minShare = isBesideText ? MIN_SHARE_BESIDE_TEXT : hasLostTables ? MIN_ROWS_SHARE : MIN_SERIES_SHARE
  let worst: { readonly lost: readonly Block[]; readonly members: number; readonly words: number } | undefined
  for (const { members, blocks } of findSeries(read).all) {
    if (members.length < MIN_MEMBERS) continue
    const lost = blocks.filter(isLost)
    const words = wordsOf(lost)
    if (words < MIN_SERIES_WORDS || words < minShare * kept || words <= (worst?.words ?? 0)) continue
    if (isBesideText && linksOf(lost) > MAX_LINKS_BESIDE_TEXT) continue
    if (words >= (1 - MAX_KEPT_OF_SERIES) * wordsOf(blocks)) worst = { lost, members: members.length, words }
  }
  if (worst === undefined) return undefined
  const start = quote(worst.lost[0]?.text ?? '')
  return `A series of ${worst.members} parts of one form, which begins with "${start}", was left out. ${ADVICE}`
}

/** Maximum characters of the text that names a series. */
const MAX_QUOTED = 60

const quote = (text: string): string => (text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).trimEnd()}…` : text)

/** Warns of tables of data, however much else is in the content: a reader of it does not know that there is one. */
function warnOfTables({ read, isLost }: Loss, kept: readonly Block[]): string | undefined {
  const [first, ...others] = findLostTables(read, kept, isLost)
  if (first === undefined) return undefined
  const rows = others.reduce((sum, table) => sum + table.rows, first.rows)
  const which = `which begins with "${quote(first.start)}"`
  if (others.length === 0) return `A table of ${rows} rows, ${which}, was left out. ${ADVICE}`
  return `${others.length + 1} tables of ${rows} rows, the first of ${which}, were left out. ${ADVICE}`
}

function warnOfPrices({ read, isLost, textWords }: Loss): string | undefined {
  const lost = read.blocks.filter((block) => isPrice(block.text) && isLost(block))
  const isAlone = textWords === 0 && lost.length >= MIN_PRICES_ALONE
  if (!isAlone && (lost.length < MIN_PRICES || !findSeries(read).all.some(isPriced))) return undefined
  return `All ${lost.length} prices of the page were left out. ${ADVICE}`

  function isPriced({ members, blocks }: Series): boolean {
    if (members.length < MIN_MEMBERS) return false
    const left = blocks.filter(isLost)
    return left.filter(({ text }) => isPrice(text)).length >= MIN_PRICES && linksOf(left) >= MIN_LINKS_OF_PRICES
  }
}

function warnOfFewWords({ read, words }: Loss): string | undefined {
  const all = wordsOf(read.blocks)
  if (all < MIN_PAGE_WORDS || words > MAX_FEW_SHARE * all) return undefined
  return `Only ${words} of the page's ${all} visible words are in the content: its markup declares most of the rest menus, headers or footers. ${ADVICE}`
}

/** Share of the text of blocks that is in links. */
function linksOf(blocks: readonly Block[]): number {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0)
  return all === 0 ? 0 : blocks.reduce((sum, { link }) => sum + link, 0) / all
}

const wordsOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + countWords(text), 0)

function addKept(node: ChildNode, isKept: boolean, _isInCode: boolean, kept: Set<ChildNode>): void {
  if (isKept && isText(node)) kept.add(node)
}

const isRunningText = ({ isProse, link, text }: Block): boolean => isProse && link <= MAX_LINK_SHARE * text.length
