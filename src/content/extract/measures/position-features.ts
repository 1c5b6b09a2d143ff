import type { Block } from '../blocks/block.js'
import { clamp, type Put, sumOf } from './feature-vector.js'
import type { PageFacts } from './page-features.js'
import { elementNumber } from './tag-features.js'

/** Number of neighbours on each side that count as a block's window. */
const WINDOW = 5

/** A heading, and the index of the next one: the end of its section. */
export interface SectionHeading {
  readonly block: Block
  readonly end: number
}

/** Writes the position of a block: in the page, and relative to its title, its prose and the last heading. */
export function readPositionFeatures(
  block: Block,
  page: PageFacts,
  heading: SectionHeading | undefined,
  put: Put,
): void {
  const { at } = block
  const { blocks, body, headingAt, titleAt, firstProseAt, lastProseAt } = page
  put('place', block.start / Math.max(1, body.text))
  put('placeOfBlocks', at / blocks.length)
  put('placeInProse', body.prose > 0 ? (page.proseBefore[at] ?? 0) / body.prose : 0)
  put('fromHeading', headingAt < 0 ? 0 : clamp(at - headingAt, -50, 200))
  put('fromTitle', titleAt < 0 ? -99 : clamp(at - titleAt, -50, 200))
  put('fromLastProse', lastProseAt < 0 ? 0 : clamp(at - lastProseAt, -100, 50))
  put('fromFirstProse', firstProseAt < 0 ? 0 : clamp(at - firstProseAt, -50, 100))
  put('fromSubheading', heading === undefined ? -1 : Math.min(50, at - heading.block.at))
  put('subheadingLevel', heading === undefined ? 0 : Number(heading.block.region.element.name[1]))
  put('subheadingLength', Math.log1p(heading?.block.text.length ?? 0))
  const [begin, end] = heading === undefined ? [0, 0] : [heading.block.at + 1, heading.end]
  const under = sumOf(page.textBefore, begin, end)
  put('underLength', Math.log1p(under))
  put('underLinks', under === 0 ? -1 : sumOf(page.linkBefore, begin, end) / under)
  put('underProse', under === 0 ? -1 : sumOf(page.proseBefore, begin, end) / under)
  put('underBlocks', heading === undefined ? 0 : Math.log1p(heading.end - heading.block.at))
}

/** Writes features of the two blocks before and after a block, and of its window. */
export function readNeighbourFeatures(
  block: Block,
  { blocks, textBefore, linkBefore, proseBefore }: PageFacts,
  put: Put,
): void {
  const { at, region } = block
  const second = blocks[at - 2]
  const before = blocks[at - 1]
  const after = blocks[at + 1]
  const secondAfter = blocks[at + 2]
  const from = Math.max(0, at - WINDOW)
  const to = Math.min(blocks.length, at + WINDOW + 1)
  const text = sumOf(textBefore, from, to)
  put('length-2', lengthOf(second))
  put('links-2', linksOf(second))
  put('length-1', lengthOf(before))
  put('links-1', linksOf(before))
  put('length1', lengthOf(after))
  put('links1', linksOf(after))
  put('length2', lengthOf(secondAfter))
  put('links2', linksOf(secondAfter))
  put('elementBefore', before === undefined ? -2 : elementNumber(before.region.element))
  put('elementAfter', after === undefined ? -2 : elementNumber(after.region.element))
  put('isBesideBefore', before !== undefined && before.region.parent === region.parent ? 1 : 0)
  put('windowLinks', sumOf(linkBefore, from, to) / text)
  put('windowProse', sumOf(proseBefore, from, to) / text)
  put('windowLength', Math.log1p(text))
}

const lengthOf = (block: Block | undefined): number => (block === undefined ? -1 : Math.log1p(block.text.length))

const linksOf = (block: Block | undefined): number => (block === undefined ? -1 : block.link / block.text.length)
