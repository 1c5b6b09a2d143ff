import type { ParsedPage } from '../../parse/parser.js'
import type { HtmlMetadata } from '../extracted-page.js'
import type { PageKind } from '../blocks/page-kind.js'
import type { Put } from './feature-vector.js'
import type { Block, PageText, Region } from '../blocks/read-blocks.js'
import { findLikenesses, readLikeness } from './likeness-evidence.js'
import { type Named, nameRegion, readNames } from './name-evidence.js'
import { readPageFacts } from './page-evidence.js'
import { readNeighbours, readPlace } from './place-evidence.js'
import { type Enclosed, encloseRegion, readShares } from './share-evidence.js'
import { type Tagged, readTags, tagRegion } from './tag-evidence.js'
import { readText } from './text-evidence.js'

/** What is asked about a block, with what is known of its page. */
export interface EvidenceSource {
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
interface Surroundings {
  readonly tagged: Tagged
  readonly named: Named
  readonly enclosed: Enclosed
}

/** All that speaks for or against the blocks of a page. */
export interface Evidence {
  /** Puts the numbers for a block, the same ones in the same order for every block. */
  read(block: Block, put: Put): void
}

/**
 * Gathers the evidence of a page. A block costs a few microseconds, however deep it stands: what an element hands down is
 * worked out once for each element.
 */
export function buildFeatures(source: EvidenceSource): Evidence {
  const { page, metadata, read, kind, verdictOf, nameWeights } = source
  const facts = readPageFacts(page, metadata, read, kind)
  const likenesses = findLikenesses(read)
  const known: Surroundings[] = []
  for (const region of read.holders) {
    const around = region.parent === undefined ? undefined : known[region.parent.at]
    known[region.at] = {
      tagged: tagRegion(region, around?.tagged),
      named: nameRegion(region, around?.named, nameWeights),
      enclosed: encloseRegion(region, around?.enclosed, read.body),
    }
  }
  const headings = findHeadings(read.blocks)
  const ofPage = Object.entries(facts.evidence)
  return {
    read(block, put) {
      const surroundings = known[block.region.at]
      if (surroundings === undefined) throw new Error('a block stands in no region of its page')
      const { tagged, named, enclosed } = surroundings
      readText(block, facts, put)
      readTags(block, tagged, put)
      readNames(named, put)
      readShares(block, enclosed, tagged, facts, put)
      readLikeness(block, likenesses, read.body, put)
      readPlace(block, facts, headings[block.at], put)
      readNeighbours(block, facts, put)
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
