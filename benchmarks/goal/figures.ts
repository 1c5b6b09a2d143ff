import type { GoalCoverage } from 'trawl'
import { median } from '../speed/print-table.js'
import { PARTS, type Question } from './questions.js'

/** Figures of a question. Ranks are those of the first answer page among the fetched pages, from 1. */
export interface Figures extends Question {
  readonly breadthRank: number
  readonly goalRank: number
  /** Number of requests for files of search indexes, which no rank counts. Absent for real crawls. */
  readonly indexRequests?: number
  /** Pages fetched by a crawl with `until: {}`, and whether an answer page is among them. */
  readonly stopped: {
    readonly pages: number
    readonly hasAnswer: boolean
    readonly coverage?: GoalCoverage | undefined
  }
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`
const ratioOf = ({ goalRank, breadthRank }: Figures): number => goalRank / breadthRank

/** Describes a group of questions in one row of the table. */
function describeGroup(name: string, figures: readonly Figures[]): string {
  const ratios = figures.map(ratioOf)
  const later = ratios.filter((ratio) => ratio > 1.1).length
  const missed = figures.filter(({ stopped }) => !stopped.hasAnswer).length
  return [
    `| ${name}`,
    figures.length,
    median(figures.map(({ breadthRank }) => breadthRank)),
    median(figures.map(({ goalRank }) => goalRank)),
    percent(median(ratios)),
    later,
    median(figures.map(({ stopped }) => stopped.pages)),
    `${missed} (${percent(missed / figures.length)}) |`,
  ].join(' | ')
}

/** Prints the figures of a question. Those that are kept aside are looked at in sum only. */
export function printFigures(one: Figures): void {
  if (one.part === 'kept aside') return
  const { site, goal, breadthRank, goalRank, stopped } = one
  const faults = [stopped.hasAnswer ? '' : 'MISSED', ratioOf(one) > 1.1 ? 'LATER' : ''].filter(Boolean).join(' ')
  console.log(`${site} ${breadthRank} ${goalRank} ${stopped.pages} ${faults} ${goal}`)
}

/** Describes the requests for search indexes, beside those for pages. */
export function describeIndexRequests(figures: readonly Figures[]): string {
  const counts = figures.map(({ indexRequests = 0 }) => indexRequests)
  const asking = counts.filter((count) => count > 0)
  const sum = asking.reduce((all, count) => all + count, 0)
  return `${asking.length} of ${figures.length} crawls made ${sum} requests for search indexes, ${Math.max(0, ...counts)} at most`
}

/** Mean of the logarithms of the ratios, which tells more than the median where weights are compared. */
export const meanLogRatio = (figures: readonly Figures[]): number =>
  figures.reduce((sum, one) => sum + Math.log(ratioOf(one)), 0) / Math.max(1, figures.length)

/** Writes the table of all figures: by site, then by part. */
export function writeTable(figures: readonly Figures[]): string {
  const sites = [...new Set(figures.map(({ site }) => site))]
  const groups: [string, readonly Figures[]][] = [
    ...sites.map((name): [string, Figures[]] => [name, figures.filter(({ site }) => site === name)]),
    ...PARTS.map((part): [string, Figures[]] => [part, figures.filter((one) => one.part === part)]),
    ['all', figures],
  ]
  return [
    '| questions | number | rank in order of depth | rank with `goal` | median of the ratios | later by more than 10 % | pages until known | ended without the answer |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...groups.filter(([, group]) => group.length > 0).map(([name, group]) => describeGroup(name, group)),
  ].join('\n')
}
