import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeReport } from '../write-report.js'
import type { LedgerCost, LedgerTask, Mode } from './crawl-pages.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    modes: { type: 'string', default: 'memory,memory with a temporary file,retain: false,SQLite' },
    write: { type: 'boolean', default: false },
  },
})

/**
 * Heap limit, in MiB, of processes that keep no documents in memory. Without it, V8 collects garbage late and the
 * memory grows.
 */
const HEAP_MIB = 256

const start = (script: string, argument: string, execArgv: readonly string[] = []): ChildProcess =>
  fork(new URL(script, import.meta.url), [argument], {
    execArgv: [...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/** Resolves with the first message of a child process. */
const firstMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} ended with code ${code} without a message`)))
  })

async function measure(mode: Mode, pages: number, url: string): Promise<LedgerCost> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-'))
  const task: LedgerTask = { mode, start: url, pages, folder }
  const limits = mode === 'memory' ? [] : [`--max-old-space-size=${HEAP_MIB}`]
  const child = start('crawl-pages.js', JSON.stringify(task), limits)
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

const pages = Number(flags.pages)
const busy = loadavg()[0] ?? 0
const server = start('serve-pages.js', flags.pages)
const url = await firstMessage<string>(server)
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
