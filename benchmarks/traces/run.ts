import type { ChildProcess } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { ServedDocs } from '../frontier/serve-docs.js'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import { compareCosts, judge, type Ratios } from '../compare-costs.js'
import type { TraceCost, TracedCrawl, TraceTask } from './crawl-traced.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const [pages, rounds, minutes] = [Number(flags.pages), Number(flags.rounds), Number(flags.minutes)]
/** Number of rounds that warm the code of a process up. */
const WARM_UP = 2
const MIN_GENERATIONS = 2

/** Crawls of a round: two with traces off, so that they can be compared with each other. */
const SIDES = ['off', 'on', 'control'] as const
type Side = (typeof SIDES)[number]
type Costs = Readonly<Record<Side, TraceCost>>

const docs = fileURLToPath(new URL('../../../../test/site/docs/', import.meta.url))
const served: ServedDocs = { folders: {}, generated: { pages: 2 * pages, blocksFrom: docs } }
const server = startScript(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
const start = await firstMessage<string>(server)

async function startProcess(isCounted = false): Promise<ChildProcess> {
  const task: TraceTask = { isCounted, start }
  const child = startScript(new URL('crawl-traced.js', import.meta.url), [JSON.stringify(task)], ['--expose-gc'])
  await firstMessage(child)
  return child
}

function crawl(child: ChildProcess, given: TracedCrawl): Promise<TraceCost> {
  const cost = firstMessage<TraceCost>(child)
  child.send(given)
  return cost.finally(() => child.removeAllListeners('exit'))
}

/** Measures all sides by turns in a new process. */
async function measureGeneration(generation: number): Promise<Costs[]> {
  const child = await startProcess()
  const measured: Costs[] = []
  let wasTraced = false
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const costs: Partial<Record<Side, TraceCost>> = {}
    // Each side is first in turn, and each second time in the opposite order, so that each is measured beside each other one.
    const turned = SIDES.map((_, at) => SIDES[(at + round + generation) % SIDES.length] ?? 'off')
    for (const side of round % 2 === 0 ? turned : turned.toReversed()) {
      const given = { limit: pages, isTraced: side === 'on' }
      // Node changes the prototypes of channels when somebody subscribes: V8 compiles code that uses them again.
      if (given.isTraced !== wasTraced) await crawl(child, given)
      wasTraced = given.isTraced
      costs[side] = await crawl(child, given)
    }
    if (round >= WARM_UP) measured.push(costs as Costs)
  }
  child.kill()
  return measured
}

const load = (): string => (loadavg()[0] ?? 0).toFixed(1)
const loadBefore = load()
const beganAtMs = performance.now()
const generations: Costs[][] = []
for (let slowestMs = 0; ;) {
  const atMs = performance.now()
  const isOver = atMs + slowestMs - beganAtMs > minutes * 60_000
  if (isOver && generations.length >= MIN_GENERATIONS) break
  generations.push(await measureGeneration(generations.length))
  slowestMs = Math.max(slowestMs, performance.now() - atMs)
  const { overhead } = compareCosts(ratiosOf('on'))
  console.log(`processes ${generations.length}: traces on so far ${percent(overhead)}, load ${load()}`)
}
const counted = await startProcess(true)
const { checks, checkNs } = await crawl(counted, { limit: pages, isTraced: false })
counted.kill()
server.kill()

/** Ratios of a side to the mean of the crawls with traces off, or of those to each other. */
function ratiosOf(side: 'on' | 'control'): Ratios {
  return generations.map((all) =>
    all.map(({ off, on, control }) =>
      side === 'on' ? (2 * on.cpuSeconds) / (off.cpuSeconds + control.cpuSeconds) : control.cpuSeconds / off.cpuSeconds,
    ),
  )
}

function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`
}

const secondsOf = (side: Side): number => median(generations.flat().map((costs) => costs[side].cpuSeconds))

function printRow(name: string, side: 'on' | 'control', most?: number): string {
  const comparison = compareCosts(ratiosOf(side))
  const { overhead, interval, quartiles } = comparison
  const verdict = most === undefined ? ['', ''] : [`at most ${percent(most)}`, judge(comparison, most)]
  const ms = ((secondsOf(side) * 1000) / pages).toFixed(2)
  const ranges = [interval, quartiles].map((range) => range.map((share) => percent(share)).join(' to '))
  return `| ${[name, ms, percent(overhead), ...ranges, ...verdict].join(' | ')} |`
}

const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const spans = median(generations.flat().map(({ on }) => on.spans))
const ofChecks = (checks * checkNs) / 1e9 / secondsOf('off')
const report = [
  `${generations.length} processes, each with ${rounds} rounds of crawls of ${pages} pages by turns, Node ${process.version} on ${processor}, load average ${loadBefore} before the start and ${load()} at the end; ${(spans / pages).toFixed(1)} spans for each page:`,
  [
    '| compared | ms of processor time for each page | overhead, median | 95 % interval of the median | half of the rounds | target | |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    printRow('traces off, against themselves', 'control'),
    printRow('traces and metrics on, against off', 'on', 0.05),
  ].join('\n'),
  `While traces are off, a page asks ${(checks / pages).toFixed(0)} times whether a channel has subscribers, ${checkNs.toFixed(1)} ns each: ${percent(ofChecks, 4)} of its processor time. Target: at most 1 %.`,
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('traces', report)
