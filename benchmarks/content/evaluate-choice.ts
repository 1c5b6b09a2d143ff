import type { Baselines } from '../quality/print-table.js'
import type { PageSamples } from './read-samples.js'

type Split = (text: string) => string[]

/** Measures that the collection provides. */
export interface Metrics {
  readonly tokens: Split
  /** Like `tokens`, with each character of scripts that are written without spaces. */
  readonly tokensCjk: Split
  readonly shingles: (truth: string, text: string, split: Split) => object
  readonly words: (truth: string, text: string) => { readonly f: number }
  readonly segments: (want: readonly string[], unwanted: readonly string[], text: string) => object
  readonly snippetRate: (snippets: readonly string[], text: string) => number | null
  readonly totalShingles: (scores: readonly object[]) => Total
  readonly totalSegments: (scores: readonly object[]) => Total
}

interface Total {
  readonly p: number
  readonly r: number
  readonly f: number
}

/** Sets whose measure is the shingles of the whole text. */
const SHINGLE_SETS = ['aeb', 'fundus', 'turing', 'zh'] as const
/** Sets in which each character of a script without spaces is a word. */
const CJK_SETS: ReadonlySet<string> = new Set(['fundus', 'zh'])

/** Returns the figures of the texts that were chosen of pages: F1 of each set, and of each page type of WCXB. */
export function evaluateTexts(
  pages: readonly PageSamples[],
  texts: readonly string[],
  metrics: Metrics,
): Record<string, number> {
  const scored = pages.map((page, at) => ({ ...page.page, output: texts[at] ?? '' }))
  const ofSet = (set: string): typeof scored => scored.filter((page) => page.set === set)
  const figures: Record<string, number> = {}
  for (const set of SHINGLE_SETS) {
    const split = CJK_SETS.has(set) ? metrics.tokensCjk : metrics.tokens
    const total = metrics.totalShingles(
      ofSet(set).map(({ text = '', output }) => metrics.shingles(text, output, split)),
    )
    figures[set] = total.f
    figures[`${set} precision`] = total.p
    figures[`${set} recall`] = total.r
  }
  figures['traf'] = metrics.totalSegments(
    ofSet('traf').map(({ want, unwanted, output }) => metrics.segments(want, unwanted, output)),
  ).f
  const wordsOf = (some: typeof scored): number =>
    mean(some.map(({ text = '', output }) => metrics.words(text, output).f))
  for (const set of ['wcxb2', 'wcxb', 'documentation']) figures[set] = wordsOf(ofSet(set))
  const wcxb = ofSet('wcxb')
  const types = [...new Set(wcxb.map(({ type }) => type))].sort()
  const byType = types.map((type): [string, number] => [type, wordsOf(wcxb.filter((page) => page.type === type))])
  figures['wcxb mean of types'] = mean(byType.map(([, f]) => f))
  for (const [type, f] of byType) figures[`wcxb ${type}`] = f
  const rateOf = (name: 'want' | 'unwanted'): number =>
    mean(wcxb.flatMap(({ [name]: parts, output }) => metrics.snippetRate(parts, output) ?? []))
  figures['wcxb wanted snippets'] = rateOf('want')
  figures['wcxb unwanted snippets'] = rateOf('unwanted')
  return figures
}

const TYPE = /^wcxb (?!mean|wanted|unwanted)/
const SETS = [...SHINGLE_SETS, 'traf', 'wcxb2', 'wcxb', 'wcxb mean of types'] as const

/** Returns the figures as a table beside the best of other tools: F1 of each set, and of each page type of WCXB. */
export function printBesideOthers(figures: Readonly<Record<string, number>>, others: Baselines): string {
  const findBest = (name: string): number => {
    const [set = '', type] = name.split(' ')
    const read = (tool: Baselines[string]): number | undefined =>
      type === undefined ? tool[set]?.f : type === 'mean' ? tool[set]?.typeMean : tool[set]?.types?.[type]
    return Math.max(...Object.values(others).map((tool) => read(tool) ?? 0))
  }
  const rows = [...SETS, ...Object.keys(figures).filter((name) => TYPE.test(name))].map((name) => {
    const figure = figures[name] ?? Number.NaN
    const best = findBest(name)
    return `| ${name} | ${figure.toFixed(3)} | ${best.toFixed(3)} | ${(figure - best).toFixed(3)} |`
  })
  return ['| pages | trawl | best of the others | difference |', '| --- | ---: | ---: | ---: |', ...rows].join('\n')
}

/** Returns the figures as two tables: F1 of each set, and F1 of each page type of WCXB. */
export function printFigureTable(figures: Readonly<Record<string, number>>): string {
  const show = (name: string): string => (figures[name] ?? Number.NaN).toFixed(3)
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = (names: readonly string[], titles: readonly string[]): string =>
    [row(titles), row(titles.map(() => '---:')), row(names.map(show))].join('\n')
  const types = Object.keys(figures).filter((name) => TYPE.test(name))
  return [
    table(SETS, [...SETS.slice(0, -1), 'mean of types of wcxb']),
    table(
      types,
      types.map((name) => name.slice('wcxb '.length)),
    ),
  ].join('\n\n')
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
