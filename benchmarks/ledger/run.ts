import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { LedgerCost, LedgerTask, Mode } from './crawl-pages.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    modes: { type: 'string', default: 'memory,memory with a temporary file,retain: false,SQLite' },
    against: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})

/**
 * Heap limit, in MiB, of processes that keep no documents in memory. Without it, V8 collects garbage late and the
 * memory grows.
 */
const HEAP_MIB = 256

/** The crawl of this version. */
const ownScript = new URL('crawl-pages.js', import.meta.url)

async function measure(mode: Mode, pages: number, url: string, script = ownScript): Promise<LedgerCost> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-'))
  const task: LedgerTask = { mode, start: url, pages, folder }
  const limits = mode === 'memory' ? [] : [`--max-old-space-size=${HEAP_MIB}`]
  const child = startScript(script, [JSON.stringify(task)], limits)
  try {
    return await firstMessage<LedgerCost>(child)
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
  }
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

function printRow(
  mode: Mode,
  { residentBytes, pagesPerSecond, seconds, cpuSeconds, completed }: LedgerCost,
  plain: number,
): string {
  const [firstBytes = 0, lastBytes = 0] = [residentBytes[0], residentBytes.at(-1)]
  const [first = 0, last = 0] = [pagesPerSecond[0], pagesPerSecond.at(-1)]
  return [
    '',
    mode,
    (completed / seconds).toFixed(0),
    `× ${(completed / seconds / plain).toFixed(2)}`,
    ((cpuSeconds / completed) * 1000).toFixed(2),
    `${first.toFixed(0)} → ${last.toFixed(0)} (× ${(last / first).toFixed(2)})`,
    `${mib(firstBytes)} → ${mib(lastBytes)} (× ${(lastBytes / firstBytes).toFixed(2)})`,
    '',
  ]
    .join(' | ')
    .trim()
}

/** Compares this version with another one, by turns. @param folder a checkout of it, built with its benchmarks */
async function compare(folder: string, modes: readonly Mode[], url: string): Promise<string> {
  const other = pathToFileURL(join(folder, 'benchmarks/.build/benchmarks/ledger/crawl-pages.js'))
  const rows: string[] = []
  for (const mode of modes) {
    const ratios: number[] = []
    const costs: [number, number][] = []
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      const perPage = async (script: URL): Promise<number> => {
        const { cpuSeconds, completed } = await measure(mode, pages, url, script)
        return (cpuSeconds * 1000) / completed
      }
      const [first, second] = round % 2 === 0 ? [other, ownScript] : [ownScript, other]
      const found = [await perPage(first), await perPage(second)] as const
      const [before, after] = round % 2 === 0 ? found : found.toReversed()
      costs.push([before ?? NaN, after ?? NaN])
      ratios.push((after ?? NaN) / (before ?? NaN))
    }
    const middle = (at: 0 | 1): string => median(costs.map((cost) => cost[at])).toFixed(2)
    const rounds = ratios.map((ratio) => ratio.toFixed(3)).join(', ')
    rows.push(`| ${[mode, middle(0), middle(1), `× ${median(ratios).toFixed(3)} (${rounds})`].join(' | ')} |`)
  }
  return [
    `A crawl of ${pages.toLocaleString('en')} generated pages by the other version and by this one, by turns; load ${busy.toFixed(1)} before:`,
    '',
    '| documents are kept in | the other version, ms/page | this one, ms/page | ratio: median, and each round |',
    '| --- | ---: | ---: | --- |',
    ...rows,
  ].join('\n')
}

const pages = Number(flags.pages)
const busy = loadavg()[0] ?? 0
const server = startScript(new URL('serve-pages.js', import.meta.url), [flags.pages])
const url = await firstMessage<string>(server)
if (flags.against !== undefined) {
  console.log(await compare(flags.against, flags.modes.split(',') as Mode[], url))
  server.kill()
  process.exit()
}
const rows: string[] = []
let plain = 0
for (const mode of flags.modes.split(',') as Mode[]) {
  const cost = await measure(mode, pages, url)
  plain ||= cost.completed / cost.seconds
  rows.push(printRow(mode, cost, plain))
  console.log(
    `${mode}: ${cost.completed} pages in ${cost.seconds.toFixed(1)} s; resident MiB ${cost.residentBytes.map(mib).join(' ')}`,
  )
}
server.kill()

const head = `A crawl of ${pages.toLocaleString('en')} generated pages with 2 KB of text each, all read by a loop; ${cpus()[0]?.model ?? ''}, ${availableParallelism()} cores, load ${busy.toFixed(1)} before, Node ${process.versions.node}. In all lines but the first the host's heap is limited to ${HEAP_MIB} MiB (\`--max-old-space-size\`).`
const table = [
  '| documents are kept in | pages/s | relative to the first line | processor time, ms/page | first tenth → last | resident MiB after the first tenth → at the end |',
  '| --- | ---: | ---: | ---: | ---: | ---: |',
  ...rows,
].join('\n')
console.log(`${head}\n\n${table}`)
if (flags.write) writeReport('ledger', `${head}\n\n${table}`)
