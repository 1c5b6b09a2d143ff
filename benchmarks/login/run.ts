import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareCosts, judge } from '../compare-costs.js'
import type { ServedDocs } from '../frontier/serve-docs.js'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { SideCrawl } from './crawl-side.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '12' },
    processes: { type: 'string', default: '3' },
    folder: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [pages, rounds, processes] = [Number(flags.pages), Number(flags.rounds), Number(flags.processes)]
/** Number of rounds that warm the code of a process up. */
const WARM_UP = 2

/** Crawls of a round: the first two are alike, and say how far the others can be trusted. */
const SIDES = ['without', 'control', 'whole', 'without, cookie', 'whole, cookie'] as const
type Side = (typeof SIDES)[number]
type Costs = Readonly<Record<Side, number>>

const blocksFrom = fileURLToPath(new URL('../../../../test/site/docs/', import.meta.url))
const served: ServedDocs = flags.folder
  ? { folders: { '/docs/': flags.folder } }
  : { folders: {}, generated: { pages: 2 * pages, blocksFrom } }
const server = startScript(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
const start = await firstMessage<string>(server)
const load = (): string => (loadavg()[0] ?? 0).toFixed(1)
const loadBefore = load()

/** Measures all sides by turns in a new process. */
async function measureProcess(nth: number): Promise<Costs[]> {
  const child = startScript(
    new URL('crawl-side.js', import.meta.url),
    [start],
    ['--expose-gc', '--experimental-wasm-modules', '--no-warnings'],
  )
  await firstMessage(child)
  const measured: Costs[] = []
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const costs: Partial<Record<Side, number>> = {}
    // Each side is first in turn, and each second time in the opposite order.
    const turned = SIDES.map((_, at) => SIDES[(at + round + nth) % SIDES.length] ?? 'whole')
    for (const side of round % 2 === 0 ? turned : turned.toReversed()) {
      const cost = firstMessage<number>(child)
      const given: SideCrawl = { isWhole: side.startsWith('whole'), hasCookie: side.endsWith('cookie'), limit: pages }
      child.send(given)
      costs[side] = await cost.finally(() => child.removeAllListeners('exit'))
    }
    if (round >= WARM_UP) measured.push(costs as Costs)
  }
  child.kill()
  return measured
}

const measured: Costs[][] = []
for (let nth = 0; nth < processes; nth += 1) measured.push(await measureProcess(nth))
server.kill()

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

function printRow(name: string, [side, base]: readonly [Side, Side], most?: number): string {
  const comparison = compareCosts(measured.map((all) => all.map((costs) => costs[side] / costs[base])))
  const ms = (median(measured.flat().map((costs) => costs[side])) * 1000) / pages
  const interval = comparison.interval.map(percent).join(' to ')
  const verdict = most === undefined ? ['', ''] : [`at most ${percent(most)}`, judge(comparison, most)]
  return `| ${[name, ms.toFixed(2), percent(comparison.overhead), interval, ...verdict].join(' | ')} |`
}

const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `${processes} processes, each with ${rounds} rounds of crawls of ${pages} pages by turns, Node ${process.version} on ${processor}, load average ${loadBefore} before the start and ${load()} at the end:`,
  [
    '| compared | ms of processor time for each page | overhead, median | 95 % interval of the median | target | |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    printRow('an engine without the features, against itself', ['control', 'without']),
    printRow('without credentials: a whole engine, against one without the features', ['whole', 'without'], 0.02),
    printRow('with a `Cookie` header: a whole engine, against one without the features', [
      'whole, cookie',
      'without, cookie',
    ]),
    printRow('a whole engine: with a `Cookie` header, against no header', ['whole, cookie', 'whole']),
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('login', report)
