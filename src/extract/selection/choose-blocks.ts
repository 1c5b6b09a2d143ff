import { findAlikeLines } from './alike-lines.js'
import { findHeader } from './article-header.js'
import { findSummaries } from './find-summaries.js'
import { findRelatedBlocks } from './related-blocks.js'
import { findUnits } from '../blocks/find-units.js'
import { isInFooter } from './is-in-footer.js'
import { isMenuLine } from './is-menu-line.js'
import {
  findAlikeHeadings,
  findMissingParts,
  findOddOnes,
  findOrphanLeads,
  findSubscriptionBoxes,
  findTablesInText,
  isLineNumbers,
} from './repair-selection.js'
import { keepCardsWhole } from './whole-cards.js'
import { keepListsWhole } from './whole-lists.js'
import { keepTablesWhole } from './whole-tables.js'
import type { ContentKind } from '../blocks/page-kind.js'
import { type Block, type Region, isWithin } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Blocks that are kept or dropped as a whole. */
export interface Candidate {
  readonly words: number
  /** Predicted probability of being main content, 0 to 1. */
  readonly probability: number
}

/**
 * Returns the minimum probability of a kept candidate: the choice with the best expected F1, counted in words.
 *
 * On a page of clear predictions it is about one half. On a page of uncertain ones it is lower, because dropping all of
 * them would lose more than it gains.
 *
 * @see https://arxiv.org/abs/1206.4625 Ye, Chai, Lee, Chieu: Optimizing F-measures, A Tale of Two Approaches (2012)
 */
export function findThreshold(candidates: readonly Candidate[]): number {
  const sorted = [...candidates].sort((a, b) => b.probability - a.probability)
  const expected = sorted.reduce((sum, { words, probability }) => sum + words * probability, 0)
  let kept = 0
  let right = 0
  let best = 0
  let threshold = 1
  for (const { words, probability } of sorted) {
    kept += words
    right += words * probability
    const score = right / (kept + expected)
    if (score <= best) continue
    best = score
    threshold = probability
  }
  return threshold
}

/** Inputs of a choice. */
export interface Prediction {
  readonly read: TextBlocks
  readonly probabilities: Float64Array
  /** Verdict of the markup rules on a region: 1 for content, 0 for other text, -1 for boilerplate. */
  readonly verdictOf: (region: Region) => number
  readonly kind: ContentKind
}

// The minimum probabilities in this folder are set by hand. `npm run bench:quality` shows the effect of a change on the
// corpora AEB, WCXB and TRAF, and test/quality/ fails if a figure gets worse.

/** Minimum probability to keep blocks that the markup rules reject, on article and discussion pages, and labels of tabs. */
const MIN_REJECTED = 0.75
/**
 * The same for a link that stands alone between paragraphs. It is higher, because such links mostly lead to other
 * texts.
 */
const MIN_REJECTED_LINK = 0.9
/**
 * Minimum probability of the page's footer. The markup rules accept it on a page with hardly any other sentences. On sites
 * that were not trained on, F1 on the products of WCXB rises from .733 to .746.
 */
export const MIN_FOOTER = 0.95
/**
 * Minimum probability of text beside an article that stands outside the element that the markup rules chose, such as a
 * comment.
 */
export const MIN_OUTSIDE = 0.57
/**
 * Minimum probability of lines of several links, and of links that the markup rules do not accept as content. It applies
 * even if the threshold of the page is lower. It reduces F1 on the listings of the quality collection by 0.007 (0.871
 * to 0.864), and keeps the link lists of crawler traps out of the content.
 */
const MIN_LINKS = 0.45

/** Maximum number of blocks of a page that is too small for the model, because its features rely on repetition. */
const MAX_NOTE_BLOCKS = 5
/** Maximum share of links in the text of such a page. */
const MAX_NOTE_LINK_SHARE = 0.6
/** Maximum texts of a line of links on such a page, with what separates the links. A menu has more. */
const MAX_NOTE_LINE = 8

function isNote({ blocks, body }: TextBlocks): boolean {
  if (blocks.length > MAX_NOTE_BLOCKS || body.link > MAX_NOTE_LINK_SHARE * body.text) return false
  return !blocks.some(({ link, text, nodes }) => link > text.length / 2 && nodes.length > MAX_NOTE_LINE)
}

