import type contentModel from './content-model.json'

/** The trees as `content-model.json` has them: in depth-first order, a question before its two branches. */
type StoredForest = (typeof contentModel)['forest']

/** Rows that go through the trees together: one for each bit of a number. */
const BATCH_SIZE = 32

/**
 * After each so many trees, blocks with a lower score than this, as log-odds, are surely no content and leave: a block
 * passes 326 of 480 trees on average. No figure of sites that were not trained on falls by this.
 */
export const TREES_PER_CHECK = 80
export const MIN_SCORE = -4.5

/**
 * Decision trees that many rows of features go through at the same time.
 *
 * The trees ask 11,040 questions with 3,576 different thresholds. For each threshold, a mask has one bit for each row that
 * is below it. A question then divides all rows of a batch by one mask. The blocks of a page are much alike, so that 25 of
 * them pass ten nodes of a tree together, where each alone would pass six.
 */
export class Forest {
  readonly #row: Float64Array
  readonly #base: number
  readonly #roots: Int32Array
  /** The number of the threshold that a node compares with; -1 for a leaf. */
  readonly #questions: Int16Array
  /** The node after a question's first branch, where rows go that are not below the threshold. */
  readonly #others: Int32Array
  /** The scores of leaves, by node. */
  readonly #scores: Float64Array
  /** The thresholds of all features in ascending order, and the first of each feature. */
  readonly #thresholds: Float64Array
  readonly #begins: Int32Array
  /** The value of each feature in the row before, and its first greater threshold: four of five values are that of the row before. */
  readonly #last: Float64Array
  readonly #lastPlaces: Int32Array
  readonly #masks: Int32Array
  readonly #sums = new Float64Array(BATCH_SIZE)
  readonly #open: OpenBranches

  /** @param row features of the row that is added next */
  constructor({ base, trees }: StoredForest, row: Float64Array) {
    const width = row.length
    this.#row = row
    this.#base = base
    const nodes = joinTrees(trees)
    this.#roots = nodes.roots
    this.#others = nodes.others
    this.#scores = nodes.values
    const { thresholds, begins } = listThresholds(nodes, width)
    this.#thresholds = thresholds
    this.#begins = begins
    this.#questions = nodes.features.map((feature, at) => {
      if (feature < 0) return -1
      return firstAbove(nodes.values[at] ?? 0, thresholds, begins[feature] ?? 0, begins[feature + 1] ?? 0) - 1
    })
    this.#last = new Float64Array(width).fill(NaN)
    this.#lastPlaces = new Int32Array(width)
    this.#masks = new Int32Array(thresholds.length)
    const depth = Math.max(...trees.map(({ features }) => features.length))
    this.#open = { nodes: new Int32Array(depth), rows: new Int32Array(depth) }
  }

  /**
   * Returns for each row the sum of its scores, as a probability of 0 to 1.
   *
   * @param count number of rows
   * @param fill writes the features of a row
   */
  evaluate(count: number, fill: (nth: number) => void): Float64Array {
    const probabilities = new Float64Array(count)
    const sums = this.#sums
    for (let from = 0; from < count; from += BATCH_SIZE) {
      const size = Math.min(BATCH_SIZE, count - from)
      this.#masks.fill(0)
      for (let nth = 0; nth < size; nth += 1) {
        fill(from + nth)
        this.#addRow(1 << nth)
      }
      this.#completeMasks()
      this.#passTrees(size)
      for (let nth = 0; nth < size; nth += 1) probabilities[from + nth] = 1 / (1 + Math.exp(-(sums[nth] ?? 0)))
    }
    return probabilities
  }

  /** Adds a row to the mask of the first greater threshold of each feature. */
  #addRow(bit: number): void {
    const row = this.#row
    const thresholds = this.#thresholds
    const begins = this.#begins
    const last = this.#last
    const lastPlaces = this.#lastPlaces
    const masks = this.#masks
    for (let feature = 0; feature < row.length; feature += 1) {
      const value = row[feature] ?? 0
      const end = begins[feature + 1] ?? 0
      let place = lastPlaces[feature] ?? 0
      if (value !== last[feature]) {
        place = firstAbove(value, thresholds, begins[feature] ?? 0, end)
        last[feature] = value
        lastPlaces[feature] = place
      }
      if (place < end) masks[place] = (masks[place] ?? 0) | bit
    }
  }

  /** Adds the rows below each threshold to the mask of the next one. */
  #completeMasks(): void {
    const masks = this.#masks
    const begins = this.#begins
    for (let feature = 0; feature < begins.length - 1; feature += 1) {
      const end = begins[feature + 1] ?? 0
      let rows = 0
      for (let at = begins[feature] ?? 0; at < end; at += 1) {
        rows |= masks[at] ?? 0
        masks[at] = rows
      }
    }
  }

  /** Sums up the scores of the leaves that the rows of a batch reach. */
  #passTrees(size: number): void {
    const roots = this.#roots
    this.#sums.fill(this.#base)
    let left = size === BATCH_SIZE ? -1 : (1 << size) - 1
    for (let tree = 0; tree < roots.length; tree += 1) {
      if (tree > 0 && tree % TREES_PER_CHECK === 0) left = this.#dropSure(left)
      if (left === 0) return
      this.#passTree(roots[tree] ?? 0, left)
    }
  }

  #passTree(root: number, rows: number): void {
    const questions = this.#questions
    const others = this.#others
    const masks = this.#masks
    const sums = this.#sums
    const open = this.#open
    let depth = 0
    let at = root
    let here = rows
    for (;;) {
      const question = questions[at] ?? -1
      if (question >= 0) {
        const below = here & (masks[question] ?? 0)
        if (below === here) at += 1
        else if (below === 0) at = others[at] ?? 0
        else {
          open.nodes[depth] = others[at] ?? 0
          open.rows[depth] = here & ~below
          depth += 1
          here = below
          at += 1
        }
        continue
      }
      const score = this.#scores[at] ?? 0
      while (here !== 0) {
        const lowest = here & -here
        const nth = 31 - Math.clz32(lowest)
        sums[nth] = (sums[nth] ?? 0) + score
        here ^= lowest
      }
      if (depth === 0) return
      depth -= 1
      at = open.nodes[depth] ?? 0
      here = open.rows[depth] ?? 0
    }
  }

  /** Removes the rows that are surely no content from those left in a batch. */
  #dropSure(left: number): number {
    const sums = this.#sums
    let kept = left
    for (let nth = 0; nth < BATCH_SIZE; nth += 1) if ((sums[nth] ?? 0) < MIN_SCORE) kept &= ~(1 << nth)
    return kept
  }
}

