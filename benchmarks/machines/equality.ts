import { availableParallelism, loadavg } from 'node:os'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { CrawlRequest } from 'trawl'
import { missing, type PostgresServer, startPostgres } from '../../test/base/store/postgres-server.js'
import { writeReport } from '../write-report.js'
import { type LoggedSite, serveLogged } from './logged-site.js'
import type { CrawlEnd } from './machine.js'
import {
  compareLists,
  draw,
  type Machine,
  MAX_PER_SITE,
  requestOf,
  sites,
  startMachine,
  WORKER_PLACES,
} from './machines.js'

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', multiple: true, default: Object.keys(sites) },
    workers: { type: 'string', multiple: true, default: ['0', '1', '2', '8'] },
    pages: { type: 'string', default: '300' },
    runs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

/** Time of each answer of the site. Milliseconds. */
const LATENCY_MS = 20
const CRAWL_DELAY_MS = 100
/** Pages of the crawl of a site with a delay. */
const POLITE_PAGES = 60
const POLITE_WORKERS = 2
/** Timers and clocks are no more precise. Milliseconds. */
const CLOCK_MS = 2
const MAX_LIMIT = 90
const MAX_RANDOM_WORKERS = 3

let schemas = 0
const nextSchema = (): string => `equality ${schemas++}`

