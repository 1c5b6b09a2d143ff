import { isHeading } from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSiblingGroups, readSiblingFeatures } from './sibling-features.js'
import { type NameWeights, createNameScale, readNameFeatures } from './name-features.js'
import { readPageFacts } from './page-features.js'
import { type SectionHeading, readNeighbourFeatures, readPositionFeatures } from './position-features.js'
import { type EnclosingRegions, findEnclosingRegions, readShareFeatures } from './share-features.js'
import { type EnclosingTags, readTagFeatures, findEnclosingTags } from './tag-features.js'
import { readLinkTargets, readTargetFeatures } from './link-targets.js'
import { findTextRun, readRunFeatures } from './text-run.js'
import { readTextFeatures } from './text-features.js'

/** Inputs of {@link buildFeatures}. */
interface FeatureSource extends JudgedContent {
  /** Log-odds weights of words in class names and ids, from the model. */
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Facts of a page, and the verdicts of the markup rules. */
export interface JudgedContent {
  readonly page: ParsedPage
  readonly metadata: HtmlMetadata
  readonly read: TextBlocks
  readonly kind: ContentKind
  /** Verdict of the markup rules on a region: 1 for content, 0 for other text, -1 for boilerplate. */
  readonly verdictOf: (region: Region) => number
}

/** Features of a region that depend only on its own element and those around it. */
interface RegionFeatures {
  readonly tagged: EnclosingTags
  readonly named: NameWeights
  readonly enclosed: EnclosingRegions
}

/** The features of a page's blocks. */
interface PageFeatures {
  /** Writes the features of a block: the same names in the same order for every block. */
  read(block: Block, put: Put): void
}

/**
 * Prepares the features of a page. A block costs a few microseconds, however deep it stands, because features that it
 * inherits from the elements around it are computed once for each element.
 */
export function buildFeatures(source: FeatureSource): PageFeatures {
  const { page, metadata, read, kind, verdictOf, nameWeights } = source
  const facts = readPageFacts(page, metadata, read, kind)
  const siblings = findSiblingGroups(read)
  const weighNames = createNameScale(nameWeights)
  const known: RegionFeatures[] = []
  for (const region of read.holders) {
    const around = region.parent === undefined ? undefined : known[region.parent.at]
    known[region.at] = {
      tagged: findEnclosingTags(region, around?.tagged),
      named: weighNames(region, around?.named),
      enclosed: findEnclosingRegions(region, around?.enclosed, read.body),
    }
  }
  const headings = findHeadings(read.blocks)
  const run = findTextRun(read)
  const targets = readLinkTargets(read, page.url)
  const ofPage = Object.entries(facts.pageFeatures)
  return {
    read(block, put) {
      const surroundings = known[block.region.at]
      if (surroundings === undefined) throw new Error('a block belongs to no region of its page')
      const { tagged, named } = surroundings
      readTextFeatures(block, facts, put)
      readTagFeatures(block, tagged, put)
      readNameFeatures(named, put)
      readShareFeatures(block, surroundings, facts, put)
      readSiblingFeatures(block, siblings, read.body, put)
      readPositionFeatures(block, facts, headings[block.at], put)
      readNeighbourFeatures(block, facts, put)
      readRunFeatures(block, run, facts, put)
      readTargetFeatures(block, surroundings.enclosed, targets, put)
      put('verdictOfRules', verdictOf(block.region))
      for (const [name, value] of ofPage) put(name, value)
    },
  }
}

/** Returns for each block the last heading up to and including it. */
function findHeadings(blocks: readonly Block[]): (SectionHeading | undefined)[] {
  let last: { block: Block; end: number } | undefined
  return blocks.map((block) => {
    if (isHeading(block.region.element)) {
      if (last !== undefined) last.end = block.at
      last = { block, end: blocks.length }
    }
    return last
  })
}
