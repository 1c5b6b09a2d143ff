import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createEngine, type Document, type Engine, type Job } from 'trawl'
import { PARTS, type Question } from '../goal/questions.js'
import { median } from '../speed/print-table.js'
import { addVectors, DIMENSIONS } from './add-vectors.js'
import { writeReport } from '../write-report.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    /** Folder in which the index is kept. @default a temporary one */
    keep: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** Documentation packages of Debian, by their name in the questions. */
const SITES: Readonly<Record<string, string>> = {
  python: '/usr/share/doc/python3.11/html/',
  postgresql: '/usr/share/doc/postgresql-doc-15/html/',
  openjdk: '/usr/share/doc/openjdk-17-doc/api/',
  rust: '/usr/share/doc/rust-doc/html/',
}
const TOP = 5
/** Site that is scraped with and without an index, and the delays of its answers. Milliseconds. */
const COST_SITE = 'postgresql'
const LATENCIES_MS = [50, 0]

/** This file runs from `benchmarks/.build/benchmarks/search/`. */
const root = new URL('../../../../', import.meta.url)
const questions = JSON.parse(
  readFileSync(fileURLToPath(new URL('benchmarks/goal/questions.json', root)), 'utf8'),
) as readonly Question[]
const sites = Object.entries(SITES).filter(([, folder]) => existsSync(folder))
const folders = JSON.stringify(Object.fromEntries(sites.map(([name, folder]) => [`/${name}/`, folder])))
/** Starts a server of the sites. @param latencyMs delay of each answer */
async function serve(latencyMs: number): Promise<{ server: ChildProcess; origin: string }> {
  const server = fork(new URL('./serve-files.js', import.meta.url), [folders, String(latencyMs)])
  const [origin] = (await once(server, 'message')) as [string]
  return { server, origin }
}
const { server, origin } = await serve(0)
const folder = flags.keep ?? mkdtempSync(join(tmpdir(), 'trawl-search-'))

const open = (index: string | false): Engine =>
  createEngine({ allowPrivateNetworks: true, fetcher: 'http', cache: false, index })

/** Lists the pages of a site: the answers, and others evenly over its files. */
function listPages(site: string, path: string, most: number): string[] {
  const all = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const step = Math.max(1, all.length / most)
  const some = Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] ?? '')
  const answers = questions.filter((question) => question.site === site).flatMap((question) => question.answers)
  return [...new Set([...answers.filter((name) => all.includes(name)), ...some])]
}

async function scrape(engine: Engine, site: string, names: readonly string[], from = origin): Promise<Job<Document>> {
  const urls = names.map((name) => `${from}/${site}/${encodeURI(name)}`)
  const job = engine.batchScrape({ urls, retain: false, maxConcurrency: 10 })
  let read = 0
  for await (const { metadata } of job) read += metadata.statusCode === 200 ? 1 : 0
  if (read < names.length) console.log(`${names.length - read} pages of ${site} could not be read`)
  return job
}

/** Processor time of the process, its threads included. Seconds. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Time and processor time of a crawl. Seconds. */
interface Cost {
  readonly seconds: number
  readonly cpu: number
}

async function measureCost(from: string, index: string | false): Promise<Cost> {
  await using engine = open(index)
  const [began, spent] = [performance.now(), cpu()]
  await scrape(engine, COST_SITE, costPages, from)
  return { seconds: (performance.now() - began) / 1000, cpu: cpu() - spent }
}

const engine = open(join(folder, 'all.db'))
const found: (Question & { rank: number })[] = []
const jobIds: string[] = []
let pages = 0
for (const [site, path] of sites) {
  const names = listPages(site, path, Number(flags.pages))
  const job = await scrape(engine, site, names)
  pages += names.length
  jobIds.push(job.id)
  for (const question of questions.filter((one) => one.site === site)) {
    const hits = await job.search(question.goal, { limit: TOP })
    const urls = question.answers.map((answer) => `${origin}/${site}/${encodeURI(answer)}`)
    const rank = hits.findIndex(({ url }) => urls.includes(url))
    found.push({ ...question, rank })
    if (flags.verbose && rank === -1)
      console.log(
        site,
        JSON.stringify(question.goal),
        hits.map(({ url }) => url.slice(origin.length)),
      )
  }
  console.log(site, names.length, found.filter((one) => one.site === site && one.rank >= 0).length)
}

