import type { Block, Region } from './read-blocks.js'
import type { PageFacts } from './page-evidence.js'
import type { Tagged } from './tag-evidence.js'

/** Regions around a block by how much they hold. */
export interface Enclosed {
  /** The smallest with 300, and with 1000, characters of text. */
  readonly paragraph: Region
  readonly section: Region
  /** The smallest with half of the page's prose, and what of it the block stands in. */
  readonly body: Region
  readonly partOfBody: Region | undefined
}

const PARAGRAPH = 300
const SECTION = 1000

/** The enclosing regions of one region, given those of the region around it. */
export function encloseRegion(region: Region, around: Enclosed | undefined, page: Region): Enclosed {
  const isBody = around === undefined || region.prose >= 0.5 * page.prose
  return {
    paragraph: around === undefined || region.text >= PARAGRAPH ? region : around.paragraph,
    section: around === undefined || region.text >= SECTION ? region : around.section,
    body: isBody ? region : around.body,
    partOfBody: isBody ? undefined : (around.partOfBody ?? region),
  }
}

/** What share of the page, of its prose and of its links the regions around a block hold. */
export function readShares(
  { region }: Block,
  enclosed: Enclosed,
  { nearest }: Tagged,
  page: PageFacts,
): Record<string, number> {
  const pageText = Math.max(1, page.body.text)
  const { paragraph, section, body, partOfBody } = enclosed
  const first = region.parent ?? region
  const second = first.parent ?? first
  const third = second.parent ?? second
  const fifth = third.parent?.parent ?? third.parent ?? third
  const proseOf = (part: Region): number => (page.body.prose > 0 ? part.prose / page.body.prose : 0)
  const { article, main, part, list } = nearest
  return {
    firstShare: first.text / pageText,
    firstLinks: linksOf(first),
    firstProse: first.prose / Math.max(1, first.text),
    firstProseOfPage: proseOf(first),
    firstBlocks: Math.log1p(first.blocks),
    secondShare: second.text / pageText,
    secondLinks: linksOf(second),
    secondProse: second.prose / Math.max(1, second.text),
    secondProseOfPage: proseOf(second),
    secondBlocks: Math.log1p(second.blocks),
    secondControls: second.controls,
    secondImages: Math.min(5, second.images),
    thirdShare: third.text / pageText,
    thirdProseOfPage: proseOf(third),
    thirdBlocks: Math.log1p(third.blocks),
    fifthShare: fifth.text / pageText,
    fifthProseOfPage: proseOf(fifth),
    fifthBlocks: Math.log1p(fifth.blocks),
    paragraphLinks: linksOf(paragraph),
    paragraphDistance: region.depth - paragraph.depth,
    paragraphHeadings: paragraph.headings / Math.max(1, paragraph.blocks),
    paragraphControls: paragraph.controls / Math.max(1, paragraph.blocks),
    sectionLinks: linksOf(section),
    sectionProse: section.prose / Math.max(1, section.text),
    sectionDistance: region.depth - section.depth,
    sectionShare: section.text / pageText,
    sectionImages: section.images / Math.max(1, section.blocks),
    sectionHeadings: section.headings / Math.max(1, section.blocks),
    bodyDistance: region.depth - body.depth,
    bodyShare: body.text / pageText,
    partProse: partOfBody === undefined ? 1 : proseOf(partOfBody),
    partShare: partOfBody === undefined ? 1 : partOfBody.text / Math.max(1, body.text),
    partLinks: partOfBody === undefined ? 0 : linksOf(partOfBody),
    partPlace: partOfBody === undefined ? 0 : (partOfBody.start - body.start) / Math.max(1, body.text),
    articleShare: article === undefined ? -1 : article.text / pageText,
    mainShare: main === undefined ? -1 : main.text / pageText,
    asideShare: part === undefined ? -1 : part.text / pageText,
    asideProse: part === undefined ? -1 : part.prose / Math.max(1, part.text),
    listBlocks: list === undefined ? -1 : list.blocks,
  }
}

const linksOf = ({ text, link }: Region): number => (text > 0 ? link / text : 0)
