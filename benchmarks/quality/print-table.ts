import type { SetScore } from './run-scorer.js'

/** Another tool's scores on the same pages, from the collection. */
interface Baseline {
  readonly f: number
  readonly typeMean?: number
  readonly types?: Readonly<Record<string, number>>
  readonly with?: number
  readonly without?: number
  readonly structure?: Readonly<Record<string, number>>
}

/** Scores by tool and set. */
export type Baselines = Readonly<Record<string, Readonly<Record<string, Baseline>>>>

/** A tool's scores, by set. */
type Tool = Readonly<Record<string, Baseline>>

/** A column of the table: its title, a reader of the value, and the direction that is better. */
interface Column {
  readonly title: string
  readonly read: (scores: Tool) => number | undefined
  readonly isUnwanted?: true
}

const TYPES = ['article', 'documentation', 'service', 'listing', 'forum', 'product', 'collection']
const STRUCTURE = ['headings', 'items', 'rows', 'code', 'links']

const mainColumns: readonly Column[] = [
  ...['aeb', 'traf', 'wcxb'].map((set) => ({ title: set.toUpperCase(), read: (scores: Tool) => scores[set]?.f })),
  { title: 'mean of types', read: ({ wcxb }) => wcxb?.typeMean },
  ...TYPES.map((type) => ({ title: type, read: ({ wcxb }: Tool) => wcxb?.types?.[type] })),
]

const snippetColumns: readonly Column[] = [
  { title: 'wanted snippets', read: ({ wcxb }) => wcxb?.with },
  { title: 'unwanted snippets', read: ({ wcxb }) => wcxb?.without, isUnwanted: true },
  ...STRUCTURE.map((kind) => ({ title: kind, read: ({ wcxb }: Tool) => wcxb?.structure?.[kind] })),
]

/** Prints two tables of trawl beside all other tools, in the order of their F1 on WCXB. */
export function printTables(sets: readonly SetScore[], baselines: Baselines): string {
  const trawl = Object.fromEntries(sets.map((score) => [score.set, asBaseline(score)]))
  const others = Object.entries(baselines).toSorted(([, a], [, b]) => (b['wcxb']?.f ?? 0) - (a['wcxb']?.f ?? 0))
  return [mainColumns, snippetColumns].map((columns) => printTable(columns, trawl, others)).join('\n\n')
}

function printTable(columns: readonly Column[], trawl: Tool, others: readonly (readonly [string, Tool])[]): string {
  const shown = columns.filter(({ read }) => read(trawl) !== undefined)
  const best = ({ read, isUnwanted }: Column): number | undefined => {
    const seen = others.flatMap(([, scores]) => read(scores) ?? [])
    return seen.length === 0 ? undefined : isUnwanted ? Math.min(...seen) : Math.max(...seen)
  }
  const printRow = (name: string, read: (column: Column) => number | undefined): string[] => {
    const cells = shown.map((column) => read(column)?.toFixed(3) ?? '')
    return cells.every((cell) => cell === '') ? [] : [`| ${[name, ...cells].join(' | ')} |`]
  }
  return [
    `| ${['', ...shown.map(({ title }) => title)].join(' | ')} |`,
    `| --- |${' ---: |'.repeat(shown.length)}`,
    ...printRow('**trawl**', ({ read }) => read(trawl)),
    ...printRow('_best of the others_', best),
    ...others.flatMap(([name, scores]) => printRow(name, ({ read }) => read(scores))),
  ].join('\n')
}

const asBaseline = ({ f, typeMean, types, with: wanted, without: unwanted, structure }: SetScore): Baseline => ({
  f,
  ...(typeMean === undefined ? {} : { typeMean }),
  ...(wanted === undefined ? {} : { with: wanted }),
  ...(unwanted === undefined ? {} : { without: unwanted }),
  ...(types === undefined ? {} : { types: readF(types) }),
  ...(structure === undefined ? {} : { structure: readF(structure) }),
})

const readF = (scores: Readonly<Record<string, { readonly f: number }>>): Record<string, number> =>
  Object.fromEntries(Object.entries(scores).map(([name, { f }]) => [name, f]))