const times: number[] = []
for (let round = 0; round < 5; round += 1) {
  for (const { goal } of questions) {
    const began = performance.now()
    await engine.search(goal)
    times.push(performance.now() - began)
  }
}
const chunks = await countChunks(join(folder, 'all.db'))
await engine.close()

/** The same searches, by words and by vectors. The first one, which reads the vectors, is apart. */
const vectorTimes: number[] = []
const byVectors = await addVectors(join(folder, 'all.db'), jobIds)
const firstTime = await byVectors.search(questions[0]?.goal ?? '')
for (let round = 0; round < 5; round += 1) {
  for (const { goal } of questions) vectorTimes.push(await byVectors.search(goal))
}
await byVectors.close()

/** Counts the chunks of an index file. */
async function countChunks(file: string): Promise<number> {
  const { findSqlite, numberOf } = await import('../../src/base/sqlite/driver.js')
  const database = findSqlite({ code: 'SEARCH_ERROR', name: 'the benchmark' })(file)
  const counted = numberOf(database.prepare('SELECT count(*) AS chunks FROM chunks').get() ?? {}, 'chunks')
  database.close()
  return counted
}

const costFolder = sites.find(([name]) => name === COST_SITE)?.[1]
const costPages = costFolder === undefined ? [] : listPages(COST_SITE, costFolder, 1200)
/** What indexing adds, for sites that answer at once and after some time. */
const ratios = new Map<number, Cost[]>(LATENCIES_MS.map((latencyMs) => [latencyMs, []]))
for (const [latencyMs, measured] of ratios) {
  const slow = await serve(latencyMs)
  for (let round = 0; round < Number(flags.rounds) && costPages.length > 0; round += 1) {
    const plain = await measureCost(slow.origin, false)
    const indexed = await measureCost(slow.origin, join(folder, `${latencyMs}-${round}.db`))
    measured.push({ seconds: indexed.seconds / plain.seconds, cpu: indexed.cpu / plain.cpu })
  }
  slow.server.disconnect()
}
server.disconnect()
if (flags.keep === undefined) rmSync(folder, { recursive: true })

const recall = (half: readonly { rank: number }[]): string =>
  `${((100 * half.filter(({ rank }) => rank >= 0).length) / Math.max(1, half.length)).toFixed(0)} %`
const at = (values: readonly number[], share: number): string =>
  `${(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(1)} ms`
const percent = (values: readonly number[]): string => `${(100 * (median(values) - 1)).toFixed(0)} %`
const report = [
  '| figure | value |',
  '| --- | ---: |',
  `| pages and chunks | ${pages} and ${chunks} |`,
  ...PARTS.map(
    (part) =>
      `| answer page among the first ${TOP} hits, questions "${part}" | ${recall(found.filter((one) => one.part === part))} |`,
  ),
  `| time of a search, p50 | ${at(times, 0.5)} |`,
  `| time of a search, p95 | ${at(times, 0.95)} |`,
  `| the same with vectors of ${DIMENSIONS} numbers, p50 | ${at(vectorTimes, 0.5)} |`,
  `| the same with vectors, p95 | ${at(vectorTimes, 0.95)} |`,
  `| the first search with vectors of a process | ${(firstTime / 1000).toFixed(1)} s |`,
  ...[...ratios].flatMap(([latencyMs, measured]) =>
    measured.length === 0
      ? []
      : [
          `| indexing on top of a crawl, answers after ${latencyMs} ms: time | ${percent(measured.map(({ seconds }) => seconds))} |`,
          `| the same, processor time | ${percent(measured.map((ratio) => ratio.cpu))} |`,
        ],
  ),
].join('\n')
console.log(report)
if (flags.write) writeReport('search', report)
