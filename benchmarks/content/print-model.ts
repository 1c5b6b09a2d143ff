import type { Forest, Samples, TreeNode } from './grow-trees.js'

/** A forest with what it was grown on. */
export interface Look {
  readonly forest: Forest
  readonly edges: Samples['edges']
  readonly names: readonly string[]
}

/** All that was learnt. */
export interface Learnt {
  readonly first: Look
  /** It is asked for all that the first is, and then for what that said. */
  readonly second: Look
  readonly nameWeights: ReadonlyMap<string, number>
}

/** The model as the source file that the extraction loads. */
export function printModel({ first, second, nameWeights }: Learnt): string {
  const names = [...nameWeights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, weight]) => `${word}:${weight}`)
  return [
    '// Made by `npm run learn:content`: see benchmarks/README.md. Not to be edited.',
    '',
    '/** What tells main content from the rest of a page, learnt from pages with reference answers. */',
    'export const contentModel = {',
    '  /** The evidence that is asked for, by number. */',
    `  evidence: '${first.names.join(' ')}',`,
    '  /** What the second look asks for besides, numbered on. */',
    `  context: '${second.names.slice(first.names.length).join(' ')}',`,
    '  /** Words of class names and ids, and what they weigh: above 0 they stand around content. */',
    `  names: '${names.join(' ')}',`,
    '  /** What is added up when nothing is known, and trees, questions before answers: `evidence<border`, or `=what is added`. */',
    ...printLook('first', first),
    '  /** The same, with what the first said of the blocks around. */',
    ...printLook('second', second),
    '} as const',
    '',
  ].join('\n')
}

const printLook = (name: string, { forest: { base, trees }, edges }: Look): string[] => [
  `  ${name}: {`,
  `    base: ${base.toFixed(4)},`,
  '    trees: [',
  ...trees.map((tree) => `      '${printTree(tree, edges)}',`),
  '    ],',
  '  },',
]

function printTree(tree: readonly TreeNode[], edges: Samples['edges']): string {
  const tokens: string[] = []
  const open = [0]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const node = tree[at]
    if (node === undefined) continue
    if ('answer' in node) tokens.push(`=${short(node.answer)}`)
    else {
      tokens.push(`${node.column}<${short(edges[node.column]?.[node.bin] ?? 0)}`)
      open.push(node.others, node.below)
    }
  }
  return tokens.join(' ')
}

/** As short as may be: four digits say enough. */
const short = (value: number): string => String(Number(value.toPrecision(4))).replace(/^(-?)0\./, '$1.')
