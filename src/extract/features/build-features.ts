import type { ParsedPage } from '../../parse/parser.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { PageKind } from '../blocks/page-kind.js'
import type { Put } from './feature-vector.js'
import type { Block, PageText, Region } from '../blocks/read-blocks.js'
import { findSiblingGroups, readSiblingFeatures } from './sibling-features.js'
import { type NameWeights, weighNames, readNameFeatures } from './name-features.js'
import { readPageFacts } from './page-features.js'
import { readNeighbourFeatures, readPositionFeatures } from './position-features.js'
import { type EnclosingRegions, findEnclosingRegions, readShareFeatures } from './share-features.js'
import { type EnclosingTags, readTagFeatures, findEnclosingTags } from './tag-features.js'
import { readTextFeatures } from './text-features.js'

/** What is asked about a block, with what is known of its page. */
export interface FeatureSource {
  readonly page: ParsedPage
  readonly metadata: HtmlMetadata
  readonly read: PageText
  readonly kind: PageKind
  /** Whether the rules of mark-up take a region for content: 1, leave it out: 0, or drop it: -1. */
  readonly verdictOf: (region: Region) => number
  /** What the words of class names and ids weigh. */
  readonly nameWeights: ReadonlyMap<string, number>
}

/** What is known of a region from its own element and all around it. */
interface RegionFeatures {
  readonly tagged: EnclosingTags
  readonly named: NameWeights
  readonly enclosed: EnclosingRegions
}

/** All that speaks for or against the blocks of a page. */
export interface PageFeatures {
  /** Puts the numbers for a block, the same ones in the same order for every block. */
  read(block: Block, put: Put): void
}

/**
 * Gathers the evidence of a page. A block costs a few microseconds, however deep it stands: what an element hands down is
 * worked out once for each element.
 */
export function buildFeatures(source: FeatureSource): PageFeatures {
  const { page, metadata, read, kind, verdictOf, nameWeights } = source
  const facts = readPageFacts(page, metadata, read, kind)
  const likenesses = findSiblingGroups(read)
  const known: RegionFeatures[] = []
  for (const region of read.holders) {
    const around = region.parent === undefined ? undefined : known[region.parent.at]
    known[region.at] = {
      tagged: findEnclosingTags(region, around?.tagged),
      named: weighNames(region, around?.named, nameWeights),
      enclosed: findEnclosingRegions(region, around?.enclosed, read.body),
    }
  }
  const headings = findHeadings(read.blocks)
  const ofPage = Object.entries(facts.pageFeatures)
  return {
    read(block, put) {
      const surroundings = known[block.region.at]
      if (surroundings === undefined) throw new Error('a block stands in no region of its page')
      const { tagged, named, enclosed } = surroundings
      readTextFeatures(block, facts, put)
      readTagFeatures(block, tagged, put)
      readNameFeatures(named, put)
      readShareFeatures(block, enclosed, tagged, facts, put)
      readSiblingFeatures(block, likenesses, read.body, put)
      readPositionFeatures(block, facts, headings[block.at], put)
      readNeighbourFeatures(block, facts, put)
      put('verdictOfRules', verdictOf(block.region))
      for (const [name, value] of ofPage) put(name, value)
    },
  }
}

/** For each block the heading that it stands under, itself included. */
function findHeadings(blocks: readonly Block[]): (Block | undefined)[] {
  let last: Block | undefined
  return blocks.map((block) => {
    if (/^h[1-6]$/.test(block.region.element.name)) last = block
    return last
  })
}
