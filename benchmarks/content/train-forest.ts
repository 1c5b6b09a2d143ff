import { evaluateForest, type Forest, type Growth, growTrees, type Samples } from './grow-trees.js'
import { makeRandom } from './make-random.js'
import type { PageSamples } from './read-samples.js'

/** All blocks of all pages in rows, page after page. */
export interface Rows extends Samples {
  readonly names: readonly string[]
  readonly pageOf: Int32Array
  readonly words: Int32Array
}

/** Pages in parts for cross-validation. All pages of a site are in one part. */
export interface Partition {
  readonly pages: readonly PageSamples[]
  readonly partOf: (page: PageSamples) => number
  readonly parts: number
}

/** Probabilities of blocks by models that were not trained on their sites. */
type Predictions = Float64Array

/** Predicts each part by a forest that was trained on all others. */
export function predictHeldOut({ pages, partOf, parts }: Partition, rows: Rows, growth: Growth): Predictions {
  const predicted = new Float64Array(rows.rows)
  for (let part = 0; part < parts; part += 1) {
    const isHeldOut = pages.map((page) => partOf(page) === part)
    const forest = train(rows, (page) => isHeldOut[page] !== true, growth)
    for (let row = 0; row < rows.rows; row += 1) {
      if (isHeldOut[rows.pageOf[row] ?? 0] === true) predicted[row] = evaluateForest(forest, rows, row)
    }
  }
  return predicted
}

/** Short blocks are many: a sample of them is used, with weights that compensate for the rest. */
const SHORT_BLOCK_WORDS = 8
const SHARE_OF_SHORT = 0.35

/** Trains a forest on some of the pages, given by their numbers. */
export function train(all: Rows, isLearntFrom: (page: number) => boolean, growth: Growth): Forest {
  const random = makeRandom(3)
  const weights = all.weights.slice()
  const rows: number[] = []
  for (let row = 0; row < all.rows; row += 1) {
    const isShort = (all.words[row] ?? 0) < SHORT_BLOCK_WORDS
    const isTaken = !isShort || random() < SHARE_OF_SHORT
    if (weights[row] === 0 || !isTaken || !isLearntFrom(all.pageOf[row] ?? 0)) continue
    if (isShort) weights[row] = (weights[row] ?? 0) / SHARE_OF_SHORT
    rows.push(row)
  }
  return growTrees({ ...all, weights }, Int32Array.from(rows), growth)
}
