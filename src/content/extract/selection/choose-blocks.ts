import { applyRules, type NamedRule, type Verdicts } from './content-rule.js'
import { CHOICE_RULES, type ChoicePage, type Prediction, type Unit } from './content-rules.js'
import { findUnits } from '../blocks/find-units.js'
import { isMenuLine } from '../rules/is-menu-line.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { boilerplateByTag } from '../rules/boilerplate.js'

/**
 * Returns the minimum probability of a kept unit: the choice with the best expected F1, counted in words.
 *
 * On a page of clear predictions it is about one half. On a page of uncertain ones it is lower, because dropping all of
 * them would lose more than it gains.
 *
 * @see https://arxiv.org/abs/1206.4625 Ye, Chai, Lee, Chieu: Optimizing F-measures, A Tale of Two Approaches (2012)
 */
function findThreshold(units: readonly Unit[]): number {
  const sorted = [...units].sort((a, b) => b.probability - a.probability)
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
const MIN_FOOTER = 0.95
/**
 * Minimum probability of text beside an article that stands outside the element that the markup rules chose, such as a
 * comment.
 */
const MIN_OUTSIDE = 0.57
/**
 * Minimum probability of lines of several links, and of links that the markup rules do not accept as content. It applies
 * even if the threshold of the page is lower. It reduces F1 on the listings of the quality collection by 0.007 (0.871
 * to 0.864), and keeps the link lists of crawler traps out of the content.
 */
const MIN_LINKS = 0.45

/** Minimum share of links in a block that counts as a link. */
const MIN_LINK_SHARE = 0.9

/** A minimum probability of some units, which may be more than that of the page. */
interface Minimum extends NamedRule {
  readonly least: number
  readonly isFor: (unit: Unit, page: ChoicePage) => boolean
}

/** Minimum probabilities by kind of unit, the highest first. A unit is dropped by the first that is for it and above its probability. */
export const MINIMUMS: readonly Minimum[] = [
  {
    name: 'footer',
    drops: 'is in the footer of the page, and not surely content',
    least: MIN_FOOTER,
    isFor: ({ blocks }) => blocks.every(({ region }) => isInFooter(region)),
  },
  {
    name: 'rejected-link',
    drops: 'is a link on its own that the markup sets apart from the text, and not surely content',
    least: MIN_REJECTED_LINK,
    isFor: (unit, page) => isLoneLink(unit.blocks[0], page.read.blocks) && isRejected(unit, page),
  },
  {
    name: 'rejected',
    drops: 'is set apart from the text by the markup, and not surely content',
    least: MIN_REJECTED,
    isFor: (unit, page) => isRejected(unit, page),
  },
  {
    name: 'outside',
    drops: 'is outside of the element with the text of the article, and not likely enough to be content',
    least: MIN_OUTSIDE,
    isFor: ({ blocks }, { isArticle, verdictOf }) => isArticle && blocks.every(({ region }) => verdictOf(region) === 0),
  },
  {
    name: 'links',
    drops: 'consists of links, and is not likely enough to be content',
    least: MIN_LINKS,
    isFor: ({ blocks }, { verdictOf }) =>
      blocks.every(
        (block) =>
          isMenuLine(block) || (block.link > MIN_LINK_SHARE * block.text.length && verdictOf(block.region) !== 1),
      ),
  },
]

/** The rule of the model, for everything that no other minimum is for. */
export const PROBABILITY: NamedRule = {
  name: 'probability',
  keeps: 'is likely to be content',
  drops: 'is not likely enough to be content',
}

/** The rule of pages that are too small for the model. */
export const SHORT_PAGE: NamedRule = {
  name: 'short-page',
  keeps: 'is on a page of a few lines, none of which the markup sets apart from the text',
}

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

/**
 * Chooses the kept blocks, in document order: by their probabilities, and then by the rules of {@link CHOICE_RULES}.
 *
 * @param verdicts get the last verdict on each block. @default nothing is recorded
 */
export function chooseBlocks(prediction: Prediction, verdicts?: Verdicts): Block[] {
  const { url, read, probabilities, verdictOf, kind } = prediction
  // A page of a few lines is too short for a prediction. It is kept whole if it has few links and the rules accept it.
  if (isNote(read) && read.blocks.every(({ region }) => verdictOf(region) === 1)) {
    if (verdicts !== undefined)
      for (const block of read.blocks) verdicts.record(block, { rule: SHORT_PAGE, isKept: true })
    return [...read.blocks]
  }
  const probabilityOf = ({ at }: Block): number => probabilities[at] ?? 0
  const units = findUnits(read).map((blocks) => createUnit(blocks, probabilityOf))
  const isArticle = kind === 'article' && hasSureText(units)
  const page = { url, read, probabilities, verdictOf, kind, units, isArticle, probabilityOf }
  const kept = chooseLikely(page, verdicts)
  applyRules(CHOICE_RULES, page, kept, verdicts)
  return read.blocks.filter((block) => kept.has(block))
}

function createUnit(blocks: readonly Block[], probabilityOf: (block: Block) => number): Unit {
  const [first] = blocks
  let words = 0
  let sum = 0
  for (const block of blocks) {
    words += block.words
    sum += block.words * probabilityOf(block)
  }
  const isProse = blocks.some((block) => block.isProse)
  const probability = words > 0 ? sum / words : first === undefined ? 0 : probabilityOf(first)
  return { blocks, words, isProse, probability }
}

/** Chooses the blocks that are likely enough. */
function chooseLikely(page: ChoicePage, verdicts: Verdicts | undefined): Set<Block> {
  const threshold = Math.max(findThreshold(page.units), page.isArticle ? MIN_BESIDE_TEXT : 0)
  const kept = new Set<Block>()
  for (const unit of page.units) {
    const { blocks, probability } = unit
    const isLikely = probability >= threshold
    const minimum = isLikely ? MINIMUMS.find(({ least, isFor }) => probability < least && isFor(unit, page)) : undefined
    const isKept = isLikely && minimum === undefined
    if (isKept) for (const block of blocks) kept.add(block)
    if (verdicts === undefined) continue
    const rule = minimum ?? PROBABILITY
    const likelihood = { probability, least: Math.max(threshold, minimum?.least ?? 0) }
    for (const block of blocks) verdicts.record(block, { rule, isKept, likelihood })
  }
  return kept
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
const MIN_BESIDE_TEXT = 0.53

/** True if enough prose is surely content for the page to have the text of an article. */
function hasSureText(units: readonly Unit[]): boolean {
  let sure = 0
  let expected = 0
  for (const { words, probability, isProse } of units) {
    expected += words * probability
    if (isProse && probability >= SURE_PROSE) sure += words
  }
  return sure >= MIN_SURE_WORDS && sure >= MIN_SURE_SHARE * expected
}

/** True for what the markup rules reject, on pages whose markup says enough. */
const isRejected = ({ blocks }: Unit, { kind, verdictOf }: ChoicePage): boolean =>
  (kind !== 'other' || blocks.every(({ region }) => isTabLabel(region))) &&
  blocks.every(({ region }) => verdictOf(region) === -1)

/** True for the label of a tab: a control, whatever the page. */
const isTabLabel = ({ element, parent }: Region): boolean =>
  element.attribs['role'] === 'tab' || parent?.element.attribs['role'] === 'tab'

/** True for a block that is one link between blocks that are not. */
function isLoneLink(block: Block | undefined, blocks: readonly Block[]): boolean {
  const isLink = (one: Block | undefined): boolean => one !== undefined && one.link === one.text.length
  return block !== undefined && isLink(block) && !isLink(blocks[block.at - 1]) && !isLink(blocks[block.at + 1])
}

/** True for the contents of the page's footer. An article or a quotation may have a footer of its own. */
export function isInFooter(region: Region): boolean {
  let isFooter = false
  for (let at: Region | undefined = region; at !== undefined; at = at.parent) {
    if (boilerplateByTag(at.element) === 'footer') isFooter = true
    else if (at.element.name === 'article' || at.element.name === 'blockquote') isFooter = false
  }
  return isFooter
}
