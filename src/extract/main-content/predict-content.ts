import contentModel from './content-model.json' with { type: 'json' }
import { evenOut } from './even-out.js'
import { buildFeatures, type FeatureSource } from '../features/build-features.js'
import { FeatureVector } from '../features/feature-vector.js'
import type { Block } from '../blocks/read-blocks.js'

/** The trees as `content-model.json` has them: in depth-first order, a question before its two branches. */
type StoredForest = (typeof contentModel)['forest']

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

const WIDTH = contentModel.features.length

interface Model {
  readonly forest: Forest
  readonly nameWeights: ReadonlyMap<string, number>
}

/** Read on first use, and kept for the process: the model is a constant. */
let model: Model | undefined

/**
 * Predicts for each block of a page the probability that it is main content, 0 to 1: from the features of the block and
 * the page, evened out between blocks of the same form.
 */
export function predictContent(source: Omit<FeatureSource, 'nameWeights'>): Float64Array {
  model ??= {
    forest: readForest(contentModel.forest),
    nameWeights: new Map(Object.entries(contentModel.nameWeights)),
  }
  const { read } = source
  const features = buildFeatures({ ...source, nameWeights: model.nameWeights })
  const rows = new FeatureVector(WIDTH * BATCH_SIZE)
  const probabilities = evaluateForest(model.forest, read.blocks, rows.numbers, (block, start) => {
    rows.moveTo(start)
    features.read(block, rows.put)
  })
  return evenOut(read, probabilities)
}

/** Blocks that go through a tree together: the tree is then in the processor's cache, which halves the time. */
const BATCH_SIZE = 64

/**
 * After each so many trees, blocks with a lower score than this, as log-odds, are surely no content and leave: a block
 * passes 326 of 480 trees on average. No figure of sites that were not trained on falls by this.
 */
export const TREES_PER_CHECK = 80
export const MIN_SCORE = -4.5

/**
 * Evaluates a forest for each block, as a probability of 0 to 1.
 *
 * @param rows room for the features of one batch
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
  const left = new Uint8Array(BATCH_SIZE)
  for (let from = 0; from < blocks.length; from += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, blocks.length - from)
    for (let nth = 0; nth < size; nth += 1) {
      const block = blocks[from + nth]
      if (block !== undefined) fill(block, WIDTH * nth)
      left[nth] = nth
    }
    sums.fill(base)
    let count = size
    for (let tree = 0; tree < roots.length; tree += 1) {
      const root = roots[tree] ?? 0
      if (tree > 0 && tree % TREES_PER_CHECK === 0) count = dropSure(left, count, sums)
      for (let place = 0; place < count; place += 1) {
        const nth = left[place] ?? 0
        const start = WIDTH * nth
        let at = root
        for (let feature = features[at] ?? -1; feature >= 0; feature = features[at] ?? -1)
          at = (rows[start + feature] ?? 0) < (values[at] ?? 0) ? at + 1 : (others[at] ?? 0)
        sums[nth] = (sums[nth] ?? 0) + (values[at] ?? 0)
      }
    }
    for (let nth = 0; nth < size; nth += 1) probabilities[from + nth] = 1 / (1 + Math.exp(-(sums[nth] ?? 0)))
  }
  return probabilities
}

/** Removes the blocks that are surely no content from those left in a batch, and returns how many are left. */
function dropSure(left: Uint8Array, count: number, sums: Float64Array): number {
  let kept = 0
  for (let place = 0; place < count; place += 1) {
    const nth = left[place] ?? 0
    if ((sums[nth] ?? 0) < MIN_SCORE) continue
    left[kept] = nth
    kept += 1
  }
  return kept
}

/** Joins the trees, and finds where the second branch of each question begins. */
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