/** Branches that some rows of a batch took while the others took the first one. */
interface OpenBranches {
  readonly nodes: Int32Array
  readonly rows: Int32Array
}

/** Returns the place of the first threshold of a range that is greater than a value; the end of the range without one. */
function firstAbove(value: number, thresholds: Float64Array, begin: number, end: number): number {
  let from = begin
  for (let to = end; from < to;) {
    const middle = (from + to) >> 1
    if (value < (thresholds[middle] ?? 0)) to = middle
    else from = middle + 1
  }
  return from
}

/** The trees joined, with the number of the feature that a node compares; -1 for a leaf, whose value is its score. */
interface JoinedTrees {
  readonly roots: Int32Array
  readonly features: Int16Array
  readonly values: Float64Array
  readonly others: Int32Array
}

/** Joins the trees, and finds where the second branch of each question begins. */
function joinTrees(trees: StoredForest['trees']): JoinedTrees {
  const size = trees.reduce((sum, { features }) => sum + features.length, 0)
  const roots = new Int32Array(trees.length)
  const features = new Int16Array(size)
  const values = new Float64Array(size)
  const others = new Int32Array(size)
  let next = 0
  trees.forEach((tree, nth) => {
    roots[nth] = next
    features.set(tree.features, next)
    values.set(tree.values, next)
    // Questions whose second branch has not begun.
    const open: number[] = []
    for (const feature of tree.features) {
      if (feature >= 0) open.push(next)
      else {
        const parent = open.pop()
        if (parent !== undefined) others[parent] = next + 1
      }
      next += 1
    }
  })
  return { roots, features, values, others }
}

/** Lists the thresholds that features are compared with, those of each feature in ascending order. */
function listThresholds(
  { features, values }: JoinedTrees,
  width: number,
): { readonly thresholds: Float64Array; readonly begins: Int32Array } {
  const ofFeatures: number[][] = Array.from({ length: width }, () => [])
  features.forEach((feature, at) => {
    if (feature >= 0) ofFeatures[feature]?.push(values[at] ?? 0)
  })
  const begins = new Int32Array(width + 1)
  const thresholds: number[] = []
  ofFeatures.forEach((ofFeature, feature) => {
    new Float64Array(ofFeature).sort().forEach((value, nth, sorted) => {
      if (value !== sorted[nth - 1]) thresholds.push(value)
    })
    begins[feature + 1] = thresholds.length
  })
  return { thresholds: new Float64Array(thresholds), begins }
}
