import contentModel from './content-model.json' with { type: 'json' }
import { buildContextFeatures } from './context-features.js'
import { buildFeatures, type FeatureSource } from '../features/build-features.js'
import { FeatureVector } from '../features/feature-vector.js'
import type { Block } from '../blocks/read-blocks.js'

/** A pass of the model as `content-model.json` has it: trees in depth-first order, a question before its two branches. */
type StoredForest = (typeof contentModel)['firstPass']

/** Decision trees in three flat arrays, whose nodes are numbered in depth-first order. */
interface Forest {
  readonly roots: readonly number[]
  /** The number of the feature that a node compares; -1 for a leaf. */
  readonly features: Int16Array
  /** The threshold of a question: a smaller feature leads to the next node, any other to `others`. The score of a leaf. */
  readonly values: Float64Array
  readonly others: Int32Array
  readonly base: number
}

const FEATURE_COUNT = contentModel.features.length
const WIDTH = FEATURE_COUNT + contentModel.contextFeatures.length

interface Model {
  readonly first: Forest
  readonly second: Forest
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Read on first use, and kept for the process: the model is a constant. */
let model: Model | undefined

/** Features of at most this many blocks are kept for the second pass: 26 MB. Of a larger page they are computed twice. */
const MAX_CACHED_BLOCKS = 20_000

/**
 * Predicts for each block of a page the probability that it is main content, 0 to 1. A first pass uses the features of the block
 * and the page; a second one adds what the first said of the blocks around it and of those of the same form.
 */
export function predictContent(source: Omit<FeatureSource, 'nameWeights'>): Float64Array {
  model ??= {
    first: readForest(contentModel.firstPass),
    second: readForest(contentModel.secondPass),
    nameWeights: new Map(Object.entries(contentModel.nameWeights)),
  }
  const { read } = source
  const { blocks } = read
  const features = buildFeatures({ ...source, nameWeights: model.nameWeights })
  const isKept = blocks.length <= MAX_CACHED_BLOCKS
  const rows = new FeatureVector(WIDTH * (isKept ? blocks.length : BATCH_SIZE))
  const first = evaluateForest(model.first, blocks, rows.numbers, (block, start) => {
    rows.moveTo(start)
    features.read(block, rows.put)
  })
  const context = buildContextFeatures(read, first)
  return evaluateForest(model.second, blocks, rows.numbers, (block, start) => {
    rows.moveTo(isKept ? start + FEATURE_COUNT : start)
    if (!isKept) features.read(block, rows.put)
    context.read(block, rows.put)
  })
}

/** Blocks that go through a tree together: the tree is then in the processor's cache, which halves the time. */
const BATCH_SIZE = 64

/**
 * Evaluates a forest for each block, as a probability of 0 to 1.
 *
 * @param rows room for the features of all blocks, or of one batch
 * @param fill writes the features of a block to `rows`, from `start` on
 */
function evaluateForest(
  { base, features, values, others, roots }: Forest,
  blocks: readonly Block[],
  rows: Float64Array,
  fill: (block: Block, start: number) => void,
): Float64Array {
  const probabilities = new Float64Array(blocks.length)
  const sums = new Float64Array(BATCH_SIZE)
  for (let from = 0; from < blocks.length; from += BATCH_SIZE) {
    const batch = blocks.slice(from, from + BATCH_SIZE)
    // 0 if there is room for one batch.
    const begin = (WIDTH * from) % rows.length
    for (const [nth, block] of batch.entries()) fill(block, begin + WIDTH * nth)
    sums.fill(base)
    for (const root of roots)
      for (let nth = 0; nth < batch.length; nth += 1) {
        const start = begin + WIDTH * nth
        let at = root
        for (let feature = features[at] ?? -1; feature >= 0; feature = features[at] ?? -1)
          at = (rows[start + feature] ?? 0) < (values[at] ?? 0) ? at + 1 : (others[at] ?? 0)
        sums[nth] = (sums[nth] ?? 0) + (values[at] ?? 0)
      }
    for (let nth = 0; nth < batch.length; nth += 1) probabilities[from + nth] = 1 / (1 + Math.exp(-(sums[nth] ?? 0)))
  }
  return probabilities
}

/** Joins the trees of a pass, and finds where the second branch of each question begins. */
function readForest({ base, trees }: StoredForest): Forest {
  const features: number[] = []
  const values: number[] = []
  const others: number[] = []
  const roots: number[] = []
  for (const tree of trees) {
    roots.push(features.length)
    // Questions whose second branch has not begun.
    const open: number[] = []
    tree.features.forEach((feature, nth) => {
      const at = features.length
      features.push(feature)
      values.push(tree.values[nth] ?? 0)
      others.push(0)
      if (feature >= 0) open.push(at)
      else {
        const parent = open.pop()
        if (parent !== undefined) others[parent] = at + 1
      }
    })
  }
  return {
    roots,
    features: Int16Array.from(features),
    values: Float64Array.from(values),
    others: Int32Array.from(others),
    base,
  }
}
