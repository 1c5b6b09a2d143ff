import { isHeading } from '../../html/tree.js'
import { findSimilarityGroups } from '../measures/similarity-groups.js'
import { type Region, type Block, isWithin } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'

/** Elements that are read as a whole. */
const WHOLE_ELEMENTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])

/** Minimum share of a list's or table's words that must be kept for the rest to be kept as well. */
const MIN_KEPT_SHARE = 0.75

/** Minimum blocks of a list or table. */
const MIN_BLOCKS = 3

/** Finds the missing blocks of lists and tables that are mostly kept. */
export function findMissingParts(
  { blocks, regions }: TextBlocks,
  kept: ReadonlySet<Block>,
  isDoubtful: (block: Block) => boolean,
): Block[] {
  const parts = findParts(regions)
  const all = new Float64Array(regions.length)
  const keptWords = new Float64Array(regions.length)
  for (const block of blocks) {
    const words = Math.max(1, block.words)
    const isKept = kept.has(block)
    for (let at = parts[block.region.at] ?? NONE; at !== NONE;) {
      all[at] = (all[at] ?? 0) + words
      if (isKept) keptWords[at] = (keptWords[at] ?? 0) + words
      const around = regions[at]?.parent
      at = around === undefined ? NONE : (parts[around.at] ?? NONE)
    }
  }
  const isWhole = new Uint8Array(regions.length)
  for (const { at, parent, blocks: count } of regions) {
    const isPart = parts[at] === at && count >= MIN_BLOCKS && (keptWords[at] ?? 0) >= MIN_KEPT_SHARE * (all[at] ?? 0)
    if (isPart || (parent !== undefined && isWhole[parent.at] === 1)) isWhole[at] = 1
  }
  return blocks.filter((block) => isWhole[block.region.at] === 1 && !kept.has(block) && isDoubtful(block))
}

const NONE = -1

/** Finds for each region the innermost list or table around it, or itself. */
function findParts(regions: readonly Region[]): Int32Array {
  const parts = new Int32Array(regions.length)
  // Parents stand before their children.
  for (const { at, element, parent } of regions) {
    const around = parent === undefined ? NONE : (parts[parent.at] ?? NONE)
    parts[at] = WHOLE_ELEMENTS.has(element.name) ? at : around
  }
  return parts
}

/** Finds headings and lead-ins below which nothing is kept. The title of a page may stand alone. */
export function findOrphanLeads(
  { blocks, regions }: TextBlocks,
  kept: ReadonlySet<Block>,
  isDoubtful: (block: Block) => boolean,
): Block[] {
  let next: Block | undefined
  const left: Block[] = []
  for (const block of [...blocks].reverse()) {
    if (!kept.has(block)) continue
    const { at, region, text } = block
    const after = blocks[at + 1]
    const isOrphan =
      after !== undefined &&
      !kept.has(after) &&
      isDoubtful(block) &&
      (/^h[2-6]$/.test(region.element.name)
        ? hasOtherHeading(block, next) && !isAbovePlayer(block, after, regions)
        : region.element.name === 'p' && after.region.element.name === 'li' && /[:：]$/.test(text))
    if (isOrphan) left.push(block)
    else next = block
  }
  return left
}

/**
 * True if the next kept block is not in the heading's section, because it is a heading of the same or a higher level.
 */
function hasOtherHeading(heading: Block, next: Block | undefined): boolean {
  if (next === undefined) return true
  const level = Number(heading.region.element.name[1])
  const other = /^h([1-6])$/.exec(next.region.element.name)
  return other !== null && Number(other[1]) <= level
}

const PLAYERS: ReadonlySet<string> = new Set(['video', 'audio', 'iframe'])

/** True for a heading whose section ends with a player in place of text. */
function isAbovePlayer({ region }: Block, after: Block, regions: readonly Region[]): boolean {
  const section = region.parent
  if (section === undefined || isWithin(after.region, section)) return false
  // Regions stand in document order.
  for (let at = region.at + 1; at < after.region.at; at += 1) {
    const one = regions[at]
    if (one === undefined || one.depth <= section.depth) return false
    if (PLAYERS.has(one.element.name)) return true
  }
  return false
}

/** Minimum blocks of a group of cards, and maximum probability of one that is dropped with the others. */
const MIN_CARDS = 3
const MAX_ODD_PROBABILITY = 0.85

/**
 * Finds the kept blocks of cards most of which are dropped, such as one teaser of six that stand after an article: equal
 * siblings are content all or not at all.
 */
export function findOddOnes(
  { read, probabilities }: { readonly read: TextBlocks; readonly probabilities: Float64Array },
  kept: ReadonlySet<Block>,
): Block[] {
  const doubtful = [...kept].filter(({ at }) => (probabilities[at] ?? 0) < MAX_ODD_PROBABILITY)
  if (doubtful.length === 0) return []
  const groups = findSimilarityGroups(read)
  const tallies = new Map<number, { blocks: number; kept: number }>()
  for (const block of read.blocks) {
    const group = groups[block.at]?.outer ?? 0
    const tally = tallies.get(group) ?? { blocks: 0, kept: 0 }
    tallies.set(group, tally)
    tally.blocks += 1
    if (kept.has(block)) tally.kept += 1
  }
  return doubtful.filter(({ at }) => {
    const group = groups[at]?.outer ?? 0
    const tally = tallies.get(group)
    return group > 0 && tally !== undefined && tally.blocks >= MIN_CARDS && tally.kept < 0.5 * tally.blocks
  })
}

