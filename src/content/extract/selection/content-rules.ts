import { findPlainText, TEMPLATE_PARTS } from '../documentation/find-plain-text.js'
import { findAlikeLines } from './alike-lines.js'
import { findHeader } from './article-header.js'
import { type ContentRule, dropping, keeping } from './content-rule.js'
import { isMenuLine } from '../rules/is-menu-line.js'
import { findLead } from './find-lead.js'
import { findLinksToOthers } from './next-story.js'
import { findOffers } from './offers.js'
import { findEntries } from './entries.js'
import { findObjectsInText } from './objects-in-text.js'
import { findEntryHeads, findOtherDates, findPapers, findPostDates, findRecords } from './records.js'
import { findRemarks } from './remarks.js'
import {
  type Choice,
  findHeadings,
  findIntroducedLists,
  findLabels,
  findNamedValues,
  findOpeners,
  findSummaries,
  findNumberedHeadings,
  findNumberedLists,
  findReferences,
  findSimilarItems,
  findSoleLines,
  findUpperTitles,
} from './related-blocks.js'
import { findPageList, findTitlesOfCards } from './list-page.js'
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
import { findMemberParts, keepSeriesWhole } from './whole-series.js'
import { keepTablesWhole } from './whole-tables.js'
import { type Block, isWithin, type Region } from '../blocks/block.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { isCommandLabel } from '../rules/button-in-text.js'
import { type Element, isElement } from '../../html/tree.js'

/** A page with the predictions for its blocks. */
export interface Prediction {
  readonly url: string
  readonly read: TextBlocks
  readonly probabilities: Float64Array
  /** Verdict of the markup rules on a region: 1 for content, 0 for other text, -1 for boilerplate. */
  readonly verdictOf: (region: Region) => number
  readonly kind: ContentKind
}

/** Blocks that are kept or dropped as a whole, by their probability. */
export interface Unit {
  readonly blocks: readonly Block[]
  readonly words: number
  readonly isProse: boolean
  /** Predicted probability of being main content, 0 to 1. */
  readonly probability: number
}

/** A page as the rules of the choice see it. */
export interface ChoicePage extends Prediction {
  readonly units: readonly Unit[]
  /** True for an article of which enough text is surely content. */
  readonly isArticle: boolean
  readonly probabilityOf: (block: Block) => number
}

/** Minimum lines, other than sentences, of a page with a list of entries. */
const MIN_LINES = 4

const mayListDates = (page: ChoicePage): boolean => page.kind === 'other' && mayHaveList(page)

function mayHaveList({ kind, read }: ChoicePage): boolean {
  let lines = 0
  for (const { isProse } of read.blocks) if (!isProse) lines += 1
  return kind !== 'discussion' && lines >= MIN_LINES
}

const LISTS = ['ul', 'ol', 'dl']

/** Minimum probability of the other blocks of a list or table that is mostly kept. */
const MIN_MISSING_PART = 0.3
/** Minimum probability of a heading that is kept with nothing below it. */
const MIN_LONE_HEADING = 0.9

const related = (find: (choice: Choice) => readonly Block[]): ContentRule<ChoicePage>['apply'] =>
  keeping(({ read, probabilityOf, verdictOf }, kept) => find({ read, kept, probabilityOf, verdictOf }))

const hasColon = ({ read: { blocks } }: ChoicePage): boolean => blocks.some(({ text }) => /[:：]/.test(text))

const isSureArticle = ({ isArticle }: ChoicePage): boolean => isArticle

function isOfKind(kind: ContentKind): (page: ChoicePage) => boolean {
  return (page) => page.kind === kind
}

/**
 * Rules that follow the choice by probability, in the order in which they are applied. Each sees what those before it have left, so
 * that the order matters: a heading, for instance, is an orphan only if no rule keeps the text below it.
 */
