import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/block.js'
import type { PageFacts } from './page-features.js'
import type { EnclosingTags } from './tag-features.js'

/** Regions around a block, chosen by the amount of text they contain. */
export interface EnclosingRegions {
  /** The innermost region with at least 300, and with at least 1,000, characters of text. */
  readonly paragraph: Region
  readonly section: Region
  /** The innermost region with at least half of the page's prose, and the child of it that contains the block. */
  readonly body: Region
  readonly partOfBody: Region | undefined
}

const PARAGRAPH_LENGTH = 300
const SECTION_LENGTH = 1000

/** Returns the enclosing regions of a region, given those of its parent. */
export function findEnclosingRegions(
  region: Region,
  around: EnclosingRegions | undefined,
  page: Region,
): EnclosingRegions {
  const isBody = around === undefined || region.prose >= 0.5 * page.prose
  return {
    paragraph: around === undefined || region.text >= PARAGRAPH_LENGTH ? region : around.paragraph,
    section: around === undefined || region.text >= SECTION_LENGTH ? region : around.section,
    body: isBody ? region : around.body,
    partOfBody: isBody ? undefined : (around.partOfBody ?? region),
  }
}

/** Regions and semantic elements around a block. */
interface Surroundings {
  readonly enclosed: EnclosingRegions
  readonly tagged: EnclosingTags
}

/** Writes the shares of the page's text, prose and links that the regions around a block contain. */
export function readShareFeatures(
  { region }: Block,
  { enclosed, tagged }: Surroundings,
  page: PageFacts,
  put: Put,
): void {
  const pageText = Math.max(1, page.body.text)
  const { paragraph, section, body, partOfBody } = enclosed
  const first = region.parent ?? region
  const second = first.parent ?? first
  const third = second.parent ?? second
  const fifth = third.parent?.parent ?? third.parent ?? third
  const proseOf = (part: Region): number => (page.body.prose > 0 ? part.prose / page.body.prose : 0)
  const { article, main, part, list } = tagged
  put('firstShare', first.text / pageText)
  put('firstLinks', linksOf(first))
  put('firstProse', first.prose / Math.max(1, first.text))
  put('firstProseOfPage', proseOf(first))
  put('firstBlocks', Math.log1p(first.blocks))
  put('secondShare', second.text / pageText)
  put('secondLinks', linksOf(second))
  put('secondProse', second.prose / Math.max(1, second.text))
  put('secondProseOfPage', proseOf(second))
  put('secondBlocks', Math.log1p(second.blocks))
  put('secondControls', second.controls)
  put('secondImages', Math.min(5, second.images))
  put('thirdShare', third.text / pageText)
  put('thirdProseOfPage', proseOf(third))
  put('thirdBlocks', Math.log1p(third.blocks))
  put('fifthShare', fifth.text / pageText)
  put('fifthProseOfPage', proseOf(fifth))
  put('fifthBlocks', Math.log1p(fifth.blocks))
  put('paragraphLinks', linksOf(paragraph))
  put('paragraphDistance', region.depth - paragraph.depth)
  put('paragraphHeadings', paragraph.headings / Math.max(1, paragraph.blocks))
  put('paragraphControls', paragraph.controls / Math.max(1, paragraph.blocks))
  put('sectionLinks', linksOf(section))
  put('sectionProse', section.prose / Math.max(1, section.text))
  put('sectionDistance', region.depth - section.depth)
  put('sectionShare', section.text / pageText)
  put('sectionImages', section.images / Math.max(1, section.blocks))
  put('sectionHeadings', section.headings / Math.max(1, section.blocks))
  put('bodyDistance', region.depth - body.depth)
  put('bodyShare', body.text / pageText)
  put('partProse', partOfBody === undefined ? 1 : proseOf(partOfBody))
  put('partShare', partOfBody === undefined ? 1 : partOfBody.text / Math.max(1, body.text))
  put('partLinks', partOfBody === undefined ? 0 : linksOf(partOfBody))
  put('partPlace', partOfBody === undefined ? 0 : (partOfBody.start - body.start) / Math.max(1, body.text))
  put('articleShare', article === undefined ? -1 : article.text / pageText)
  put('mainShare', main === undefined ? -1 : main.text / pageText)
  put('asideShare', part === undefined ? -1 : part.text / pageText)
  put('asideProse', part === undefined ? -1 : part.prose / Math.max(1, part.text))
  put('listBlocks', list === undefined ? -1 : list.blocks)
}

const linksOf = ({ text, link }: Region): number => (text > 0 ? link / text : 0)
