import type { Forest, Samples, Tree } from './grow-trees.js'

/** A trained model. */
export interface Learnt {
  readonly forest: Forest
  /** The bins and the names of the features that the forest was grown on. */
  readonly edges: Samples['edges']
  readonly names: readonly string[]
  readonly nameWeights: ReadonlyMap<string, number>
}

/**
 * Prints the model as the JSON that the extraction loads, a tree on each line:
 *
 * - `features`: the names of the features in order;
 * - `nameWeights`: words of class names and ids, with a log-odds weight, above 0 for words around content;
 * - `forest`: the score before any tree, and trees in depth-first order. A node of a tree is a feature's number and a
 *   threshold, or -1 and the score of a leaf.
 */
export function printModel({ forest, edges, names: features, nameWeights }: Learnt): string {
  const names = [...nameWeights].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    '{',
    `  "features": ${JSON.stringify(features)},`,
    `  "nameWeights": ${JSON.stringify(Object.fromEntries(names))},`,
    `  "forest": ${printForest(forest, edges)}`,
    '}',
    '',
  ].join('\n')
}

function printForest({ base, trees }: Forest, edges: Samples['edges']): string {
  const lines = trees.map((tree) => `      ${JSON.stringify(flatten(tree, edges))}`)
  return ['{', `    "base": ${Number(base.toFixed(4))},`, '    "trees": [', lines.join(',\n'), '    ]', '  }'].join(
    '\n',
  )
}

function flatten(tree: Tree, edges: Samples['edges']): { features: number[]; values: number[] } {
  const features: number[] = []
  const values: number[] = []
  const open = [0]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const column = tree.columns[at] ?? -1
    features.push(column)
    if (column < 0) {
      values.push(round(tree.answers[at] ?? 0))
      continue
    }
    values.push(round(edges[column]?.[tree.bins[at] ?? 0] ?? 0))
    open.push(tree.others[at] ?? 0, tree.below[at] ?? 0)
  }
  return { features, values }
}

/** Rounds to four digits, which keep the file small and change no prediction that matters. */
const round = (value: number): number => Number(value.toPrecision(4))
