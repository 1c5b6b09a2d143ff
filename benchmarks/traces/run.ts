import type { ChildProcess } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import { compareCosts, judge, type Ratios } from './compare-costs.js'
import { copyWithoutTraces } from './copy-without-traces.js'
import type { TraceCost, TraceTask } from './crawl-traced.js'

/** `--base FILE`: `dist/index.js` of another build to compare with. @default a copy of this one, whose channels are constants */
const { values: flags } = parseArgs({
  options: {
    base: { type: 'string' },
    pages: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const [pages, rounds, minutes] = [Number(flags.pages), Number(flags.rounds), Number(flags.minutes)]
/** Pages of the crawls that warm the code of a process up. */
const WARM_UP = [200, 200] as const
const MIN_GENERATIONS = 2

const own = fileURLToPath(new URL('../../../../dist/index.js', import.meta.url))
const base = flags.base ?? copyWithoutTraces()
const SIDES = ['base', 'off', 'control', 'on'] as const
type Side = (typeof SIDES)[number]
type Costs = Readonly<Record<Side, TraceCost>>

const server = startScript(new URL('../ledger/serve-pages.js', import.meta.url), ['10000'])
const start = await firstMessage<string>(server)

async function startSide(side: Side): Promise<ChildProcess> {
  const task: TraceTask = { library: side === 'base' ? base : own, isTraced: side === 'on', start }
  const child = startScript(new URL('crawl-traced.js', import.meta.url), [JSON.stringify(task)], ['--expose-gc'])
  await firstMessage(child)
  return child
}

function crawl(child: ChildProcess, limit: number): Promise<TraceCost> {
  const cost = firstMessage<TraceCost>(child)
  child.send(limit)
  return cost.finally(() => child.removeAllListeners('exit'))
}

/** Measures all sides by turns, each in one new process. Code that is compiled differently by chance differs by processes. */
async function measureGeneration(generation: number): Promise<Costs[]> {
  const children = new Map<Side, ChildProcess>()
  for (const side of SIDES) children.set(side, await startSide(side))
  for (const limit of WARM_UP) for (const child of children.values()) await crawl(child, limit)
  const measured: Costs[] = []
  for (let round = 0; round < rounds; round += 1) {
    const costs: Partial<Record<Side, TraceCost>> = {}
    // Each side is first in turn, and each second time in the opposite order, so that each is measured beside each other one.
    const turned = SIDES.map((_, at) => SIDES[(at + round + generation) % SIDES.length] ?? 'off')
    for (const side of round % 2 === 0 ? turned : turned.toReversed()) {
      const child = children.get(side)
      if (child) costs[side] = await crawl(child, pages)
    }
    measured.push(costs as Costs)
  }
  for (const child of children.values()) child.kill()
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
server.kill()

/** Ratios of a side to the traces that are off. Two processes measure those, so that chance counts half as much. */
function ratiosOf(side: 'on' | 'base'): Ratios {
  return generations.map((all) => all.map((costs) => costs[side].cpuSeconds / offSeconds(costs)))
}

function offSeconds({ off, control }: Costs): number {
  return (off.cpuSeconds + control.cpuSeconds) / 2
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

const invert = (ratios: Ratios): Ratios => ratios.map((all) => all.map((ratio) => 1 / ratio))
const control: Ratios = generations.map((all) => all.map((costs) => costs.control.cpuSeconds / costs.off.cpuSeconds))
const msOfPage = (read: (costs: Costs) => number): string =>
  ((median(generations.flat().map(read)) * 1000) / pages).toFixed(2)

function printRow(name: string, ratios: Ratios, ms: string, most?: number): string {
  const comparison = compareCosts(ratios)
  const { overhead, interval, quartiles } = comparison
  const verdict = most === undefined ? ['', ''] : [`at most ${percent(most)}`, judge(comparison, most)]
  const cells = [name, ms, percent(overhead), interval.map(percent).join(' to '), quartiles.map(percent).join(' to ')]
  return `| ${[...cells, ...verdict].join(' | ')} |`
}

const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const spans = median(generations.flat().map(({ on }) => on.spans))
const report = [
  `${generations.length} times new processes, each with ${rounds} rounds of crawls of ${pages} pages by turns, Node ${process.version} on ${processor}, load average ${loadBefore} before the start and ${load()} at the end; ${(spans / pages).toFixed(1)} spans for each page:`,
  [
    '| compared | ms of processor time for each page | overhead, median | 95 % interval of the median | half of the rounds | target | |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    printRow(
      'traces off, against itself',
      control,
      msOfPage(({ control: { cpuSeconds } }) => cpuSeconds),
    ),
    printRow('traces off, against none', invert(ratiosOf('base')), msOfPage(offSeconds), 0.01),
    printRow(
      'traces and metrics on, against off',
      ratiosOf('on'),
      msOfPage(({ on: { cpuSeconds } }) => cpuSeconds),
      0.05,
    ),
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('traces', report)