/** Workers of one schema. */
async function startWorkers(server: PostgresServer, schema: string, count: number): Promise<readonly Machine[]> {
  const place = { connectionString: server.url(), schema }
  const workers = Array.from({ length: count }, () =>
    startMachine(place, { role: 'worker', concurrency: WORKER_PLACES }),
  )
  await Promise.all(workers.map(({ ready }) => ready))
  // The owner must see all of them before its first page.
  for (;;) {
    const tables = await server.query(`SELECT to_regclass('"${schema}".workers') AS found`)
    const [row] =
      tables[0]?.['found'] === null
        ? []
        : await server.query(`SELECT count(*)::integer AS count FROM "${schema}".workers`)
    if (count === 0 || Number(row?.['count']) >= count) return workers
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function runCrawl(server: PostgresServer, schema: string, request: CrawlRequest): Promise<CrawlEnd> {
  const owner = startMachine({ connectionString: server.url(), schema }, { role: 'owner', request, lists: true })
  const end = await owner.end
  await owner.kill()
  if (end === undefined || end === 'read') throw new Error('a crawl has ended without a result')
  return end
}

const stopAll = (workers: readonly Machine[]): Promise<unknown> => Promise.all(workers.map((worker) => worker.kill()))

/** Crawls a site with each number of workers. @returns a row of the table */
async function compareWorkers(server: PostgresServer, name: string, folder: string): Promise<string> {
  const site = await serveLogged(folder, { latencyMs: LATENCY_MS })
  let first: CrawlEnd | undefined
  const cells: string[] = []
  for (const count of flags.workers.map(Number)) {
    const schema = nextSchema()
    const workers = await startWorkers(server, schema, count)
    site.reset()
    const end = await runCrawl(server, schema, requestOf(site.origin, Number(flags.pages)))
    await stopAll(workers)
    first ??= end
    const documents = compareLists(first.documents, end.documents)
    const outcomes = compareLists(first.outcomes, end.outcomes)
    const cell = `${documents.new.length} documents, ${outcomes.new.length} outcomes`
    console.log(
      `${name}, ${count} workers: ${end.completed} documents, ${end.outcomes.length} URLs; other than with ${flags.workers[0]}: ${cell}; at most ${site.most()} requests at once`,
    )
    for (const list of [documents, outcomes]) {
      for (const line of [
        ...list.missing.slice(0, 5).map((one) => `- ${one}`),
        ...list.new.slice(0, 5).map((one) => `+ ${one}`),
      ])
        console.log(`  ${line}`)
    }
    if (site.most() > MAX_PER_SITE) problems.push(`${name}: ${site.most()} requests at once`)
    if (documents.new.length + outcomes.new.length + documents.missing.length > 0)
      problems.push(`${name}, ${count} workers: ${cell}`)
    cells.push(count === Number(flags.workers[0]) ? `${end.completed} of ${end.outcomes.length} URLs` : cell)
  }
  await site.close()
  return `| ${name} | ${cells.join(' | ')} |`
}

/** Crawls a site with a `Crawl-delay`. @returns the shortest pause between two requests, in milliseconds */
async function measurePauses(server: PostgresServer, folder: string): Promise<number> {
  const site = await serveLogged(folder, { latencyMs: LATENCY_MS, crawlDelayMs: CRAWL_DELAY_MS })
  const schema = nextSchema()
  const workers = await startWorkers(server, schema, POLITE_WORKERS)
  await runCrawl(server, schema, requestOf(site.origin, POLITE_PAGES))
  await stopAll(workers)
  await site.close()
  const visits = site.visits.toSorted((one, other) => one.startMs - other.startMs)
  const pauses = visits.slice(1).map(({ startMs }, at) => startMs - (visits[at]?.endMs ?? 0))
  const shortest = Math.min(...pauses)
  if (site.most() > 1 || shortest < CRAWL_DELAY_MS - CLOCK_MS) problems.push(`a pause of ${shortest.toFixed(1)} ms`)
  return shortest
}

/** Crawls random numbers of pages of random sites with random numbers of workers. @returns the number of crawls whose limit was not exact */
async function tryLimits(server: PostgresServer, runs: number): Promise<number> {
  const random = draw(Number(flags.seed))
  const schema = nextSchema()
  const names = flags.site.filter((name) => existsSync(sites[name] ?? ''))
  const served = new Map<string, LoggedSite>()
  for (const name of names) served.set(name, await serveLogged(sites[name] ?? '', { latencyMs: LATENCY_MS }))
  let workers: readonly Machine[] = []
  let wrong = 0
  for (let run = 0; run < runs; run += 1) {
    const count = Math.floor(random() * (MAX_RANDOM_WORKERS + 1))
    const limit = 1 + Math.floor(random() * MAX_LIMIT)
    const site = served.get(names[Math.floor(random() * names.length)] ?? '')
    if (!site) break
    const runSchema = `${schema} ${run}`
    workers = await startWorkers(server, runSchema, count)
    const { completed, documents, outcomes } = await runCrawl(server, runSchema, requestOf(site.origin, limit))
    await stopAll(workers)
    const done = outcomes.filter((line) => line.includes(' done ')).length
    if (completed === limit && documents.length === limit && done === limit) continue
    wrong += 1
    problems.push(
      `limit ${limit}, ${count} workers: ${completed} completed, ${documents.length} documents, ${done} done`,
    )
  }
  await Promise.all([...served.values()].map((site) => site.close()))
  return wrong
}

if (missing !== undefined) throw new Error(missing)
const problems: string[] = []
const busy = (loadavg()[0] ?? 0).toFixed(1)
const server = await startPostgres()
const rows: string[] = []
const results: string[] = []
try {
  for (const name of flags.site) {
    const folder = sites[name]
    if (folder === undefined || !existsSync(folder)) rows.push(`| ${name} | not on this machine |`)
    else rows.push(await compareWorkers(server, name, folder))
  }
  const polite = Object.values(sites).find((folder) => existsSync(folder))
  if (polite !== undefined) {
    const shortest = await measurePauses(server, polite)
    results.push(
      `Of a site with \`Crawl-delay: ${CRAWL_DELAY_MS / 1000}\`, ${POLITE_PAGES} pages with ${POLITE_WORKERS} workers: the shortest pause between two requests was ${shortest.toFixed(0)} ms.`,
    )
  }
  const runs = Number(flags.runs)
  const wrong = await tryLimits(server, runs)
  results.push(
    `${runs} crawls of random sites with a random \`limit\` up to ${MAX_LIMIT} and 0 to ${MAX_RANDOM_WORKERS} workers: ${runs - wrong} have given exactly as many documents.`,
  )
} finally {
  await server.close()
}
const report = [
  `Crawls of ${flags.pages} pages by an engine with 2 pages at once and workers with ${WORKER_PLACES} each, in processes of their own; ${availableParallelism()} cores, load ${busy} before, Node ${process.versions.node}. In the columns: how many documents and outcomes of URLs differ from those without workers.`,
  [
    `| site | ${flags.workers.map((count) => (count === '1' ? '1 worker' : `${count} workers`)).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(flags.workers.length)}`,
    ...rows,
  ].join('\n'),
  ...results,
].join('\n\n')
console.log(`\n${report}`)
for (const problem of problems) console.log(`WRONG: ${problem}`)
if (flags.write) writeReport('equality', report)
if (problems.length > 0) process.exitCode = 1
