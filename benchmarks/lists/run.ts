import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createEngine, type Engine } from 'trawl'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    rows: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})

/** Maximum time of reading the list, relative to scraping its pages. */
const MAX_RATIO = 2

const [pages, rowsPerPage] = [Number(flags.pages), Number(flags.rows)]

interface Run {
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Measures what an engine does. There is no model in it. */
async function measure(work: (engine: Engine) => Promise<void>): Promise<Run> {
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false, fetcher: 'http' })
  // Loads modules and starts a thread.
  await engine.scrape(url, { formats: ['markdown', 'list'] })
  const [startedAtMs, cpu] = [performance.now(), process.cpuUsage()]
  await work(engine)
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedAtMs) / 1000, cpuSeconds: (user + system) / 1e6 }
}

async function readList(engine: Engine): Promise<void> {
  const { list } = await engine.scrape(url, { formats: [{ type: 'list', all: true }], timeout: 300_000 })
  const urls = new Set(list.items.map((item) => item['url']))
  if (urls.size !== pages * rowsPerPage || !list.complete)
    throw new Error(`the list has ${urls.size} rows: ${list.stoppedBy}`)
}

/** Scrapes the same pages one after the other, as a list is read. */
async function scrapePages(engine: Engine): Promise<void> {
  for (let page = 1; page <= pages; page += 1) await engine.scrape(page === 1 ? url : `${url}?page=${page}`)
}

const server = startScript(new URL('./serve-list.js', import.meta.url), [JSON.stringify({ pages, rowsPerPage })])
const url = await firstMessage<string>(server)
const results: { list: Run; pages: Run }[] = []
try {
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    const result = { pages: await measure(scrapePages), list: await measure(readList) }
    results.push(result)
    const print = ({ seconds, cpuSeconds }: Run): string => `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s CPU)`
    console.log(`round ${round + 1}: pages ${print(result.pages)}, list ${print(result.list)}`)
  }
} finally {
  server.kill()
}

const ratios = (read: (run: Run) => number): number[] => results.map(({ list, pages: own }) => read(list) / read(own))
const print = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(', ')
const [times, cpuTimes] = [ratios(({ seconds }) => seconds), ratios(({ cpuSeconds }) => cpuSeconds)]
const row = (title: string, read: (run: Run) => number): string =>
  `| ${title} | ${median(results.map((one) => read(one.pages))).toFixed(2)} | ${median(results.map(({ list }) => read(list))).toFixed(2)} |`
const report = [
  `Node ${process.version} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end. ${pages} pages with ${rowsPerPage} rows, medians of ${flags.rounds} rounds.`,
  [
    '| | scraping the pages | reading the list |',
    '| --- | ---: | ---: |',
    row('seconds', ({ seconds }) => seconds),
    row('processor time, seconds', ({ cpuSeconds }) => cpuSeconds),
  ].join('\n'),
  `Reading the list relative to scraping its pages, round by round: time ${print(times)}; processor time ${print(cpuTimes)}.`,
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('lists', report)

if (median(times) > MAX_RATIO || median(cpuTimes) > MAX_RATIO) {
  console.error(`\nReading a list may take at most ${MAX_RATIO} times as long as scraping its pages.`)
  process.exitCode = 1
}
