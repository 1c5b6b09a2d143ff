import { findRelatedBlocks } from './related-blocks.js'
import { findUnits } from '../blocks/find-units.js'
import { findLeftBehind, findMissingParts, isLineNumbers } from './repair-selection.js'
import type { PageKind } from '../blocks/page-kind.js'
import type { Block, PageText, Region } from '../blocks/read-blocks.js'

/** One thing that is kept or left out as a whole. */
export interface Candidate {
  readonly words: number
  /** How likely it is main content, 0 to 1. */
  readonly probability: number
}

/**
 * The probability from which on a candidate is kept: the choice with the best F1 that is to be expected of it, in words.
 *
 * On a page where all is clear that is about one half; where much is in doubt, leaving it out would lose more than it is worth,
 * and less will do.
 *
 * @see Ye, Chai, Lee, Chieu, Optimizing F-measures: A Tale of Two Approaches (2012)
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

/** What a choice is made by. */
export interface Judgement {
  readonly read: PageText
  readonly probabilities: Float64Array
  /** Whether the rules of mark-up take a region for content: 1, leave it out: 0, or drop it: -1. */
  readonly verdictOf: (region: Region) => number
  readonly kind: PageKind
}

/** In a text or a talk, what its mark-up calls something else must be this likely all the same. */
const SURE = 0.75
/** And this, if it is a link alone: paragraphs around one that leads away do not make it one of them. */
const SURE_LINK = 0.9
/** Links alone, outside of what the mark-up calls the text, must be about as likely as not, however much is in doubt. */
const LIKELY = 0.45

/** With so few blocks there is nothing that repeats. */
const FEW_BLOCKS = 5

/** The blocks that are kept, in document order: code and tables as a whole, and a text with its header. */
export function chooseBlocks(judgement: Judgement): Block[] {
  const { read, probabilities, verdictOf, kind } = judgement
  // A few lines without a link, none of which the rules leave out, are a text, and too little to judge by.
  const isNote = read.blocks.length <= FEW_BLOCKS && read.body.link === 0
  if (isNote && read.blocks.every(({ region }) => verdictOf(region) === 1)) return [...read.blocks]
  const units = findUnits(read).map((blocks) => {
    let words = 0
    let sum = 0
    for (const block of blocks) {
      words += block.words
      sum += block.words * (probabilities[block.at] ?? 0)
    }
    return { blocks, words, probability: words > 0 ? sum / words : (probabilities[blocks[0]?.at ?? 0] ?? 0) }
  })
  const threshold = findThreshold(units)
  const kept = new Set<Block>()
  for (const { blocks, probability } of units) {
    const isDenied = kind !== 'other' && blocks.every(({ region }) => verdictOf(region) === -1)
    const sure = isLoneLink(blocks[0], read.blocks) ? SURE_LINK : SURE
    const isList = blocks.every(({ link, text, region }) => link > 0.9 * text.length && verdictOf(region) !== 1)
    const least = isDenied ? sure : isList ? LIKELY : 0
    if (probability >= Math.max(least, threshold)) for (const block of blocks) kept.add(block)
  }
  for (const block of findHeader(judgement, kept)) kept.add(block)
  const inText = units.filter(({ blocks }) => isWhole(blocks) && isInText(blocks, judgement, kept))
  for (const { blocks } of inText) for (const block of blocks) kept.add(block)
  for (const block of findHeadings(judgement, kept)) kept.add(block)
  const probabilityOf = ({ at }: Block): number => probabilities[at] ?? 0
  for (const block of findRelatedBlocks({ read, kept, probabilityOf, verdictOf })) kept.add(block)
  for (const block of findMissingParts(
    read,
    kept,
    (part) => verdictOf(part.region) === 1 && probabilityOf(part) >= MIN_PART,
  ))
    kept.add(block)
  for (const block of findLeftBehind(read, kept, (left) => probabilityOf(left) < SURE_HEADING)) kept.delete(block)
  for (const block of read.blocks) if (isLineNumbers(block, read.blocks[block.at + 1])) kept.delete(block)
  return read.blocks.filter((block) => kept.has(block))
}

