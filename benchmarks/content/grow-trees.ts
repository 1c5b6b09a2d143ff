import { MIN_SCORE, TREES_PER_CHECK } from '../../src/content/extract/main-content/forest.js'
import { makeRandom } from './make-random.js'

/** Training data: features in bins, labels and weights. */
export interface Samples {
  readonly rows: number
  readonly columns: number
  /** Bin of each value, row by row. */
  readonly bins: Uint8Array
  /** Values between the bins, by column. */
  readonly edges: readonly Float32Array[]
  /** Share of content of each row, 0 to 1. */
  readonly labels: Float32Array
  readonly weights: Float64Array
}

/** A decision tree, node by node. The first node is the root. */
export interface Tree {
  /** The column that a node compares; -1 for a leaf. */
  readonly columns: Int16Array
  /** The greatest bin that leads to the first branch of a node. */
  readonly bins: Uint8Array
  /** The first nodes of the two branches. */
  readonly below: Int16Array
  readonly others: Int16Array
  /** The scores of leaves. */
  readonly answers: Float64Array
}

export interface Forest {
  readonly base: number
  readonly trees: readonly Tree[]
}

/** Parameters of gradient boosting. */
export interface Growth {
  readonly trees: number
  readonly leaves: number
  readonly rate: number
  /** Regularization, which keeps the scores of leaves with few rows small. */
  readonly shrink: number
  /** Minimum weight of the rows in a branch. */
  readonly minWeight: number
  /** Shares of columns and rows that each tree is grown on. */
  readonly columnShare: number
  readonly rowShare: number
  readonly seed: number
}

export const BINS = 64

/**
 * Trains the trees of a gradient-boosted forest: each one is fitted to the errors of those before it.
 *
 * @see https://doi.org/10.1016/S0167-9473(01)00065-2 Friedman: Stochastic gradient boosting (2002)
 */
export function growTrees(samples: Samples, rows: Int32Array, growth: Growth): Forest {
  const random = makeRandom(growth.seed)
  const { labels, weights } = samples
  let all = 0
  let positive = 0
  for (const row of rows) {
    all += weights[row] ?? 0
    positive += (weights[row] ?? 0) * (labels[row] ?? 0)
  }
  const base = Math.log(positive / (all - positive))
  const scale = rows.length / all
  const scores = new Float64Array(samples.rows).fill(base)
  const trees: Tree[] = []
  for (let count = 0; count < growth.trees; count += 1) {
    const seen = rows.filter(() => random() < growth.rowShare)
    const columns = Int16Array.from(
      samples.edges.flatMap((edges, column) => (edges.length > 0 && random() < growth.columnShare ? [column] : [])),
    )
    const drawn = draw(samples, seen, columns)
    seen.forEach((row, nth) => {
      const probability = 1 / (1 + Math.exp(-(scores[row] ?? 0)))
      const weight = (weights[row] ?? 0) * scale
      drawn.slope[nth] = (probability - (labels[row] ?? 0)) * weight
      drawn.bend[nth] = Math.max(probability * (1 - probability), 1e-6) * weight
    })
    const tree = growTree(drawn, growth)
    for (const row of rows) scores[row] = (scores[row] ?? 0) + evaluateTree(tree, samples, row)
    trees.push(tree)
  }
  return { base, trees }
}

/** Returns the score of a row by one tree. */
function evaluateTree({ columns, bins, below, others, answers }: Tree, samples: Samples, row: number): number {
  const start = row * samples.columns
  let node = 0
  for (let column = columns[0] ?? -1; column >= 0; column = columns[node] ?? -1)
    node = ((samples.bins[start + column] ?? 0) <= (bins[node] ?? 0) ? below[node] : others[node]) ?? 0
  return answers[node] ?? 0
}

/** Returns the probability that a row is content. Rows that are surely none pass only a part of the trees, as in the extraction. */
export function evaluateForest({ base, trees }: Forest, samples: Samples, row: number): number {
  let score = base
  for (const [count, tree] of trees.entries()) {
    if (count > 0 && count % TREES_PER_CHECK === 0 && score < MIN_SCORE) break
    score += evaluateTree(tree, samples, row)
  }
  return 1 / (1 + Math.exp(-score))
}

/** The rows and columns that a tree is grown on, copied together: a third of the time goes without the copy. */
interface Drawn {
  readonly columns: Int16Array
  /** Number of edges between the bins of each column. */
  readonly edges: readonly number[]
  readonly bins: Uint8Array
  /** First and second derivative of each row's loss. */
  readonly slope: Float64Array
  readonly bend: Float64Array
}

function draw(samples: Samples, rows: Int32Array, columns: Int16Array): Drawn {
  const bins = new Uint8Array(rows.length * columns.length)
  let to = 0
  for (const row of rows) {
    const start = row * samples.columns
    for (const column of columns) {
      bins[to] = samples.bins[start + column] ?? 0
      to += 1
    }
  }
  const edges = Array.from(columns, (column) => samples.edges[column]?.length ?? 0)
  return { columns, edges, bins, slope: new Float64Array(rows.length), bend: new Float64Array(rows.length) }
}

