import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { ServedDocs } from '../frontier/serve-docs.js'
import type { Measurement } from '../speed/measure.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { CacheTask } from './crawl-with-cache.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '10' },
    latency: { type: 'string', default: '20' },
    write: { type: 'boolean', default: false },
  },
})

/** Minimum ratio of the speeds of the warm and the cold crawl. */
const MIN_SPEEDUP = 5

/** This file runs from `benchmarks/.build/benchmarks/cache/`. */
const root = new URL('../../../../', import.meta.url)
const realDocs = '/usr/share/doc/postgresql-doc-15/html/'
const [pages, latencyMs] = [Number(flags.pages), Number(flags.latency)]
const served: ServedDocs = existsSync(realDocs)
  ? { folders: { '/postgresql/': realDocs }, latencyMs }
  : { folders: {}, latencyMs, generated: { pages, blocksFrom: fileURLToPath(new URL('test/site/docs/', root)) } }

const start = (script: URL, argument: unknown): ChildProcess =>
  fork(script, [JSON.stringify(argument)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

/** Resolves with the next message of a child process. */
const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const end = (code: number | null): void => reject(new Error(`a process ended with code ${code} without a message`))
    child.once('exit', end).once('message', (given) => {
      child.off('exit', end)
      resolve(given as T)
    })
  })

const server = start(new URL('../frontier/serve-docs.js', import.meta.url), served)
const url = await nextMessage<string>(server)

async function countRequests(): Promise<number> {
  server.send('how many?')
  return await nextMessage<number>(server)
}

/** Runs a crawl in a process of its own, and counts its requests without the one of the warm-up. */
async function crawl(folder?: string): Promise<Measurement & { requests: number }> {
  const before = (await countRequests()) + 1
  const task: CacheTask = { start: url, concurrency: Number(flags.concurrency), pages, ...(folder && { folder }) }
  const child = start(new URL('./crawl-with-cache.js', import.meta.url), task)
  const measurement = await nextMessage<Measurement>(child)
  child.kill()
  return { ...measurement, requests: (await countRequests()) - before }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const file = statSync(join(folder, name))
    return sum + (file.isFile() ? file.size : 0)
  }, 0)

type Side = 'without a cache' | 'cold' | 'warm'
const results: Record<Side, (Measurement & { requests: number })[]> = { 'without a cache': [], cold: [], warm: [] }
let bytes = 0
try {
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-'))
    try {
      for (const [side, place] of [['without a cache'], ['cold', folder], ['warm', folder]] as const) {
        const measurement = await crawl(place)
        results[side].push(measurement)
        console.log(
          `round ${round + 1}, ${side}: ${measurement.urls.length} pages in ${measurement.seconds.toFixed(1)} s, ${measurement.requests} requests, ${measurement.characters} characters`,
        )
      }
      bytes = sizeOf(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
} finally {
  server.kill()
}

const sides = ['without a cache', 'cold', 'warm'] as const
const rows = [
  ['pages', 0, ({ urls }: Measurement) => urls.length],
  ['seconds', 1, ({ seconds }: Measurement) => seconds],
  ['seconds, with the start of the process and a first page', 1, ({ aliveSeconds }: Measurement) => aliveSeconds],
  ['processor time, ms/page', 2, ({ cpuSeconds, urls }: Measurement) => (cpuSeconds / urls.length) * 1000],
  ['requests', 0, ({ requests }: Measurement & { requests: number }) => requests],
  ['peak memory, MiB', 0, ({ peakBytes }: Measurement) => peakBytes / 2 ** 20],
] as const
const lines = rows.map(
  ([title, digits, read]) =>
    `| ${title} | ${sides.map((side) => median(results[side].map(read)).toFixed(digits)).join(' | ')} |`,
)
const compare = (read: (measurement: Measurement) => number): number[] =>
  results.cold.map((cold, at) => read(cold) / read(results.warm[at] ?? cold))
const ratios = compare(({ seconds }) => seconds)
const print = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(', ')
const name = existsSync(realDocs) ? "Debian's documentation of PostgreSQL 15" : 'a generated site'
const report = [
  `Node ${process.version} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end. ${name}, answers after ${latencyMs} ms, ${flags.concurrency} pages at once, medians of ${flags.rounds} rounds, each crawl in a process of its own, after a warm-up of one page; size of the cache: ${(bytes / 2 ** 20).toFixed(1)} MiB.`,
  [`| | ${sides.join(' | ')} |`, '| --- | ---: | ---: | ---: |', ...lines].join('\n'),
  `Time of the cold crawl relative to the warm one, round by round: ${print(ratios)}; with the start of the process: ${print(compare(({ aliveSeconds }) => aliveSeconds))}.`,
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('cache', report)

const requests = results.warm.reduce((sum, warm) => sum + warm.requests, 0)
if (median(ratios) < MIN_SPEEDUP || requests > 0) {
  console.error(`\nThe warm crawl must be ${MIN_SPEEDUP} times as fast as the cold one, and make no request.`)
  process.exitCode = 1
}