/** Whether a block is a link and those beside it are not. */
function isLoneLink(block: Block | undefined, blocks: readonly Block[]): boolean {
  const isLink = (one: Block | undefined): boolean => one !== undefined && one.link === one.text.length
  return block !== undefined && isLink(block) && !isLink(blocks[block.at - 1]) && !isLink(blocks[block.at + 1])
}

const isWhole = ([first, second]: readonly Block[]): boolean =>
  second !== undefined || first?.region.element.name === 'pre' || first?.region.parent?.element.name === 'pre'

/** Whether a listing or a table stands in the content: after a part of it that is kept, and not where the rules deny it. */
function isInText(blocks: readonly Block[], { read, verdictOf }: Judgement, kept: ReadonlySet<Block>): boolean {
  const [first] = blocks
  const before = first === undefined ? undefined : read.blocks[first.at - 1]
  return first !== undefined && before !== undefined && kept.has(before) && verdictOf(first.region) === 1
}

/** What a heading must be, if its text is sure. */
const MIN_HEADING = 0.1
const SURE_TEXT = 0.8

/** The headings right above what is surely content: without them it would seem to belong to what is above them. */
function findHeadings({ read, probabilities, verdictOf }: Judgement, kept: ReadonlySet<Block>): Block[] {
  return read.blocks.filter(({ at, region }) => {
    const next = read.blocks[at + 1]
    return (
      /^(?:h[2-6]|dt|summary)$/.test(region.element.name) &&
      verdictOf(region) === 1 &&
      (probabilities[at] ?? 0) >= MIN_HEADING &&
      next !== undefined &&
      kept.has(next) &&
      (probabilities[next.at] ?? 0) >= SURE_TEXT
    )
  })
}

/** What the rest of a list must be, if most of it is kept. */
const MIN_PART = 0.3
/** A heading as likely as this stands for itself. */
const SURE_HEADING = 0.9

/** Subtitle, author and date are short, and not many. */
const HEADER_LENGTH = 200
const HEADER_BLOCKS = 6

/** Even the title is not what is sure to be something else; beside it, sharing and following are as short as a byline. */
const MIN_TITLE = 0.01
const MIN_BYLINE = 0.2

/** The title of an article and what stands between it and the text, where they are in the part that holds the text. */
function findHeader({ read, probabilities, verdictOf, kind }: Judgement, kept: ReadonlySet<Block>): Block[] {
  const { blocks } = read
  const title = blocks.findIndex(({ region }) => region.element.name === 'h1' && verdictOf(region) === 1)
  if (title === -1) return []
  if (kind !== 'article') return blocks.slice(title, title + 1)
  const begin = blocks.findIndex((block) => block.at > title && block.isProse && kept.has(block))
  if (begin === -1) return []
  const end = begin - title > HEADER_BLOCKS + 1 ? title + 1 : begin
  const part = findPart(read, kept)
  const article = findAround(part, ({ element }) => element.name === 'article') ?? part
  return blocks.slice(title, end).filter(({ at, text, region }) => {
    if (
      text.length > HEADER_LENGTH ||
      (probabilities[at] ?? 0) < (at === title ? MIN_TITLE : MIN_BYLINE) ||
      verdictOf(region) !== 1
    )
      return false
    // Around the text itself, what stands under a title may as well be about sharing and following.
    const whole = at === title ? article : part
    return findAround(region, (around) => around === whole) !== undefined
  })
}

function findAround(region: Region, passes: (around: Region) => boolean): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && !passes(at)) at = at.parent
  return at
}

/** Nearly all of the content. */
const MAX_TEXT = 0.9

/** The smallest region that holds most of what is kept. */
function findPart({ body, holders }: PageText, kept: ReadonlySet<Block>): Region {
  const held = new Map<Region, number>()
  let all = 0
  for (const { region, text } of kept) {
    held.set(region, (held.get(region) ?? 0) + text.length)
    all += text.length
  }
  // Parents stand before their children: backwards, the first with enough is the innermost.
  for (const region of [...holders].reverse()) {
    const own = held.get(region) ?? 0
    if (own >= MAX_TEXT * all) return region
    if (region.parent !== undefined) held.set(region.parent, (held.get(region.parent) ?? 0) + own)
  }
  return body
}