/** Minimum probability of an author's name above a post, and minimum share of such names that are kept already. */
const MIN_ALIKE_HEADING = 0.25
const MIN_KEPT_HEADINGS = 0.25

/** Finds the dropped headings of posts, such as their authors, of which others are kept. */
export function findAlikeHeadings(
  { read, probabilities }: { readonly read: TextBlocks; readonly probabilities: Float64Array },
  kept: ReadonlySet<Block>,
): Block[] {
  const groups = findSimilarityGroups(read)
  const headings = new Map<number, Block[]>()
  for (const block of read.blocks) {
    const group = groups[block.at]?.outer ?? 0
    if (group === 0 || !/^h[2-6]$/.test(block.region.element.name)) continue
    const others = headings.get(group)
    if (others === undefined) headings.set(group, [block])
    else others.push(block)
  }
  return [...headings.values()].flatMap((alike) => {
    const share = alike.filter((block) => kept.has(block)).length / alike.length
    if (share < MIN_KEPT_HEADINGS) return []
    return alike.filter((block) => !kept.has(block) && (probabilities[block.at] ?? 0) >= MIN_ALIKE_HEADING)
  })
}

/** Minimum cells, minimum probability and maximum share of links of a table of data between paragraphs. */
const MIN_CELLS = 6
const MIN_TABLE = 0.25
const MAX_TABLE_LINK_SHARE = 0.3

/**
 * Finds the dropped tables of data between the first and the last paragraph of an article, with the heading right above
 * each. Teasers and menus are not written as tables with header cells and few links, so that such a table needs less
 * evidence than other blocks.
 */
export function findTablesInText(
  { blocks }: TextBlocks,
  units: readonly { readonly blocks: readonly Block[]; readonly probability: number }[],
  kept: ReadonlySet<Block>,
): Block[] {
  const isText = (block: Block): boolean => block.isProse && kept.has(block)
  const first = blocks.findIndex(isText)
  const last = blocks.findLastIndex(isText)
  const tables = units.filter(({ blocks: cells, probability }) => {
    const [cell] = cells
    if (cell === undefined || kept.has(cell) || cells.length < MIN_CELLS || probability < MIN_TABLE) return false
    if (cell.at < first || cell.at > last || findIn(cell.region, 'aside') !== undefined) return false
    const length = cells.reduce((sum, { text }) => sum + text.length, 0)
    const links = cells.reduce((sum, { link }) => sum + link, 0)
    return findIn(cell.region, 'table') !== undefined && links <= MAX_TABLE_LINK_SHARE * length
  })
  return tables.flatMap(({ blocks: cells }) => {
    const above = blocks[(cells[0]?.at ?? 0) - 1]
    return above !== undefined && isHeading(above.region.element) ? [above, ...cells] : cells
  })
}

/** Maximum text of a box to subscribe, and its maximum share of the kept text, in characters. A longer one is content. */
const MAX_BOX_LENGTH = 300
const MAX_BOX_SHARE = 0.25

/**
 * Finds the kept blocks of boxes that ask a reader for an e-mail address: the largest element around such a field that
 * has little text. They stand between the paragraphs of articles, and their sentences read like these.
 */
export function findSubscriptionBoxes({ blocks, regions }: TextBlocks, kept: ReadonlySet<Block>): Block[] {
  const fields = regions.filter(isAddressField)
  if (fields.length === 0) return []
  // Parents stand before their children.
  const largest: Region[] = []
  for (const region of regions) {
    const isInBox = region.parent !== undefined && region.parent.text <= MAX_BOX_LENGTH
    largest.push((isInBox ? largest[region.parent.at] : undefined) ?? region)
  }
  const boxes = new Set(fields.map(({ at }) => largest[at]))
  const found = blocks.filter((block) => kept.has(block) && boxes.has(largest[block.region.at]))
  return lengthOf(found) <= MAX_BOX_SHARE * lengthOf([...kept]) ? found : []
}

const isAddressField = ({ element: { name, attribs } }: Region): boolean =>
  name === 'input' && attribs['type']?.toLowerCase() === 'email'

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0)

/** True for line numbers beside a code listing, in a cell or listing of their own. */
export function isLineNumbers({ at, region, text }: Block, blocks: readonly Block[]): boolean {
  const after = blocks[at + 1]
  if (after === undefined || !/^\d+(?: \d+)*$/.test(text)) return false
  const row = findIn(region, 'tr')
  const listing = findIn(after.region, 'pre')
  if (row === undefined || listing === undefined || findIn(listing, 'tr') !== row) return false
  const numbers = text.split(' ').map(Number)
  const [first = 0] = numbers
  // A single number may be that of anything, unless it is the first, or the line above or below has the next one.
  const isCounted =
    numbers.length > 1 || first === 1 || isNear(`${first + 1}`, 1, at, blocks) || isNear(`${first - 1}`, -1, at, blocks)
  return isCounted && numbers.every((number, nth) => number === first + nth)
}

/** True if a block stands beside a line of code: the code is one block, and an empty line is none. */
const isNear = (text: string, step: 1 | -1, at: number, blocks: readonly Block[]): boolean =>
  blocks[at + step]?.text === text || blocks[at + 2 * step]?.text === text

function findIn(region: Region, name: string): Region | undefined {
  let at: Region | undefined = region
  while (at !== undefined && at.element.name !== name) at = at.parent
  return at
}