export const CHOICE_RULES: readonly ContentRule<ChoicePage>[] = [
  {
    name: 'odd-card',
    drops: 'is one of several equal blocks, most of which are not in the content',
    isFor: isSureArticle,
    apply: dropping(findOddOnes),
  },
  {
    name: 'whole-card',
    keeps: 'is the headline of a card whose text is in the content',
    drops: 'is the text of a card whose headline is not in the content',
    isFor: isSureArticle,
    apply: ({ read, probabilities }, kept) => keepCardsWhole(read.blocks, probabilities, kept),
  },
  {
    name: 'subscription-box',
    drops: 'is in a box that asks for an e-mail address',
    needs: ['input'],
    isFor: isSureArticle,
    apply: dropping(({ read }, kept) => findSubscriptionBoxes(read, kept)),
  },
  {
    name: 'offer',
    drops: 'is in a box that offers a subscription or letters, or asks for money',
    isFor: isSureArticle,
    apply: dropping(({ read }, kept) => findOffers(read, kept)),
  },
  {
    name: 'links-to-others',
    drops: 'leads to another text, or is in a list of other texts below a heading that says so',
    isFor: isSureArticle,
    apply: dropping(({ read }, kept) => findLinksToOthers(read, kept)),
  },
  {
    name: 'article-header',
    keeps: 'is the title of the text, or stands between the title and the text as its subtitle, author or date',
    apply: keeping(findHeader),
  },
  {
    name: 'lead',
    keeps: 'is sentences right before the text, in the same element',
    apply: keeping(({ read, probabilityOf, verdictOf }, kept) => {
      const first = read.blocks.findIndex((block) => block.isProse && kept.has(block))
      return read.blocks.slice(0, Math.max(0, first)).some(({ isProse }) => isProse)
        ? findLead({ read, kept, probabilityOf, verdictOf })
        : []
    }),
  },
  {
    name: 'listing-in-text',
    keeps: 'is a listing or table right after a block of the content',
    needs: ['pre', 'table'],
    apply: keeping((page, kept) => {
      const inText = page.units.filter(
        ({ blocks }) => (blocks.length > 1 || isListing(blocks[0])) && isWithinText(blocks, page, kept),
      )
      return inText.flatMap(({ blocks }) => blocks)
    }),
  },
  {
    name: 'listing-after-listing',
    keeps: 'is a listing right after the numbers of its lines, or after another listing of the content',
    needs: ['pre'],
    apply: (page, kept) => {
      for (const { blocks } of page.units)
        if (isListing(blocks[0]) && isWithinText(blocks, page, kept)) for (const block of blocks) kept.add(block)
    },
  },
  {
    name: 'listing-label',
    keeps: 'is the name of a language or a file right above a listing of the content',
    needs: ['pre'],
    apply: keeping(findListingLabels),
  },
  {
    name: 'table-in-text',
    keeps: 'is a table of data between paragraphs of an article, or the heading right above it',
    needs: ['table'],
    isFor: isOfKind('article'),
    apply: keeping(({ read, units }, kept) => findTablesInText(read, units, kept)),
  },
  {
    name: 'object-in-text',
    keeps: 'is a quotation or a post of another site within the text, or a part of one',
    needs: ['blockquote', 'figure'],
    apply: keeping((page, kept) =>
      page.read.regions.some(({ element: { name }, blocks }) => blocks > 0 && /^(?:blockquote|figure)$/.test(name))
        ? findObjectsInText(page, kept)
        : [],
    ),
  },
  {
    name: 'heading-above-text',
    keeps: 'is the heading right above a block that is surely content',
    needs: ['h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary'],
    apply: related(findHeadings),
  },
  {
    name: 'alike-heading',
    keeps: 'is a heading like those of other posts, which are in the content',
    isFor: isOfKind('discussion'),
    apply: keeping(findAlikeHeadings),
  },
  {
    name: 'post-date',
    keeps: 'is the date right above a post of the content',
    needs: ['time'],
    isFor: isOfKind('discussion'),
    apply: keeping(findPostDates),
  },
  {
    name: 'alike-line',
    keeps: 'is a line that each of several cards of the content has',
    apply: keeping(findAlikeLines),
  },
  {
    name: 'numbered-heading',
    keeps: 'is a heading that continues the numbers of other headings of the content',
    apply: related(findNumberedHeadings),
  },
  {
    name: 'label',
    keeps: 'is a link that ends with a colon and names the text that follows',
    isFor: hasColon,
    apply: related(findLabels),
  },
  {
    name: 'introduced-list',
    keeps: 'is in a list right after a line of the content that ends with a colon',
    needs: LISTS,
    apply: related(findIntroducedLists),
  },
  {
    name: 'numbered-list',
    keeps: 'is in the list right below a numbered heading of the content',
    needs: LISTS,
    apply: related(findNumberedLists),
  },
  {
    name: 'sole-line',
    keeps: 'is the only line below a heading of the content',
    apply: related(findSoleLines),
  },
  {
    name: 'upper-title',
    keeps: 'is the upper part of a title in two parts',
    apply: related(findUpperTitles),
  },
  {
    name: 'similar-item',
    keeps: 'is an item as likely as the others of its list, some of which are in the content',
    needs: ['li'],
    apply: related(findSimilarItems),
  },
  {
    name: 'reference',
    keeps: 'is a sentence with further reading right after the text',
    apply: related(findReferences),
  },
  {
    name: 'missing-part',
    keeps: 'is a part of a list or table most of which is in the content',
    needs: [...LISTS, 'table'],
    apply: keeping(({ read, probabilityOf, verdictOf }, kept) => {
      const isDoubtful = (part: Block): boolean =>
        verdictOf(part.region) === 1 && probabilityOf(part) >= MIN_MISSING_PART && !isMenuLine(part)
      return findMissingParts(read, kept, isDoubtful)
    }),
  },
  {
    name: 'whole-list',
    keeps: 'is an item of a list enough of which is in the content',
    drops: 'is an item of a list most of which is not in the content',
    needs: ['li'],
    apply: ({ read, verdictOf }, kept) => keepListsWhole(read.blocks, kept, (region) => verdictOf(region) === 1),
  },
  {
    name: 'whole-table',
    keeps: 'is a cell of a table or row enough of which is in the content',
    needs: ['table'],
    apply: ({ read, verdictOf }, kept) => keepTablesWhole(read, kept, (region) => verdictOf(region) === 1),
  },
  {
    name: 'page-list',
    keeps: 'is in the list that the page is for',
    isFor: isOfKind('other'),
    apply: keeping(findPageList),
  },
  {
    name: 'entries',
    keeps: 'is in the list of things with names and prices that the page is for',
    isFor: isOfKind('other'),
    apply: keeping(findEntries),
  },
  {
    name: 'records',
    keeps: 'is in the list of dated or numbered records that the page is for',
    isFor: mayHaveList,
    apply: keeping(findRecords),
  },
  {
    name: 'remark',
    keeps: 'is a remark of the discussion that the page is for',
    isFor: isOfKind('other'),
    apply: keeping(findRemarks),
  },
  {
    name: 'whole-series',
    keeps: 'is a part that most members of a series have in the content',
    isFor: ({ kind }) => kind !== 'article',
    apply: keepSeriesWhole,
  },
  {
    name: 'member-part',
    keeps: 'is a part of a member of a series that is content, such as its name, price, date or author',
    isFor: isOfKind('other'),
    apply: keeping(findMemberParts),
  },
  {
    name: 'papers',
    keeps: 'is in a list of links to files, or the heading above it',
    isFor: mayListDates,
    apply: keeping(findPapers),
  },
  {
    name: 'dates',
    keeps: 'is in a list of dates, some of which are in the content',
    isFor: mayListDates,
    apply: keeping(findOtherDates),
  },
  {
    name: 'named-value',
    keeps: 'is the name of a value of the content, or the value of such a name',
    isFor: hasColon,
    apply: related(findNamedValues),
  },
  {
    name: 'entry-head',
    keeps: 'is the date or number of the entry below it, which is in the content',
    isFor: mayListDates,
    apply: keeping(findEntryHeads),
  },
  {
    name: 'plain-text',
    keeps: 'is below the first heading of a page without a template, which was written by hand',
    lacks: TEMPLATE_PARTS,
    isFor: isOfKind('other'),
    apply: keeping(findPlainText),
  },
  {
    name: 'summary',
    keeps: 'is the summary of a part that opens, whose text is in the content',
    apply: keeping(({ read, verdictOf }, kept) => [
      ...(read.names.has('details') ? findSummaries(read.blocks, kept) : []),
      ...findOpeners({ read, kept, verdictOf }),
    ]),
  },
  {
    name: 'orphan-lead',
    drops: 'is a heading or an introduction with nothing below it in the content',
    apply: dropping(({ read, probabilityOf }, kept) => {
      const isTitleOfCard = findTitlesOfCards(read, kept)
      return findOrphanLeads(read, kept, (left) => probabilityOf(left) < MIN_LONE_HEADING && !isTitleOfCard(left))
    }),
  },
  {
    name: 'line-numbers',
    drops: 'numbers the lines of the listing beside it',
    needs: ['pre'],
    apply: dropping(({ read: { blocks } }) => blocks.filter((block) => isLineNumbers(block, blocks))),
  },
]

