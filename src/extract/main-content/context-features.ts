import { isHeading } from '../../html/tree.js'
import { findThreshold } from '../selection/choose-blocks.js'
import { findSimilarityGroups, type SimilarityGroups } from '../features/similarity-groups.js'
import type { Put } from '../features/feature-vector.js'
import type { Block, TextBlocks, Region } from '../blocks/read-blocks.js'

/** Features of blocks computed from the first pass's predictions for the blocks around them. */
export interface ContextFeatures {
  /** Writes the features of a block: the same names in the same order for every block. */
  read(block: Block, put: Put): void
}

/** Sums over some blocks: their scores (log-odds), words, and expected words of content. */
interface Tally {
  blocks: number
  scores: number
  words: number
  content: number
}

/** Bound of scores, as log-odds of a probability. */
const MAX_SCORE = 5
/** Score of a neighbour that does not exist. */
const NO_BLOCK_SCORE = -MAX_SCORE - 1
/** Minimum score of prose that is surely content. */
const SURE_SCORE = 2
const FAR_FROM_END = 60
const NEAR_BLOCKS = 5
const FAR_BLOCKS = 15

/**
 * Prepares features from the first pass's probabilities: of similar blocks, of the elements around a block, of its
 * neighbours, of its heading and of the section below it. They keep one of many equal siblings from getting a different
 * prediction.
 */
export function buildContextFeatures(page: TextBlocks, probabilities: Float64Array): ContextFeatures {
  const { blocks, body } = page
  const scores = Float64Array.from(probabilities, scoreOf)
  const threshold = findThreshold(blocks.map(({ words, at }) => ({ words, probability: probabilities[at] ?? 0 })))
  const cut = scoreOf(threshold)
  const tallyOf = ({ at, words }: Block): Tally => {
    const weight = Math.max(1, words)
    return { blocks: 1, scores: scores[at] ?? 0, words: weight, content: weight * (probabilities[at] ?? 0) }
  }
  const tallies = blocks.map(tallyOf)
  const regions = tallyRegions(page, tallies)
  const forms = findSimilarityGroups(page)
  const groups = tallyForms(forms, tallies)
  const { headOf, sections } = tallySections(blocks, tallies)
  const windowOf = readWindows(tallies)
  const whole = regions[body.at]
  const contentAfter = readRest(tallies)
  const lastSure = blocks.findLastIndex(({ at, isProse }) => isProse && (scores[at] ?? 0) >= SURE_SCORE)
  const kept = blocks.filter(({ at }) => (probabilities[at] ?? 0) >= threshold).length
  const scoreAt = (at: number): number => scores[at] ?? NO_BLOCK_SCORE
  return {
    read({ at, region }, put) {
      const own = scoreAt(at)
      const form = forms[at]
      const inner = readGroup(groups.inner.get(form?.inner ?? 0), own)
      const outer = readGroup(groups.outer.get(form?.outer ?? 0), own)
      const short = readGroup(groups.short.get(form?.short ?? 0), own)
      const long = readGroup(groups.long.get(form?.long ?? 0), own)
      const first = region.parent
      const second = first?.parent
      const third = second?.parent
      const head = headOf[at] ?? -1
      const section = sections.get(head)
      const { words = 1, content = 0 } = tallies[at] ?? {}
      put('firstScore', own)
      put('overCut', own - cut)
      put('cut', cut)
      put('pageContent', shareOf(whole))
      put('pageKept', kept / blocks.length)
      put('ownContent', shareOf(regions[region.at]))
      put('content1', shareOf(first && regions[first.at]))
      put('content2', shareOf(second && regions[second.at]))
      put('content3', shareOf(third && regions[third.at]))
      put('content4', shareOf(third?.parent && regions[third.parent.at]))
      put('score-3', scoreAt(at - 3))
      put('score-2', scoreAt(at - 2))
      put('score-1', scoreAt(at - 1))
      put('score1', scoreAt(at + 1))
      put('score2', scoreAt(at + 2))
      put('score3', scoreAt(at + 3))
      put('contentNear', windowOf(at, NEAR_BLOCKS))
      put('contentFar', windowOf(at, FAR_BLOCKS))
      put('innerScore', inner.score)
      put('innerCount', inner.count)
      put('innerContent', inner.content)
      put('outerScore', outer.score)
      put('outerCount', outer.count)
      put('outerContent', outer.content)
      put('shortScore', short.score)
      put('shortCount', short.count)
      put('shortContent', short.content)
      put('longScore', long.score)
      put('longCount', long.count)
      put('longContent', long.content)
      put('contentAfter', contentAfter(at))
      put('fromLastSure', lastSure < 0 ? 0 : Math.max(-FAR_FROM_END, Math.min(FAR_FROM_END, at - lastSure)))
      put('scoreOfHeading', scoreAt(head))
      put('contentUnder', shareOf(sections.get(at)))
      put(
        'contentBeside',
        section === undefined ? -1 : (section.content - content) / Math.max(1, section.words - words),
      )
    },
  }
}