interface Leaf {
  readonly node: number
  /** Rows of the leaf, as numbers of drawn rows. */
  readonly rows: Int32Array
  /** Sums of slope and bend over the rows, for each bin of each column. */
  readonly sums: Float64Array
  readonly split: Split
}

interface Split {
  readonly gain: number
  /** Index among the drawn columns; -1 if no split gains anything. */
  readonly place: number
  readonly bin: number
  /** The score of the leaf if it is not split. */
  readonly answer: number
}

/** Grows a tree: repeatedly splits the leaf with the greatest gain. */
function growTree(drawn: Drawn, growth: Growth): Tree {
  const size = 2 * growth.leaves
  const tree: Tree = {
    columns: new Int16Array(size).fill(-1),
    bins: new Uint8Array(size),
    below: new Int16Array(size),
    others: new Int16Array(size),
    answers: new Float64Array(size),
  }
  let nodes = 0
  const makeLeaf = (rows: Int32Array, sums: Float64Array): Leaf => {
    const split = findSplit(drawn, sums, growth)
    const node = nodes
    nodes += 1
    tree.answers[node] = split.answer
    return { node, rows, sums, split }
  }
  const all = Int32Array.from(drawn.slope, (_, row) => row)
  const open = [makeLeaf(all, addUp(drawn, all))]
  for (let leaves = 1; leaves < growth.leaves; leaves += 1) {
    const best = open.reduce((most, leaf) => (leaf.split.gain > most.split.gain ? leaf : most))
    if (best.split.place < 0) break
    open.splice(open.indexOf(best), 1)
    const [below, others] = divide(drawn, best)
    // The sums of the larger half are those of the whole minus those of the smaller.
    const smaller = addUp(drawn, below.length < others.length ? below : others)
    const greater = best.sums
    for (let at = 0; at < greater.length; at += 1) greater[at] = (greater[at] ?? 0) - (smaller[at] ?? 0)
    const first = makeLeaf(below, below.length < others.length ? smaller : greater)
    const second = makeLeaf(others, below.length < others.length ? greater : smaller)
    tree.columns[best.node] = drawn.columns[best.split.place] ?? -1
    tree.bins[best.node] = best.split.bin
    tree.below[best.node] = first.node
    tree.others[best.node] = second.node
    open.push(first, second)
  }
  return tree
}

/** Divides the rows of a leaf by its split. */
function divide({ bins, columns }: Drawn, { rows, split: { place, bin } }: Leaf): [Int32Array, Int32Array] {
  const divided = new Int32Array(rows.length)
  let below = 0
  let others = rows.length
  for (const row of rows)
    if ((bins[row * columns.length + place] ?? 0) <= bin) {
      divided[below] = row
      below += 1
    } else {
      others -= 1
      divided[others] = row
    }
  return [divided.subarray(0, below), divided.subarray(below)]
}

function addUp({ columns, bins, slope, bend }: Drawn, rows: Int32Array): Float64Array {
  const width = columns.length
  const sums = new Float64Array(width * BINS * 2)
  // Row by row, because the values of a row are adjacent in memory, which is several times faster.
  for (const row of rows) {
    const rise = slope[row] ?? 0
    const weight = bend[row] ?? 0
    let from = row * width
    for (let column = 0; column < sums.length; column += BINS * 2) {
      const at = column + 2 * (bins[from] ?? 0)
      sums[at] = (sums[at] ?? 0) + rise
      sums[at + 1] = (sums[at + 1] ?? 0) + weight
      from += 1
    }
  }
  return sums
}

function findSplit({ edges }: Drawn, sums: Float64Array, { shrink, minWeight, rate }: Growth): Split {
  let slope = 0
  let bend = 0
  for (let at = 0; at < BINS * 2; at += 2) {
    slope += sums[at] ?? 0
    bend += sums[at + 1] ?? 0
  }
  const worth = (s: number, b: number): number => (s * s) / (b + shrink)
  const whole = worth(slope, bend)
  let gain = 1e-4
  let place = -1
  let split = -1
  for (let column = 0; column < edges.length; column += 1) {
    let below = 0
    let weight = 0
    const from = column * BINS * 2
    const end = edges[column] ?? 0
    for (let bin = 0; bin < end; bin += 1) {
      below += sums[from + bin * 2] ?? 0
      weight += sums[from + bin * 2 + 1] ?? 0
      if (weight < minWeight || bend - weight < minWeight) continue
      const more = worth(below, weight) + worth(slope - below, bend - weight) - whole
      if (more <= gain) continue
      gain = more
      place = column
      split = bin
    }
  }
  return { gain, place, bin: split, answer: (-slope / (bend + shrink)) * rate }
}
