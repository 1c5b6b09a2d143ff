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
const CONTEXT_COUNT = contentModel.contextFeatures.length

interface Model {
  readonly first: Forest
  readonly second: Forest
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Read on first use, and kept for the process: the model is a constant. */
let model: Model | undefined

/** Features of at most this many blocks are kept for the second pass: 20 MB. Of a larger page they are computed twice. */
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
  const gathered = buildFeatures({ ...source, nameWeights: model.nameWeights })
  const row = new FeatureVector(FEATURE_COUNT + CONTEXT_COUNT)
  const isKept = blocks.length <= MAX_CACHED_BLOCKS
  const kept = new Float64Array(isKept ? FEATURE_COUNT * blocks.length : 0)
  const first = evaluateForest(model.first, blocks, row.numbers, (block) => {
    row.moveTo(0)
    gathered.read(block, row.put)
    if (isKept) kept.set(row.numbers.subarray(0, FEATURE_COUNT), FEATURE_COUNT * block.at)
  })
  const context = buildContextFeatures(read, first)
  return evaluateForest(model.second, blocks, row.numbers, (block) => {
    row.moveTo(0)
    if (!isKept) gathered.read(block, row.put)
    else row.numbers.set(kept.subarray(FEATURE_COUNT * block.at, FEATURE_COUNT * (block.at + 1)))
    row.moveTo(FEATURE_COUNT)
    context.read(block, row.put)
  })
}

/** Blocks that go through a tree together: the tree is then in the processor's cache, which halves the time. */
const BATCH_SIZE = 16

/**
 * Evaluates a forest for each block, as a probability of 0 to 1.
 *
 * @param fill writes the features of a block to `numbers`
 */
function evaluateForest(
  { base, features, values, others, roots }: Forest,
  blocks: readonly Block[],
  numbers: Float64Array,
  fill: (block: Block) => void,
): Float64Array {
  const probabilities = new Float64Array(blocks.length)
  const width = numbers.length
  const some = new Float64Array(width * BATCH_SIZE)
  const sums = new Float64Array(BATCH_SIZE)
  for (let from = 0; from < blocks.length; from += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, blocks.length - from)
    for (let nth = 0; nth < count; nth += 1) {
      const block = blocks[from + nth]
      if (block !== undefined) fill(block)
      some.set(numbers, width * nth)
    }
    sums.fill(base)
    for (const root of roots)
      for (let nth = 0; nth < count; nth += 1) {
        const start = width * nth
        let at = root
        for (let feature = features[at] ?? -1; feature >= 0; feature = features[at] ?? -1)
          at = (some[start + feature] ?? 0) < (values[at] ?? 0) ? at + 1 : (others[at] ?? 0)
        sums[nth] = (sums[nth] ?? 0) + (values[at] ?? 0)
      }
    for (let nth = 0; nth < count; nth += 1) probabilities[from + nth] = 1 / (1 + Math.exp(-(sums[nth] ?? 0)))
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
