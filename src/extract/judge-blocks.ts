import { contentModel } from './content-model.js'
import { gatherEvidence, type EvidenceSource } from './gather-evidence.js'

/** Decision trees, all in one: a node is a question or, with `asked` -1, an answer. */
interface Trees {
  readonly roots: readonly number[]
  /** Which evidence a node asks for. */
  readonly asked: Int16Array
  /** Less than this leads to the next node, all else to `others`; of an answer, what it adds. */
  readonly value: Float64Array
  readonly others: Int32Array
  readonly evidence: readonly string[]
}

let trees: Trees | undefined

/** How likely each block of a page is main content, by all the evidence there is: 0 to 1. */
export function judgeBlocks(source: Omit<EvidenceSource, 'nameWeights'>): Float64Array {
  trees ??= readTrees()
  const { asked, value, others, roots, evidence } = trees
  const gathered = gatherEvidence({ ...source, nameWeights: nameWeights() })
  const numbers = new Float64Array(evidence.length)
  const chances = new Float64Array(source.read.blocks.length)
  for (const block of source.read.blocks) {
    gathered.read(block, numbers)
    let sum = contentModel.base
    for (const root of roots) {
      let at = root
      for (let question = asked[at] ?? -1; question >= 0; question = asked[at] ?? -1)
        at = (numbers[question] ?? 0) < (value[at] ?? 0) ? at + 1 : (others[at] ?? 0)
      sum += value[at] ?? 0
    }
    chances[block.at] = 1 / (1 + Math.exp(-sum))
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
function readTrees(): Trees {
  const asked: number[] = []
  const value: number[] = []
  const others: number[] = []
  const roots: number[] = []
  for (const line of contentModel.trees) {
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
    evidence: contentModel.evidence.split(' '),
  }
}