/** Chooses the kept blocks, in document order. Listings and tables are kept whole, and an article with its header. */
export function chooseBlocks(judgement: Prediction): Block[] {
  const { read, probabilities, verdictOf, kind } = judgement
  // A page of a few lines is too short for a prediction. It is kept whole if it has few links and the rules accept it.
  if (isNote(read) && read.blocks.every(({ region }) => verdictOf(region) === 1)) return [...read.blocks]
  const units = findUnits(read).map((blocks) => {
    let words = 0
    let sum = 0
    for (const block of blocks) {
      words += block.words
      sum += block.words * (probabilities[block.at] ?? 0)
    }
    const isProse = blocks.some((block) => block.isProse)
    return { blocks, words, isProse, probability: words > 0 ? sum / words : (probabilities[blocks[0]?.at ?? 0] ?? 0) }
  })
  const isArticle = kind === 'article' && hasSureText(units)
  const threshold = Math.max(findThreshold(units), isArticle ? MIN_BESIDE_TEXT : 0)
  const kept = new Set<Block>()
  for (const { blocks, probability } of units) {
    if (probability < threshold) continue
    const canBeRejected = kind !== 'other' || blocks.every(({ region }) => isTabLabel(region))
    const isRejected = canBeRejected && blocks.every(({ region }) => verdictOf(region) === -1)
    const isFooter = blocks.every(({ region }) => isInFooter(region))
    const sure = isLoneLink(blocks[0], read.blocks) ? MIN_REJECTED_LINK : MIN_REJECTED
    const isList = blocks.every(
      (block) =>
        isMenuLine(block) || (block.link > MIN_LINK_SHARE * block.text.length && verdictOf(block.region) !== 1),
    )
    const isOutside = isArticle && blocks.every(({ region }) => verdictOf(region) === 0)
    const least = isFooter ? MIN_FOOTER : isRejected ? sure : isOutside ? MIN_OUTSIDE : isList ? MIN_LINKS : 0
    if (probability >= least) for (const block of blocks) kept.add(block)
  }
  if (isArticle) for (const block of findOddOnes(judgement, kept)) kept.delete(block)
  if (isArticle) keepCardsWhole(read.blocks, probabilities, kept)
  if (isArticle) for (const block of findSubscriptionBoxes(read, kept)) kept.delete(block)
  for (const block of findHeader(judgement, kept)) kept.add(block)
  const inText = units.filter(({ blocks }) => isListingOrTable(blocks) && isWithinText(blocks, judgement, kept))
  for (const { blocks } of inText) for (const block of blocks) kept.add(block)
  // What follows the numbers of a listing, or another listing.
  for (const { blocks } of units)
    if (isListing(blocks[0]) && isWithinText(blocks, judgement, kept)) for (const block of blocks) kept.add(block)
  if (kind === 'article') for (const block of findTablesInText(read, units, kept)) kept.add(block)
  for (const block of findHeadings(judgement, kept)) kept.add(block)
  const probabilityOf = ({ at }: Block): number => probabilities[at] ?? 0
  if (kind === 'discussion') {
    for (const block of findAlikeHeadings(judgement, kept)) kept.add(block)
    for (const block of findPostDates(judgement, kept)) kept.add(block)
  }
  for (const block of findAlikeLines(judgement, kept)) kept.add(block)
  for (const block of findRelatedBlocks({ read, kept, probabilityOf, verdictOf })) kept.add(block)
  const isDoubtful = (part: Block): boolean =>
    verdictOf(part.region) === 1 && probabilityOf(part) >= MIN_MISSING_PART && !isMenuLine(part)
  for (const block of findMissingParts(read, kept, isDoubtful)) kept.add(block)
  keepListsWhole(read.blocks, kept, (region) => verdictOf(region) === 1)
  keepTablesWhole(read, kept, (region) => verdictOf(region) === 1)
  for (const block of findSummaries(read.blocks, kept)) kept.add(block)
  for (const block of findOrphanLeads(read, kept, (left) => probabilityOf(left) < MIN_LONE_HEADING)) kept.delete(block)
  for (const block of read.blocks) if (isLineNumbers(block, read.blocks)) kept.delete(block)
  return read.blocks.filter((block) => kept.has(block))
}

