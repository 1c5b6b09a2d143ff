import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missing, startPostgres } from '../../test/base/store/postgres-server.js'
import { writeReport } from '../write-report.js'
import { type KilledCrawl, killCrawl, type Victim } from './kill-crawl.js'
import { serveLogged, type Visit } from './logged-site.js'
import { compareLists, draw, requestOf, sites, WORKER_PLACES } from './machines.js'

const { values: flags } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    stops: { type: 'string', default: '20' },
    pages: { type: 'string', default: '600' },
    workers: { type: 'string', default: '2' },
    site: { type: 'string', default: 'python' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

/** Documents between two kills, at least and at most. */
const [MIN_PROGRESS, MAX_PROGRESS] = [10, 20]
/** A kill follows so much later at most. Milliseconds. */
const MAX_LATER_MS = 200
/** Time of each answer of the site. Milliseconds. */
const LATENCY_MS = 100
/** Kills of an owner and workers for each of a reader. */
const READER_EVERY = 5

if (missing !== undefined) throw new Error(missing)
const folder = sites[flags.site]
if (folder === undefined) throw new Error(`--site: one of ${Object.keys(sites).join(', ')}`)
const site = await serveLogged(folder, { latencyMs: LATENCY_MS })
const server = await startPostgres()
const temporary = mkdtempSync(join(tmpdir(), 'trawl-kills-'))
const busy = (loadavg()[0] ?? 0).toFixed(1)
const random = draw(Number(flags.seed))
const [kills, stops, workers] = [flags.kills, flags.stops, flags.workers].map(Number) as [number, number, number]
const killed: Record<Victim, number> = { owner: 0, worker: 0, reader: 0, server: 0 }
const repeatedAfter: Record<Victim, number> = { owner: 0, worker: 0, reader: 0, server: 0 }
const killsSoFar = (): number => killed.owner + killed.worker

/** The next victim: owner and workers in turn, and in between a reader and the server. */
function chooseVictim(): Victim | undefined {
  const done = killsSoFar()
  if (killed.server < Math.floor((done * stops) / Math.max(1, kills))) return 'server'
  if (killed.reader < Math.floor(done / READER_EVERY)) return 'reader'
  if (done >= kills) return killed.server < stops ? 'server' : undefined
  return killed.owner <= killed.worker ? 'owner' : 'worker'
}

let crawls = 0
async function crawl(isHarmed: boolean): Promise<KilledCrawl & { visits: readonly Visit[] }> {
  site.reset()
  const result = await killCrawl({
    server,
    schema: `kills ${crawls}`,
    request: requestOf(site.origin, Number(flags.pages)),
    workers,
    file: join(temporary, `${crawls}.lines`),
    next() {
      const victim = isHarmed ? chooseVictim() : undefined
      const progress = Math.round(MIN_PROGRESS + random() * (MAX_PROGRESS - MIN_PROGRESS))
      return victim && { victim, progress, laterMs: random() * MAX_LATER_MS }
    },
    onKill: (victim) => void (killed[victim] += 1),
  })
  crawls += 1
  return { ...result, visits: site.visits }
}

const documentsOf = (lines: readonly string[]): string[] =>
  lines.map((line) => (JSON.parse(line) as [number, string])[1])
const idsOf = (lines: readonly string[]): number[] => lines.map((line) => (JSON.parse(line) as [number])[0])

/** Visits of pages that were visited before. */
function listRepeated(visits: readonly Visit[]): readonly Visit[] {
  const seen = new Set<string>()
  return visits
    .toSorted((one, other) => one.startMs - other.startMs)
    .filter(({ path }) => seen.size === seen.add(path).size)
}

const total = { documents: 0, lost: 0, twice: 0, different: 0 }
try {
  const whole = await crawl(false)
  const expected = documentsOf(whole.lines)
  console.log(
    `unharmed: ${expected.length} documents, ${listRepeated(whole.visits).length} pages fetched more than once`,
  )
  while (killsSoFar() < kills || killed.server < stops) {
    const { end, lines, events, visits } = await crawl(true)
    const documents = documentsOf(lines)
    const { missing: gone, new: others } = compareLists(expected, documents)
    const ids = idsOf(lines)
    const repeated = listRepeated(visits)
    for (const { startMs } of repeated) {
      const cause = events.findLast(({ atMs }) => atMs <= startMs)?.victim
      if (cause) repeatedAfter[cause] += 1
    }
    total.documents += documents.length
    const pathOf = (line: string): string => (JSON.parse(line) as [string])[0]
    const lost = gone.filter((line) => !others.some((other) => pathOf(other) === pathOf(line)))
    total.lost += lost.length
    total.different += others.length
    total.twice += documents.length - new Set(documents.map(pathOf)).size + ids.filter((id, at) => id !== at).length
    console.log(
      `crawl ${crawls - 1}: ${end.status}, ${events.length} kills and stops (${killsSoFar()} kills so far); ${documents.length} documents, ${lost.length} lost, ${others.length} different, ${repeated.length} pages fetched more than once`,
    )
    for (const line of [...gone.map((one) => `- ${one}`), ...others.map((one) => `+ ${one}`)].slice(0, 10))
      console.log(line)
  }
} finally {
  await server.close()
  await site.close()
  rmSync(temporary, { recursive: true })
}

const rate = (victim: Victim): string =>
  killed[victim] === 0 ? '' : (repeatedAfter[victim] / killed[victim]).toFixed(1)
const names: readonly (readonly [Victim, string])[] = [
  ['owner', 'engine that runs the job, `kill -9`'],
  ['worker', 'worker, `kill -9`'],
  ['reader', 'reader, `kill -9`'],
  ['server', 'server, immediate stop'],
]
const report = [
  `${crawls - 1} crawls of ${flags.pages} pages (${flags.site}, ${LATENCY_MS} ms an answer) by an engine with 2 pages at once and ${workers} workers with ${WORKER_PLACES} each, read by a process that commits and acknowledges; ${availableParallelism()} cores, load ${busy} before, Node ${process.versions.node}. ${total.documents} documents: ${total.lost} lost, ${total.twice} delivered twice, ${total.different} different from those of an undisturbed crawl.`,
  [
    '| ended | times | pages fetched once more, for each |',
    '| --- | ---: | ---: |',
    ...names.map(([victim, name]) => `| ${name} | ${killed[victim]} | ${rate(victim)} |`),
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('kills', report)
if (total.lost + total.twice + total.different > 0) process.exitCode = 1
