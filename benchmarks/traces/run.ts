import type { ChildProcess } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import type { ServedDocs } from '../frontier/serve-docs.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import { compareCosts, judge, type Ratios } from './compare-costs.js'
import { copyWithoutTraces } from './copy-without-traces.js'
import type { TraceCost, TracedCrawl, TraceTask } from './crawl-traced.js'

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
/** Pages of each of the two crawls that warm the code of a process up. */
const WARM_UP = 200
const MIN_GENERATIONS = 2

const own = fileURLToPath(new URL('../../../../dist/index.js', import.meta.url))
const base = flags.base ?? copyWithoutTraces()
const SIDES = ['base', 'off', 'control', 'on'] as const
type Side = (typeof SIDES)[number]
type Costs = Readonly<Record<Side, TraceCost>>
type Library = 'base' | 'own' | 'control'

/** The process of each side. Traces are turned on and off in one, so that both have the same compiled code. */
const processOf: Readonly<Record<Side, Library>> = { base: 'base', off: 'own', control: 'control', on: 'own' }

const docs = fileURLToPath(new URL('../../../../test/site/docs/', import.meta.url))
const served: ServedDocs = { folders: {}, generated: { pages: 2 * Math.max(pages, WARM_UP), blocksFrom: docs } }
const server = startScript(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
const start = await firstMessage<string>(server)

async function startProcess(library: Library, isCounted = false): Promise<ChildProcess> {
  const task: TraceTask = { library: library === 'base' ? base : own, isCounted, start }
  const child = startScript(new URL('crawl-traced.js', import.meta.url), [JSON.stringify(task)], ['--expose-gc'])
  await firstMessage(child)
  return child
}

function crawl(child: ChildProcess, given: TracedCrawl): Promise<TraceCost> {
  const cost = firstMessage<TraceCost>(child)
  child.send(given)
  return cost.finally(() => child.removeAllListeners('exit'))
}

/** Measures all sides by turns. Code that is compiled differently by chance differs by processes. */
async function measureGeneration(generation: number): Promise<Costs[]> {
  const children = {
    own: await startProcess('own'),
    base: await startProcess('base'),
    control: await startProcess('control'),
  }
  for (const isTraced of [false, true]) {
    for (const child of Object.values(children))
      await crawl(child, { limit: WARM_UP, isTraced: isTraced && child === children.own })
  }
  const measured: Costs[] = []
  for (let round = 0; round < rounds; round += 1) {
    const costs: Partial<Record<Side, TraceCost>> = {}
    // Each side is first in turn, and each second time in the opposite order, so that each is measured beside each other one.
    const turned = SIDES.map((_, at) => SIDES[(at + round + generation) % SIDES.length] ?? 'off')
    for (const side of round % 2 === 0 ? turned : turned.toReversed())
      costs[side] = await crawl(children[processOf[side]], { limit: pages, isTraced: side === 'on' })
    measured.push(costs as Costs)
  }
  for (const child of Object.values(children)) child.kill()
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
const counted = await startProcess('own', true)
const { checks, checkNs } = await crawl(counted, { limit: pages, isTraced: false })
counted.kill()
server.kill()

/** Ratios to the traces that are off, in the same process; of the base, to the mean of the two processes with traces off. */
function ratiosOf(side: 'on' | 'base'): Ratios {
  const isOn = side === 'on'
  return generations.map((all) =>
    all.map((costs) => costs[side].cpuSeconds / (isOn ? costs.off.cpuSeconds : offSeconds(costs))),
  )
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
  `While traces are off, a page asks ${(checks / pages).toFixed(0)} times whether a channel has subscribers, ${checkNs.toFixed(1)} ns each: ${((checks * checkNs) / 1e7 / median(generations.flat().map(offSeconds))).toFixed(4)} % of its processor time.`,
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('traces', report)
