import type { Forest, Samples, TreeNode } from './grow-trees.js'

/** The model as the source file that the extraction loads. */
export function printModel(
  { base, trees }: Forest,
  { edges }: Samples,
  evidence: readonly string[],
  nameWeights: ReadonlyMap<string, number>,
): string {
  const names = [...nameWeights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, weight]) => `${word}:${weight}`)
  return [
    '// Made by `npm run learn:content`: see benchmarks/README.md. Not to be edited.',
    '',
    '/** What tells main content from the rest of a page, learnt from pages with reference answers. */',
    'export const contentModel = {',
    '  /** The evidence that is asked for, by number. */',
    `  evidence: '${evidence.join(' ')}',`,
    '  /** What is added up when nothing is known of a block. */',
    `  base: ${base.toFixed(4)},`,
    '  /** Words of class names and ids, and what they weigh: above 0 they stand around content. */',
    `  names: '${names.join(' ')}',`,
    '  /** Each tree with its questions before their answers: `evidence<border`, or `=what is added`. */',
    '  trees: [',
    ...trees.map((tree) => `    '${printTree(tree, edges)}',`),
    '  ],',
    '} as const',
    '',
  ].join('\n')
}

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
