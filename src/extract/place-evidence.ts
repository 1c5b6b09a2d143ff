import type { Block } from './read-blocks.js'
import type { PageFacts } from './page-evidence.js'
import { numberOf } from './tag-evidence.js'

/** Blocks before and after that a block is seen with. */
const WINDOW = 5

/** Where a block stands: in the page, from its title, from its prose, from the last heading, and beside which blocks. */
export function readPlace(block: Block, page: PageFacts, heading: Block | undefined): Record<string, number> {
  const { at } = block
  const { blocks, body, headingAt, titleAt, firstProseAt, lastProseAt } = page
  const from = (place: number, least: number, most: number): number => Math.max(least, Math.min(most, at - place))
  return {
    place: block.start / Math.max(1, body.text),
    placeOfBlocks: at / blocks.length,
    placeInProse: body.prose > 0 ? (page.proseBefore[at] ?? 0) / body.prose : 0,
    fromHeading: headingAt < 0 ? 0 : from(headingAt, -50, 200),
    fromTitle: titleAt < 0 ? -99 : from(titleAt, -50, 200),
    fromLastProse: lastProseAt < 0 ? 0 : from(lastProseAt, -100, 50),
    fromFirstProse: firstProseAt < 0 ? 0 : from(firstProseAt, -50, 100),
    fromSubheading: heading === undefined ? -1 : Math.min(50, at - heading.at),
    subheadingLevel: heading === undefined ? 0 : Number(heading.region.element.name[1]),
    subheadingLength: Math.log1p(heading?.text.length ?? 0),
  }
}

/** Which blocks a block stands between. */
export function readNeighbours(block: Block, blocks: readonly Block[]): Record<string, number> {
  const { at, region } = block
  const second = blocks[at - 2]
  const before = blocks[at - 1]
  const after = blocks[at + 1]
  const secondAfter = blocks[at + 2]
  let text = 0
  let link = 0
  let prose = 0
  for (let near = Math.max(0, at - WINDOW); near <= Math.min(blocks.length - 1, at + WINDOW); near += 1) {
    const other = blocks[near]
    if (other === undefined) continue
    text += other.text.length
    link += other.link
    if (other.isProse) prose += other.text.length
  }
  return {
    'length-2': lengthOf(second),
    'links-2': linksOf(second),
    'length-1': lengthOf(before),
    'links-1': linksOf(before),
    length1: lengthOf(after),
    links1: linksOf(after),
    length2: lengthOf(secondAfter),
    links2: linksOf(secondAfter),
    elementBefore: before === undefined ? -2 : numberOf(before.region.element),
    elementAfter: after === undefined ? -2 : numberOf(after.region.element),
    isBesideBefore: before !== undefined && before.region.parent === region.parent ? 1 : 0,
    windowLinks: link / text,
    windowProse: prose / text,
    windowLength: Math.log1p(text),
  }
}

const lengthOf = (block: Block | undefined): number => (block === undefined ? -1 : Math.log1p(block.text.length))

const linksOf = (block: Block | undefined): number => (block === undefined ? -1 : block.link / block.text.length)
