import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { TraceCost, TraceTask } from './crawl-traced.js'

/** `--base FILE`: `dist/index.js` of a build without traces, to compare with. @default the costs of traces that are on, only */
const { values: flags } = parseArgs({
  options: {
    base: { type: 'string' },
    pages: { type: 'string', default: '1500' },
    rounds: { type: 'string', default: '9' },
    write: { type: 'boolean', default: false },
  },
})
const pages = Number(flags.pages)
const own = fileURLToPath(new URL('../../../../dist/index.js', import.meta.url))
const server = startScript(new URL('../ledger/serve-pages.js', import.meta.url), [String(pages)])
const start = await firstMessage<string>(server)
const script = new URL('crawl-traced.js', import.meta.url)

type Side = 'base' | 'off' | 'on'
const sides: readonly Side[] = flags.base === undefined ? ['off', 'on'] : ['base', 'off', 'on']

async function measure(side: Side): Promise<TraceCost> {
  const library = side === 'base' ? (flags.base ?? own) : own
  const task: TraceTask = { library, isTraced: side === 'on', start, pages }
  const child = startScript(script, [JSON.stringify(task)])
  const cost = await firstMessage<TraceCost>(child)
  child.kill()
  return cost
}

const busy = (loadavg()[0] ?? 0).toFixed(1)
const rounds: Record<Side, TraceCost>[] = []
for (let round = 0; round < Number(flags.rounds); round += 1) {
  const costs: Partial<Record<Side, TraceCost>> = {}
  // Each side comes first in turn.
  const order = sides.map((_, at) => sides[(at + round) % sides.length] ?? 'off')
  for (const side of order) costs[side] = await measure(side)
  rounds.push(costs as Record<Side, TraceCost>)
  console.log(`round ${round + 1}: ${JSON.stringify(costs)}`)
}
server.kill()

const msOfPage = (side: Side): number => (median(rounds.map((round) => round[side].cpuSeconds)) * 1000) / pages
/** Median of the ratios of one round, whose sides had the same load. */
const overhead = (side: Side, base: Side): string =>
  `${((median(rounds.map((round) => round[side].cpuSeconds / round[base].cpuSeconds)) - 1) * 100).toFixed(1)} %`
const rows = sides.map((side) => {
  const more = side === sides[0] ? '' : overhead(side, side === 'on' ? 'off' : 'base')
  const name = { base: 'a build without traces', off: 'traces off', on: 'traces and metrics on' }[side]
  return `| ${name} | ${msOfPage(side).toFixed(2)} | ${more} | ${side === 'on' ? 'at most 5 %' : side === 'off' ? 'at most 1 %' : ''} |`
})
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const spans = median(rounds.map(({ on }) => on.spans))
const report = [
  `Crawls of ${pages} pages, medians of ${flags.rounds} rounds by turns, Node ${process.version} on ${processor}, load average ${busy} before the start; ${(spans / pages).toFixed(1)} spans for each page:`,
  [
    '| | ms of processor time for each page | more than the line above | target |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('traces', report)