/** Minimum probability of prose that is surely the text of an article. */
const SURE_PROSE = 0.85
/** Minimum words of such prose, and their share of all words expected to be content. */
const MIN_SURE_WORDS = 50
const MIN_SURE_SHARE = 0.15
/**
 * Minimum probability of everything else on a page with such prose. The many comments and teasers after an article have
 * a low probability each; together they are expected to be so much content that the threshold of the page is below
 * theirs. But they are alike: they are content either all or, mostly, not at all.
 */
export const MIN_BESIDE_TEXT = 0.53

/** True if enough prose is surely content for the page to have the text of an article. */
export function hasSureText(
  units: readonly { readonly words: number; readonly probability: number; readonly isProse: boolean }[],
): boolean {
  let sure = 0
  let expected = 0
  for (const { words, probability, isProse } of units) {
    expected += words * probability
    if (isProse && probability >= SURE_PROSE) sure += words
  }
  return sure >= MIN_SURE_WORDS && sure >= MIN_SURE_SHARE * expected
}

/** True for the label of a tab: a control, whatever the page. */
const isTabLabel = ({ element, parent }: Region): boolean =>
  element.attribs['role'] === 'tab' || parent?.element.attribs['role'] === 'tab'

/** True for a block that is one link between blocks that are not. */
function isLoneLink(block: Block | undefined, blocks: readonly Block[]): boolean {
  const isLink = (one: Block | undefined): boolean => one !== undefined && one.link === one.text.length
  return block !== undefined && isLink(block) && !isLink(blocks[block.at - 1]) && !isLink(blocks[block.at + 1])
}

const isListing = (block: Block | undefined): boolean =>
  block?.region.element.name === 'pre' || block?.region.parent?.element.name === 'pre'

const isListingOrTable = ([first, second]: readonly Block[]): boolean => second !== undefined || isListing(first)

/**
 * True for a listing or table that follows a kept block and that the rules accept. A listing in the element of that block
 * belongs to its text if the rules say the same about both: a comment that is kept is kept with its code.
 */
function isWithinText(blocks: readonly Block[], { read, verdictOf }: Prediction, kept: ReadonlySet<Block>): boolean {
  const [first] = blocks
  const before = first === undefined ? undefined : read.blocks[first.at - 1]
  if (first === undefined || before === undefined || !kept.has(before)) return false
  const verdict = verdictOf(first.region)
  const around = before.region.parent
  return (
    verdict === 1 ||
    (isListing(first) && around !== undefined && isWithin(first.region, around) && verdict === verdictOf(before.region))
  )
}

/** Minimum share of links in a block that counts as a link. */
const MIN_LINK_SHARE = 0.9

/** Minimum probability of a heading, and of the block right below it, for the heading to be kept with that block. */
const MIN_HEADING = 0.1
const MIN_TEXT_BELOW = 0.8
/** The same for a heading above prose that is kept, but less sure. */
const MIN_PROSE_HEADING = 0.3

/**
 * Finds the headings right above a block that is surely content, which would otherwise seem to belong to the text
 * above.
 */
function findHeadings({ read, probabilities, verdictOf }: Prediction, kept: ReadonlySet<Block>): Block[] {
  return read.blocks.filter(({ at, region }) => {
    const next = read.blocks[at + 1]
    return (
      next !== undefined &&
      (probabilities[at] ?? 0) >= ((probabilities[next.at] ?? 0) >= MIN_TEXT_BELOW ? MIN_HEADING : MIN_PROSE_HEADING) &&
      (next.isProse || (probabilities[next.at] ?? 0) >= MIN_TEXT_BELOW) &&
      verdictOf(region) === 1 &&
      /^(?:h[2-6]|dt|summary)$/.test(region.element.name) &&
      kept.has(next)
    )
  })
}

/** Minimum probability of the other blocks of a list or table that is mostly kept. */
const MIN_MISSING_PART = 0.3
/** Minimum probability of a heading that is kept with nothing below it. */
const MIN_LONE_HEADING = 0.9

/** Finds the dates of posts, each right above a text that is kept. */
const findPostDates = ({ read: { blocks }, verdictOf }: Prediction, kept: ReadonlySet<Block>): Block[] =>
  blocks.filter((block) => {
    const next = blocks[block.at + 1]
    return next !== undefined && kept.has(next) && verdictOf(block.region) !== -1 && block.inner.name === 'time'
  })
