import contentModel from './content-model.json' with { type: 'json' }
import { Forest } from './forest.js'
import { buildFeatures, type JudgedContent } from '../measures/build-features.js'
import { FeatureVector } from '../measures/feature-vector.js'
import type { Block } from '../blocks/block.js'
import type { TextBlocks } from '../blocks/read-blocks.js'
import { findSimilarityGroups } from '../measures/similarity-groups.js'

interface Model {
  readonly forest: Forest
  /** The row of the forest. */
  readonly vector: FeatureVector
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Read on first use, and kept for the process: the model is a constant. */
let model: Model | undefined

/**
 * Predicts for each block of a page the probability that it is main content, 0 to 1: from the features of the block and
 * the page, evened out between blocks of the same form.
 */
export function predictContent(source: JudgedContent): Float64Array {
  model ??= readModel()
  const { forest, vector, nameWeights } = model
  const { read } = source
  const features = buildFeatures({ ...source, nameWeights })
  const probabilities = forest.evaluate(read.blocks.length, (nth) => {
    const block = read.blocks[nth]
    if (block === undefined) return
    vector.moveTo(0)
    features.read(block, vector.put)
  })
  return evenOut(read, probabilities)
}

function readModel(): Model {
  const vector = new FeatureVector(contentModel.features.length)
  return {
    forest: new Forest(contentModel.forest, vector.numbers),
    vector,
    nameWeights: new Map(Object.entries(contentModel.nameWeights)),
  }
}

/** Minimum blocks that are alike for their probabilities to be evened out. */
const MIN_ALIKE = 3
/** Weight of the mean relative to a block's own probability. */
const SHARE_OF_MEAN = 0.55
/** Bound of scores, as log-odds of a probability. */
const MAX_SCORE = 5
/** Minimum share of links in a paragraph that counts as a link to another page. */
const MIN_LINK_SHARE = 0.9
/** Keeps the score of a mean of 0 or 1 finite. */
const SMALLEST = 1e-6

/**
 * Moves the probability of each block towards the mean of those that are alike, so that one of many cards is seldom
 * judged unlike the others. Blocks are alike if they have the same four innermost elements, are prose or not, and are
 * paragraphs that are a link or not: the lines of a card, or a link to another page, say little about a paragraph of the
 * text. The two are combined as log-odds, so that a block with clear
 * evidence of its own may differ.
 */
export function evenOut(page: TextBlocks, probabilities: Float64Array): Float64Array {
  const groups = findSimilarityGroups(page)
  const groupOf = (block: Block): number =>
    4 * (groups[block.at]?.long ?? 0) + (block.isProse ? 1 : 0) + (isLink(block) ? 2 : 0)
  const scores = probabilities.map(scoreOf)
  const tallies = new Map<number, { blocks: number; sum: number }>()
  for (const block of page.blocks) {
    const group = groupOf(block)
    const tally = tallies.get(group) ?? { blocks: 0, sum: 0 }
    tallies.set(group, tally)
    tally.blocks += 1
    tally.sum += probabilityOf(scores[block.at] ?? 0)
  }
  return scores.map((own, at) => {
    const block = page.blocks[at]
    const tally = block === undefined ? undefined : tallies.get(groupOf(block))
    if (tally === undefined || tally.blocks < MIN_ALIKE) return probabilityOf(own)
    const mean = tally.sum / tally.blocks
    const score = Math.log((mean + SMALLEST) / (1 - mean + SMALLEST))
    return probabilityOf((1 - SHARE_OF_MEAN) * own + SHARE_OF_MEAN * score)
  })
}

const isLink = ({ link, text, region }: Block): boolean =>
  region.element.name === 'p' && link > MIN_LINK_SHARE * text.length

const scoreOf = (probability: number): number =>
  Math.max(-MAX_SCORE, Math.min(MAX_SCORE, Math.log(probability / (1 - probability))))

const probabilityOf = (score: number): number => 1 / (1 + Math.exp(-score))