const scoreOf = (probability: number): number =>
  Math.max(-MAX_SCORE, Math.min(MAX_SCORE, Math.log(probability / (1 - probability))))

const shareOf = (tally: Tally | undefined): number => (tally === undefined ? -1 : tally.content / tally.words)

/** Returns a block's group without the block itself. For a block that is alone, the score is its own. */
function readGroup(tally: Tally | undefined, own: number): { score: number; count: number; content: number } {
  if (tally === undefined || tally.blocks < 2) return { score: own, count: 0, content: -1 }
  return { score: (tally.scores - own) / (tally.blocks - 1), count: Math.log1p(tally.blocks), content: shareOf(tally) }
}

function addTo<Key>(tallies: Map<Key, Tally>, key: Key, more: Tally): void {
  const tally = tallies.get(key)
  if (tally === undefined) tallies.set(key, { ...more })
  else addUp(tally, more)
}

function addUp(tally: Tally, { blocks, scores, words, content }: Tally): void {
  tally.blocks += blocks
  tally.scores += scores
  tally.words += words
  tally.content += content
}

/** Returns the sums of each region that contains text, by {@link Region.at}. */
function tallyRegions({ blocks, holders }: TextBlocks, tallies: readonly Tally[]): readonly Tally[] {
  const regions: Tally[] = []
  for (const { at } of holders) regions[at] = { blocks: 0, scores: 0, words: 0, content: 0 }
  const add = ({ at }: Region, more: Tally | undefined): void => {
    const tally = regions[at]
    if (tally !== undefined && more !== undefined) addUp(tally, more)
  }
  for (const { at, region } of blocks) add(region, tallies[at])
  for (const { at, parent } of [...holders].reverse()) if (parent !== undefined) add(parent, regions[at])
  return regions
}

function tallyForms(
  forms: readonly SimilarityGroups[],
  tallies: readonly Tally[],
): Readonly<Record<keyof SimilarityGroups, ReadonlyMap<number, Tally>>> {
  const groups = {
    inner: new Map<number, Tally>(),
    outer: new Map<number, Tally>(),
    short: new Map<number, Tally>(),
    long: new Map<number, Tally>(),
  }
  forms.forEach(({ inner, outer, short, long }, at) => {
    const tally = tallies[at]
    if (tally === undefined) return
    if (inner > 0) addTo(groups.inner, inner, tally)
    if (outer > 0) addTo(groups.outer, outer, tally)
    addTo(groups.short, short, tally)
    addTo(groups.long, long, tally)
  })
  return groups
}

interface Sections {
  /** For each block, the index of its heading, -1 for none. The heading of a heading has a higher level. */
  readonly headOf: readonly number[]
  /** For each heading, the sums of its section, up to the next heading of its level. */
  readonly sections: ReadonlyMap<number, Tally>
}

function tallySections(blocks: readonly Block[], tallies: readonly Tally[]): Sections {
  const sections = new Map<number, Tally>()
  const open: { readonly at: number; readonly level: number }[] = []
  const headOf = blocks.map(({ at, region }) => {
    const level = levelOf(region)
    if (level > 0) while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    const head = open.at(-1)?.at ?? -1
    const tally = tallies[at]
    for (const heading of open) if (tally !== undefined) addTo(sections, heading.at, tally)
    if (level > 0) open.push({ at, level })
    return head
  })
  return { headOf, sections }
}

function levelOf({ element, parent }: Region): number {
  if (isHeading(element)) return Number(element.name[1])
  return parent !== undefined && isHeading(parent.element) ? Number(parent.element.name[1]) : 0
}

/** Returns a function for the share of the page's content that stands after a block. */
function readRest(tallies: readonly Tally[]): (at: number) => number {
  const rest = new Float64Array(tallies.length + 1)
  for (let at = tallies.length - 1; at >= 0; at -= 1) rest[at] = (rest[at + 1] ?? 0) + (tallies[at]?.content ?? 0)
  return (at) => (rest[at + 1] ?? 0) / Math.max(1e-9, rest[0] ?? 0)
}

/** Returns a function for the content's share of the words in a window of `by` blocks before and after a block. */
function readWindows(tallies: readonly Tally[]): (at: number, by: number) => number {
  const words = new Float64Array(tallies.length + 1)
  const content = new Float64Array(tallies.length + 1)
  tallies.forEach((tally, at) => {
    words[at + 1] = (words[at] ?? 0) + tally.words
    content[at + 1] = (content[at] ?? 0) + tally.content
  })
  return (at, by) => {
    const from = Math.max(0, at - by)
    const to = Math.min(tallies.length, at + by + 1)
    return ((content[to] ?? 0) - (content[from] ?? 0)) / ((words[to] ?? 0) - (words[from] ?? 0))
  }
}
