import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeReport } from '../write-report.js'
import { findCollection } from './collection.js'
import { type Bounds, findBreaches, readFigures, tighten } from './figures.js'
import { type Baselines, printTables } from './print-table.js'
import { runCases, runScorer } from './run-scorer.js'

const ALL_SETS = 'aeb,wcxb,traf'

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', default: ALL_SETS },
    jobs: { type: 'string', default: `${availableParallelism()}` },
    worst: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
})

if (flags.write && flags.set !== ALL_SETS)
  throw new Error('`--write` is for the figures of all sets: leave out `--set`')

/** This file runs from `benchmarks/.build/benchmarks/quality/`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

const found = findCollection(root)
if ('missing' in found) throw new Error(`There are no pages to score: ${found.missing}. See benchmarks/README.md.`)
const collection = found.folder

const startedAtMs = performance.now()
const named = flags.set.split(',')
const scoring = { collection, root, jobs: Number(flags.jobs) }
const { sets, pages, worst } = await runScorer({ ...scoring, sets: named, worst: Number(flags.worst) })
const { sets: withoutHeadline } = named.includes('aeb')
  ? await runScorer({ ...scoring, sets: ['aeb'], withoutHeadline: true })
  : { sets: [] }
const cases = await runCases({ collection, root })
const seconds = (performance.now() - startedAtMs) / 1000

const baselines = JSON.parse(readFileSync(join(collection, 'baselines.json'), 'utf8')) as Baselines
const slowest = pages.reduce((slow, page) => (page.ms > slow.ms ? page : slow))
const counts = sets.map(({ set, pages: all, empty, errors }) => {
  const faults = [...(empty > 0 ? [`${empty} empty`] : []), ...(errors > 0 ? [`${errors} failed`] : [])]
  return `${all} of ${set.toUpperCase()}${faults.length > 0 ? ` (${faults.join(', ')})` : ''}`
})
const report = [
  `Pages: ${counts.join(', ')}. Markdown cases passed: ${cases.passed} of ${cases.all}. The slowest page, ${slowest.set}/${slowest.id}, took ${slowest.ms.toFixed(0)} ms.`,
  ...withoutHeadline.map(
    ({ set, f }) => `F1 of ${set.toUpperCase()} without the headline, which its texts leave out: ${f.toFixed(3)}.`,
  ),
  'F1, and F1 on WCXB by type of page:',
  printTables(sets, baselines).replace(
    '\n\n',
    '\n\nWCXB: shares of snippets, and F1 of what has a structure in Markdown:\n\n',
  ),
].join('\n\n')
if (worst !== '') console.log(worst)
for (const failure of cases.failures) console.log(`Markdown case failed: ${failure}`)
console.log(`\n${report}\n\n${seconds.toFixed(0)} s in ${flags.jobs} processes`)

const file = join(root, 'benchmarks/quality/floors.json')
const bounds = JSON.parse(readFileSync(file, 'utf8')) as Bounds
const figures = readFigures({ sets, withoutHeadline, cases })
for (const breach of findBreaches(figures, bounds)) console.log(`out of bounds: ${breach}`)
if (flags.write) {
  writeReport('quality', report)
  writeFileSync(file, `${JSON.stringify(tighten(bounds, figures), undefined, 2)}\n`)
}
