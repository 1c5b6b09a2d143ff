import { contentModel } from './content-model.js'
import { readContext } from './context-evidence.js'
import { buildFeatures, type EvidenceSource } from '../features/build-features.js'
import { FeatureVector } from '../features/feature-vector.js'
import type { Block } from '../blocks/read-blocks.js'

/** Decision trees, all in one: a node is a question or, with `asked` -1, an answer. */
interface Trees {
  readonly roots: readonly number[]
  /** Which evidence a node asks for. */
  readonly asked: Int16Array
  /** Less than this leads to the next node, all else to `others`; of an answer, what it adds. */
  readonly value: Float64Array
  readonly others: Int32Array
  readonly base: number
}

const countNames = (names: string): number => names.split(' ').length

const EVIDENCE = countNames(contentModel.evidence)

let looks: { readonly first: Trees; readonly second: Trees } | undefined

/** The evidence of so many blocks is kept from the first look to the second; beyond, it is gathered again. */
const MAX_KEPT = 20_000

/**
 * How likely each block of a page is main content, 0 to 1: by all the evidence there is, and then once more with what the first
 * look said of the blocks around it and of those of its form.
 */
export function judgeBlocks(source: Omit<EvidenceSource, 'nameWeights'>): Float64Array {
  looks ??= { first: readTrees(contentModel.first), second: readTrees(contentModel.second) }
  const { read } = source
  const { blocks } = read
  const gathered = buildFeatures({ ...source, nameWeights: nameWeights() })
  const row = new FeatureVector(EVIDENCE + countNames(contentModel.context))
  const isKept = blocks.length <= MAX_KEPT
  const kept = new Float64Array(isKept ? EVIDENCE * blocks.length : 0)
  const first = askTrees(looks.first, blocks, row.numbers, (block) => {
    row.moveTo(0)
    gathered.read(block, row.put)
    if (isKept) kept.set(row.numbers.subarray(0, EVIDENCE), EVIDENCE * block.at)
  })
  const context = readContext(read, first)
  return askTrees(looks.second, blocks, row.numbers, (block) => {
    row.moveTo(0)
    if (!isKept) gathered.read(block, row.put)
    else row.numbers.set(kept.subarray(EVIDENCE * block.at, EVIDENCE * (block.at + 1)))
    row.moveTo(EVIDENCE)
    context.read(block, row.put)
  })
}

/** So many blocks are asked about by one tree after another: what a tree asks is then at hand, which is half the time. */
const TOGETHER = 16

/** What the trees make of each block, 0 to 1. @param fill writes the numbers of a block */
function askTrees(
  { base, asked, value, others, roots }: Trees,
  blocks: readonly Block[],
  numbers: Float64Array,
  fill: (block: Block) => void,
): Float64Array {
  const chances = new Float64Array(blocks.length)
  const width = numbers.length
  const some = new Float64Array(width * TOGETHER)
  const sums = new Float64Array(TOGETHER)
  for (let from = 0; from < blocks.length; from += TOGETHER) {
    const count = Math.min(TOGETHER, blocks.length - from)
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
        for (let question = asked[at] ?? -1; question >= 0; question = asked[at] ?? -1)
          at = (some[start + question] ?? 0) < (value[at] ?? 0) ? at + 1 : (others[at] ?? 0)
        sums[nth] = (sums[nth] ?? 0) + (value[at] ?? 0)
      }
    for (let nth = 0; nth < count; nth += 1) chances[from + nth] = 1 / (1 + Math.exp(-(sums[nth] ?? 0)))
  }
  return chances
}

let weights: ReadonlyMap<string, number> | undefined

function nameWeights(): ReadonlyMap<string, number> {
  weights ??= new Map(
    contentModel.names.split(' ').map((pair): [string, number] => {
      const [word = '', weight] = pair.split(':')
      return [word, Number(weight)]
    }),
  )
  return weights
}

/** Reads the trees: each is a line, question before answers, `number<threshold` or `=answer`. */
function readTrees({ base, trees }: { readonly base: number; readonly trees: readonly string[] }): Trees {
  const asked: number[] = []
  const value: number[] = []
  const others: number[] = []
  const roots: number[] = []
  for (const line of trees) {
    roots.push(asked.length)
    // Questions whose second branch has not begun.
    const open: number[] = []
    for (const token of line.split(' ')) {
      const at = asked.length
      const [question = '', threshold] = token.split('<')
      others.push(0)
      if (threshold === undefined) {
        asked.push(-1)
        value.push(Number(question.slice(1)))
        const parent = open.pop()
        if (parent !== undefined) others[parent] = at + 1
      } else {
        asked.push(Number(question))
        value.push(Number(threshold))
        open.push(at)
      }
    }
  }
  return {
    roots,
    asked: Int16Array.from(asked),
    value: Float64Array.from(value),
    others: Int32Array.from(others),
    base,
  }
}