/** One word, as the name of a language or a file is. */
const LISTING_LABEL = /^[\p{L}\d][\p{L}\d+#./_-]{0,60}$/u

/** Finds the single words above listings that are kept, in the element around the listing. A button may stand between them. */
function findListingLabels({ units, read: { blocks } }: ChoicePage, kept: ReadonlySet<Block>): Block[] {
  return units.flatMap(({ blocks: own }) => {
    const [first] = own
    if (first === undefined || !isListing(first) || !kept.has(first)) return []
    const frame = (first.region.element.name === 'pre' ? first.region : first.region.parent)?.parent
    const before = [blocks[first.at - 1], blocks[first.at - 2]]
    const label = before.find((block) => block !== undefined && block.inner.name !== 'button')
    if (label === undefined || frame === undefined || isCommandLabel(label.text)) return []
    const isBeside = isWithin(label.region, frame) && frame.blocks <= own.length + MAX_BESIDE
    return isBeside && LISTING_LABEL.test(wordsBesideButtons(label)) ? [label] : []
  })
}

/** Returns the text of a line without that of buttons. */
const wordsBesideButtons = ({ nodes }: Block): string =>
  nodes
    .filter(({ parent }) => parent === null || !isElement(parent) || !isInButton(parent))
    .map(({ data }) => data.trim())
    .join(' ')
    .trim()

const isInButton = ({ name, parent }: Element): boolean =>
  name === 'button' || (parent !== null && isElement(parent) && parent.name === 'button')

/** Maximum blocks beside a listing in the element around it alone: the language, the file, and buttons. */
const MAX_BESIDE = 3

const isListing = (block: Block | undefined): boolean =>
  block?.region.element.name === 'pre' || block?.region.parent?.element.name === 'pre'

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
