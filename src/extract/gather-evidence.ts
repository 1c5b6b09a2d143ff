import type { ParsedPage } from '../parse/parser.js'
import type { HtmlMetadata } from './extracted-page.js'
import type { PageKind } from './page-kind.js'
import type { Block, PageText, Region } from './read-blocks.js'
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
  /** Writes the numbers for a block, the same ones in the same order for every block. */
  read(block: Block, into: Float64Array): void
  /** What the numbers are called. */
  nameNumbers(block: Block): string[]
}

/**
 * Gathers the evidence of a page. A block costs a few microseconds, however deep it stands: what an element hands down is
 * worked out once for each element.
 */
export function gatherEvidence(source: EvidenceSource): Evidence {
  const { page, metadata, read, kind, verdictOf, nameWeights } = source
  const facts = readPageFacts(page, metadata, read, kind)
  const likenesses = findLikenesses(read)
  const known = new Map<Region, Surroundings>()
  // Children stand after their parents.
  for (const region of read.regionOf.values()) {
    const around = region.parent === undefined ? undefined : known.get(region.parent)
    known.set(region, {
      tagged: tagRegion(region, around?.tagged),
      named: nameRegion(region, around?.named, nameWeights),
      enclosed: encloseRegion(region, around?.enclosed, read.body),
    })
  }
  const headings = findHeadings(read.blocks)
  const ofPage = Object.values(facts.evidence)
  const readParts = (block: Block): Readonly<Record<string, number>>[] => {
    const surroundings = known.get(block.region)
    if (surroundings === undefined) throw new Error('a block stands in no region of its page')
    const { tagged, named, enclosed } = surroundings
    return [
      readText(block, facts),
      readTags(block, tagged),
      readNames(named),
      readShares(block, enclosed, tagged, facts),
      readLikeness(block, likenesses, read.body),
      readPlace(block, facts, headings[block.at]),
      readNeighbours(block, read.blocks),
    ]
  }
  return {
    read(block, into) {
      let at = 0
      // One object of all would be 140 names wide, which costs fifty times as much.
      for (const part of readParts(block)) for (const value of Object.values(part)) into[at++] = value
      into[at++] = verdictOf(block.region)
      into.set(ofPage, at)
    },
    nameNumbers: (block) => [
      ...readParts(block).flatMap(Object.keys),
      'verdictOfRules',
      ...Object.keys(facts.evidence),
    ],
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
