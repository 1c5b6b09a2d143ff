import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, postgres, sqlite } from 'trawl'
import { startPostgres } from '../../test/base/store/postgres-server.js'
import { startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { MillionSample, MillionTask } from './million-job.js'
import { numberOf } from './million-pages.js'

const { values: flags } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    kinds: { type: 'string', default: 'batch,crawl' },
    ledgers: { type: 'string', default: 'SQLite,PostgreSQL' },
    kills: { type: 'string', default: '5' },
    heap: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const [urls, kills] = [Number(flags.urls), Number(flags.kills)]
const execArgv = flags.heap === undefined ? [] : [`--max-old-space-size=${flags.heap}`]

/** Runs the job until so many pages have ended, and kills its process; without a number until its end. @returns the last sample */
async function run(task: MillionTask, until = Infinity): Promise<MillionSample> {
  const child: ChildProcess = startScript(new URL('million-job.js', import.meta.url), [JSON.stringify(task)], execArgv)
  const ended = once(child, 'exit')
  let last: MillionSample | undefined
  child.on('message', (message) => {
    last = message as MillionSample
    if (last.isOver || last.completed >= until) child.kill('SIGKILL')
  })
  const [code] = (await ended) as [number | null]
  if (!last || code !== null) throw new Error(`the job's process ended with code ${code}`)
  return last
}

/** Counts the outcomes of each URL. */
async function countOutcomes({ kind, file, connectionString }: MillionTask): Promise<string> {
  const ledger = connectionString === undefined ? sqlite(file ?? '') : postgres({ connectionString, schema: kind })
  await using engine = createEngine({ ledger })
  const [found] = await engine.listJobs({ limit: 1 })
  const job = found && (await engine.job(found.id))
  if (!job) throw new Error('there is no job')
  const seen = new Uint8Array(urls)
  for await (const { url, outcome } of job.urls()) {
    const number = numberOf(url)
    if (number === undefined || outcome !== 'done') throw new Error(`${url} is ${outcome}`)
    seen[number] = (seen[number] ?? 0) + 1
  }
  const [once_, others] = [seen.filter((count) => count === 1).length, seen.filter((count) => count !== 1).length]
  return `${once_.toLocaleString('en')} URLs have one outcome, ${others} another number`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const slowest = (samples: readonly MillionSample[], call: keyof MillionSample['callsMs']): string => {
  const all = samples.flatMap(({ callsMs }) => callsMs[call])
  return `${median(all).toFixed(1)} / ${Math.max(...all).toFixed(0)}`
}

async function measure(kind: MillionTask['kind'], name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-million-'))
  const server = name === 'PostgreSQL' ? await startPostgres({ shared_buffers: '256MB', fsync: 'on' }) : undefined
  const task: MillionTask = {
    kind,
    urls,
    ...(server ? { connectionString: server.url() } : { file: join(folder, 'million.db') }),
  }
  try {
    const startedAt = performance.now()
    const samples: MillionSample[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      samples.push(await run(task, Math.floor((kill * urls) / (kills + 1))))
      console.log(`${name}, ${kind}: ${JSON.stringify({ ...samples.at(-1), callsMs: undefined })}`)
    }
    samples.push(await run(task))
    const tookMs = performance.now() - startedAt
    const resumes = samples.slice(1)
    return [
      '',
      `${name}, ${kind}`,
      seconds(tookMs),
      Math.max(...samples.map(({ residentBytes }) => residentBytes / 2 ** 20)).toFixed(0),
      seconds(Math.max(...resumes.map(({ openedMs }) => openedMs))),
      seconds(Math.max(...resumes.map(({ resumedMs = Infinity }) => resumedMs))),
      ...(['status', 'explain', 'urls'] as const).map((call) => slowest(samples, call)),
      await countOutcomes(task),
      '',
    ]
      .join(' | ')
      .trim()
  } finally {
    await server?.close()
    rmSync(folder, { recursive: true })
  }
}

const rows: string[] = []
for (const name of flags.ledgers.split(','))
  for (const kind of flags.kinds.split(',') as MillionTask['kind'][]) rows.push(await measure(kind, name))
const busy = (loadavg()[0] ?? 0).toFixed(1)
const report = [
  `${urls.toLocaleString('en')} URLs, killed ${kills} times and resumed, ${flags.heap ? `old space of ${flags.heap} MiB, ` : ''}load average ${busy} at the end, Node ${process.version}:`,
  '',
  '| ledger, job | s | most MiB | resumed: job there after s | next page after s | `status()`, ms: median / slowest | `explain()` | `urls()`, first 100 | outcomes |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
  ...rows,
].join('\n')
console.log(report)
if (flags.write) writeReport('million', report)
