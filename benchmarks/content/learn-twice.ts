import { askForest, type Forest, type Growth, growTrees, type Samples } from './grow-trees.js'
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

/** Pages of one site are of one part. */
export interface Parted {
  readonly pages: readonly PageSamples[]
  readonly partOf: (page: PageSamples) => number
  readonly parts: number
}

export interface Growths {
  readonly first: Growth
  readonly second: Growth
}

/** What pages whose sites were not learnt from are judged to be. */
type Judged = Float64Array

/** Learns the first look from all pages, and the second from what the first says of pages that it did not learn from. */
export function learnTwice(
  parted: Parted,
  rows: Rows,
  growths: Growths,
): { first: Pass; second: Pass; judged: Judged } {
  const { pages } = parted
  const forest = learn(rows, pages, () => true, growths.first)
  const unseen = judgeUnseen(parted, rows, growths, [])
  const both = lookAround(pages, rows, [unseen])[0] ?? rows
  const second = learn(both, pages, () => true, growths.second)
  const judged = Float64Array.from({ length: rows.rows }, (_, row) => askForest(second, both, row))
  return {
    first: { forest, edges: rows.edges, names: rows.names },
    second: { forest: second, edges: both.edges, names: both.names },
    judged,
  }
}

/** Judges each part by both looks, neither of which has learnt from it, directly or by the other. */
export function judgeOthers(parted: Parted, rows: Rows, growths: Growths): Judged {
  const { pages, partOf, parts } = parted
  const known = new Map<string, Forest>()
  const unseen = Array.from({ length: parts }, (_, part) => judgeUnseen(parted, rows, growths, [part], known))
  const judged = new Float64Array(rows.rows)
  lookAround(pages, rows, unseen).forEach((both, part) => {
    const forest = learn(both, pages, (page) => partOf(page) !== part, growths.second)
    for (let row = 0; row < rows.rows; row += 1) {
      const page = pages[rows.pageOf[row] ?? 0]
      if (page !== undefined && partOf(page) === part) judged[row] = askForest(forest, both, row)
    }
  })
  return judged
}

/** The first look at each part by what is learnt from all others but these. */
function judgeUnseen(
  { pages, partOf, parts }: Parted,
  rows: Rows,
  { first }: Growths,
  others: readonly number[],
  known = new Map<string, Forest>(),
): Judged {
  const judged = new Float64Array(rows.rows)
  for (let part = 0; part < parts; part += 1) {
    const left = new Set([part, ...others])
    const key = [...left].sort((a, b) => a - b).join(' ')
    const forest = known.get(key) ?? learn(rows, pages, (page) => !left.has(partOf(page)), first)
    known.set(key, forest)
    for (let row = 0; row < rows.rows; row += 1) {
      const page = pages[rows.pageOf[row] ?? 0]
      if (page !== undefined && partOf(page) === part) judged[row] = askForest(forest, rows, row)
    }
  }
  return judged
}

/** For each judgement the rows with what it says around each block. */
function lookAround(pages: readonly PageSamples[], rows: Rows, judgements: readonly Judged[]): Rows[] {
  let row = 0
  let names: readonly string[] = []
  const values: Float32Array[] = judgements.map(() => new Float32Array(0))
  for (const page of pages) {
    const from = row
    row += page.blocks.length
    page.lookAround(judgements.map((judged) => judged.slice(from, row))).forEach((around, which) => {
      names = around.names
      if (values[which]?.length === 0) values[which] = new Float32Array(rows.rows * names.length)
      around.numbers.forEach((numbers, at) => values[which]?.set(numbers, (from + at) * names.length))
    })
  }
  return values.map((own) => widen(rows, own, names))
}

/** Rows with more columns. */
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

/** Short blocks are many: a third of them stands for all. */
const FEW_WORDS = 8
const SHARE_OF_SHORT = 0.35

function learn(
  all: Rows,
  pages: readonly PageSamples[],
  isLearntFrom: (page: PageSamples) => boolean,
  growth: Growth,
): Forest {
  const random = makeRandom(3)
  const weights = all.weights.slice()
  const rows: number[] = []
  for (let row = 0; row < all.rows; row += 1) {
    const page = pages[all.pageOf[row] ?? 0]
    const isShort = (all.words[row] ?? 0) < FEW_WORDS
    const isTaken = !isShort || random() < SHARE_OF_SHORT
    if (page === undefined || weights[row] === 0 || !isTaken || !isLearntFrom(page)) continue
    if (isShort) weights[row] = (weights[row] ?? 0) / SHARE_OF_SHORT
    rows.push(row)
  }
  return growTrees({ ...all, weights }, rows, growth)
}
