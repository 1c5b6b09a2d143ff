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

/** Node of a decision tree: a threshold with two branches, or a leaf with a score. */
export type TreeNode =
  | { readonly column: number; readonly bin: number; readonly below: number; readonly others: number }
  | { readonly answer: number }

export interface Forest {
  readonly base: number
  readonly trees: readonly (readonly TreeNode[])[]
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

interface Split {
  readonly gain: number
  readonly column: number
  readonly bin: number
  readonly answer: number
}

interface Leaf {
  readonly node: number
  readonly rows: Int32Array
  readonly sums: Float64Array
  readonly split: Split
}

/**
 * Trains the trees of a gradient-boosted forest: each one is fitted to the errors of those before it.
 *
 * @see https://doi.org/10.1016/S0167-9473(01)00065-2 Friedman: Stochastic gradient boosting (2002)
 */
export function growTrees(samples: Samples, rows: readonly number[], growth: Growth): Forest {
  const random = makeRandom(growth.seed)
  const { labels, weights, bins } = samples
  let all = 0
  let positive = 0
  for (const row of rows) {
    all += weights[row] ?? 0
    positive += (weights[row] ?? 0) * (labels[row] ?? 0)
  }
  const base = Math.log(positive / (all - positive))
  const scale = rows.length / all
  const scores = new Float64Array(samples.rows).fill(base)
  const slope = new Float64Array(samples.rows)
  const bend = new Float64Array(samples.rows)
  const trees: TreeNode[][] = []
  for (let count = 0; count < growth.trees; count += 1) {
    const seen = Int32Array.from(rows.filter(() => random() < growth.rowShare))
    for (const row of seen) {
      const probability = 1 / (1 + Math.exp(-(scores[row] ?? 0)))
      const weight = (weights[row] ?? 0) * scale
      slope[row] = (probability - (labels[row] ?? 0)) * weight
      bend[row] = Math.max(probability * (1 - probability), 1e-6) * weight
    }
    const columns = samples.edges.flatMap((edges, column) =>
      edges.length > 0 && random() < growth.columnShare ? [column] : [],
    )
    const tree = growTree({ samples, growth, columns, slope, bend }, seen)
    for (const row of rows) scores[row] = (scores[row] ?? 0) + evaluateTree(tree, bins, samples.columns, row)
    trees.push(tree)
  }
  return { base, trees }
}

/** Returns the score of a row by one tree. */
function evaluateTree(tree: readonly TreeNode[], bins: Uint8Array, columns: number, row: number): number {
  for (let node = tree[0]; node !== undefined;) {
    if ('answer' in node) return node.answer
    node = tree[(bins[row * columns + node.column] ?? 0) <= node.bin ? node.below : node.others]
  }
  return 0
}

/** Returns the probability that a row is content. */
export function evaluateForest({ base, trees }: Forest, { bins, columns }: Samples, row: number): number {
  return 1 / (1 + Math.exp(-trees.reduce((sum, tree) => sum + evaluateTree(tree, bins, columns, row), base)))
}

interface Growing {
  readonly samples: Samples
  readonly growth: Growth
  readonly columns: readonly number[]
  readonly slope: Float64Array
  readonly bend: Float64Array
}

/** Grows a tree: repeatedly splits the leaf with the greatest gain. */
function growTree(growing: Growing, rows: Int32Array): TreeNode[] {
  const { samples, growth, columns } = growing
  const nodes: TreeNode[] = []
  const makeLeaf = (held: Int32Array, sums: Float64Array): Leaf => {
    const split = findSplit(growing, sums)
    nodes.push({ answer: split.answer })
    return { node: nodes.length - 1, rows: held, sums, split }
  }
  const open = [makeLeaf(rows, addUp(growing, rows))]
  for (let leaves = 1; leaves < growth.leaves; leaves += 1) {
    const best = open.reduce((most, leaf) => (leaf.split.gain > most.split.gain ? leaf : most))
    if (best.split.column < 0) break
    open.splice(open.indexOf(best), 1)
    const column = columns[best.split.column] ?? 0
    const isBelow = (row: number): boolean => (samples.bins[row * samples.columns + column] ?? 0) <= best.split.bin
    const below = best.rows.filter(isBelow)
    const others = best.rows.filter((row) => !isBelow(row))
    // The sums of the larger half are those of the whole minus those of the smaller.
    const smaller = addUp(growing, below.length < others.length ? below : others)
    const greater = best.sums.map((sum, at) => sum - (smaller[at] ?? 0))
    const first = makeLeaf(below, below.length < others.length ? smaller : greater)
    const second = makeLeaf(others, below.length < others.length ? greater : smaller)
    nodes[best.node] = { column, bin: best.split.bin, below: first.node, others: second.node }
    open.push(first, second)
  }
  return nodes
}

function addUp({ samples, columns, slope, bend }: Growing, rows: Int32Array): Float64Array {
  const sums = new Float64Array(columns.length * BINS * 2)
  // Row by row, because the values of a row are adjacent in memory, which is several times faster.
  for (const row of rows) {
    const from = row * samples.columns
    const rise = slope[row] ?? 0
    const weight = bend[row] ?? 0
    for (let place = 0; place < columns.length; place += 1) {
      const at = (place * BINS + (samples.bins[from + (columns[place] ?? 0)] ?? 0)) * 2
      sums[at] = (sums[at] ?? 0) + rise
      sums[at + 1] = (sums[at + 1] ?? 0) + weight
    }
  }
  return sums
}

function findSplit({ samples, growth, columns }: Growing, sums: Float64Array): Split {
  let slope = 0
  let bend = 0
  for (let at = 0; at < BINS * 2; at += 2) {
    slope += sums[at] ?? 0
    bend += sums[at + 1] ?? 0
  }
  const worth = (s: number, b: number): number => (s * s) / (b + growth.shrink)
  let best: Split = { gain: 1e-4, column: -1, bin: -1, answer: (-slope / (bend + growth.shrink)) * growth.rate }
  columns.forEach((column, place) => {
    let below = 0
    let weight = 0
    const from = place * BINS * 2
    const edges = samples.edges[column]?.length ?? 0
    for (let bin = 0; bin < edges; bin += 1) {
      below += sums[from + bin * 2] ?? 0
      weight += sums[from + bin * 2 + 1] ?? 0
      if (weight < growth.minWeight || bend - weight < growth.minWeight) continue
      const gain = worth(below, weight) + worth(slope - below, bend - weight) - worth(slope, bend)
      if (gain > best.gain) best = { ...best, gain, column: place, bin }
    }
  })
  return best
}
