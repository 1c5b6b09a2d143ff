import { evaluateForest, type Forest, type Growth, growTrees, type Samples } from './grow-trees.js'
import { makeRandom } from './make-random.js'
import type { Pass } from './print-model.js'
import type { PageSamples } from './read-samples.js'
import { findBin, findEdges } from './sort-into-bins.js'

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

export interface Growths {
  readonly first: Growth
  readonly second: Growth
}

/** Probabilities of blocks by models that were not trained on their sites. */
type Predictions = Float64Array

/** A model trained on all pages, and the predictions of models that were not trained on a page's part. */
export interface Trained {
  readonly first: Pass
  readonly second: Pass
  readonly heldOut: Predictions
}

/**
 * Trains the first pass on all pages, and the second on the first's predictions for pages that it was not trained on.
 * For the held-out predictions, the second pass is trained once more without each part.
 */
export function trainPasses(parted: Partition, rows: Rows, growths: Growths): Trained {
  const forest = train(rows, () => true, growths.first)
  const { both, heldOut } = crossValidate(parted, rows, growths)
  const second = train(both, () => true, growths.second)
  return {
    first: { forest, edges: rows.edges, names: rows.names },
    second: { forest: second, edges: both.edges, names: both.names },
    heldOut,
  }
}

/**
 * Predicts each part with two passes that were not trained on it. The first passes that a second one reads on the pages
 * that it is trained on have left out only the part of each such page.
 */
export function crossValidate(
  parted: Partition,
  rows: Rows,
  growths: Growths,
): { readonly both: Rows; readonly heldOut: Predictions } {
  const both = addContext(parted.pages, rows, predictHeldOut(parted, rows, growths.first))
  return { both, heldOut: predictHeldOut(parted, both, growths.second) }
}

/** Predicts each part by a pass that was trained on all others. */
function predictHeldOut({ pages, partOf, parts }: Partition, rows: Rows, growth: Growth): Predictions {
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

/** Adds the context features of predictions to the rows. */
function addContext(pages: readonly PageSamples[], rows: Rows, predicted: Predictions): Rows {
  let row = 0
  let names: readonly string[] = []
  let values = new Float32Array(0)
  for (const page of pages) {
    const from = row
    row += page.blocks.length
    const around = page.contextOf(predicted.slice(from, row))
    names = around.names
    if (values.length === 0) values = new Float32Array(rows.rows * names.length)
    around.numbers.forEach((numbers, at) => values.set(numbers, (from + at) * names.length))
  }
  return widen(rows, values, names)
}

/** Adds columns to the rows. */
function widen(rows: Rows, values: Float32Array, names: readonly string[]): Rows {
  const columns = rows.columns + names.length
  const bins = new Uint8Array(rows.rows * columns)
  for (let row = 0; row < rows.rows; row += 1)
    bins.set(rows.bins.subarray(row * rows.columns, (row + 1) * rows.columns), row * columns)
  const weighed = Array.from({ length: rows.rows }, (_, row) => row).filter((row) => (rows.weights[row] ?? 0) > 0)
  const edges = names.map((_, column) => {
    const own = Float32Array.from({ length: rows.rows }, (__, row) => values[row * names.length + column] ?? 0)
    const borders = findEdges(own, weighed)
    own.forEach((value, row) => (bins[row * columns + rows.columns + column] = findBin(borders, value)))
    return borders
  })
  return { ...rows, columns, bins, edges: [...rows.edges, ...edges], names: [...rows.names, ...names] }
}

/** Short blocks are many: a sample of them is used, with weights that compensate for the rest. */
const SHORT_BLOCK_WORDS = 8
const SHARE_OF_SHORT = 0.35

/** Trains a pass on some of the pages, given by their numbers. */
function train(all: Rows, isLearntFrom: (page: number) => boolean, growth: Growth): Forest {
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
