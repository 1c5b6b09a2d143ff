import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Measurement } from '../speed/measure.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { FrontierCost } from './fill-ledger.js'
import type { CrawlShares } from './profile-crawl.js'
import type { SiteTask } from './scrape-site.js'
import type { ServedDocs } from './serve-docs.js'

const { values: flags } = parseArgs({
  options: {
    urls: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '10' },
    pages: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

/** Number of crawls that are profiled. */
const PROFILES = 3

/** This file runs from `benchmarks/.build/benchmarks/frontier/`. */
const root = new URL('../../../../', import.meta.url)

const debianDocs: Readonly<Record<string, string>> = {
  '/postgresql/': '/usr/share/doc/postgresql-doc-15/html/',
  '/python/': '/usr/share/doc/python3.11/html/',
}

/** Chooses the site: installed documentation, or generated pages if there is none or `--pages` is given. */
function chooseSite(): { served: ServedDocs; name: string } {
  const folders = Object.fromEntries(Object.entries(debianDocs).filter(([, folder]) => existsSync(folder)))
  const names = Object.keys(folders).map((prefix) => prefix.replaceAll('/', ''))
  if (flags.pages === undefined && names.length > 0)
    return { served: { folders }, name: `Debian's documentation of ${names.join(' and ')}` }
  const pages = Number(flags.pages ?? 3000)
  const blocksFrom = fileURLToPath(new URL('test/site/docs/', root))
  return { served: { folders: {}, generated: { pages, blocksFrom } }, name: `a generated site of ${pages} pages` }
}

const start = (script: string, argument: string, execArgv: readonly string[] = []): ChildProcess =>
  fork(new URL(script, import.meta.url), [argument], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...execArgv],
  })

/** Resolves with the first message of a child process, and ends the process unless it is kept. */
async function ask<T>(child: ChildProcess, isKept = false): Promise<T> {
  const message = await new Promise<T>((resolve, reject) => {
    child.once('message', (given) => resolve(given as T))
    child.once('exit', (code) => reject(new Error(`${child.spawnargs[1]} ended with code ${code} without a message`)))
  })
  if (!isKept) child.kill()
  return message
}

async function measureFrontier(): Promise<string> {
  const cost = await ask<FrontierCost>(start('fill-ledger.js', flags.urls, ['--expose-gc']))
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
  const [first = 0] = cost.microseconds
  return [
    `${cost.rows.toLocaleString('en')} URLs, found on ${cost.pages.toLocaleString('en')} pages: ${mib(cost.heapBytes)} MiB of live objects, ${mib(cost.peakBytes)} MiB of peak resident set; ${cost.closingMs.toFixed(0)} ms to skip the remaining rows at the end.`,
    `| tenth of the URLs | ${cost.microseconds.map((_, at) => at + 1).join(' | ')} |\n| --- |${' ---: |'.repeat(10)}`.concat(
      `\n| µs for each new URL | ${cost.microseconds.map((each) => each.toFixed(1)).join(' | ')} |`,
      `\n| relative to the first | ${cost.microseconds.map((each) => `× ${(each / first).toFixed(2)}`).join(' | ')} |`,
    ),
  ].join('\n\n')
}

async function measureDiscovery(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-'))
  const { served, name } = chooseSite()
  const server = start('serve-docs.js', JSON.stringify(served))
  try {
    const crawl: SiteTask = { start: await ask<string>(server, true), concurrency: Number(flags.concurrency) }
    const batch: SiteTask = { ...crawl, urls: join(folder, 'urls.json') }
    const run = (task: SiteTask) => ask<Measurement>(start('scrape-site.js', JSON.stringify(task)))
    // The first crawl only finds the URLs for the batch; it is not measured.
    const { urls } = await run(crawl)
    writeFileSync(join(folder, 'urls.json'), JSON.stringify(urls))
    const results = { batch: [] as Measurement[], crawl: [] as Measurement[] }
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      // The order alternates, so that no side always runs at a quieter time.
      const sides = [
        ['batch', batch],
        ['crawl', crawl],
      ] as const
      for (const [side, task] of round % 2 === 0 ? sides : sides.toReversed()) {
        const measurement = await run(task)
        results[side].push(measurement)
        console.log(
          `round ${round + 1}, ${side}: ${measurement.urls.length} pages in ${measurement.seconds.toFixed(1)} s`,
        )
      }
    }
    const shares: CrawlShares[] = []
    for (let time = 0; time < PROFILES; time += 1) {
      shares.push(await ask<CrawlShares>(start('profile-crawl.js', JSON.stringify(crawl))))
    }
    return [printShares(shares), printComparison(name, results)].join('\n\n')
  } finally {
    server.kill()
    rmSync(folder, { recursive: true })
  }
}

function printShares(shares: readonly CrawlShares[]): string {
  const names = Object.keys(shares[0]?.partMs ?? {})
  const percent = ({ busyMs }: CrawlShares, ms: number): string => `${((100 * ms) / busyMs).toFixed(2)}%`
  const sum = ({ partMs }: CrawlShares): number => Object.values(partMs).reduce((all, ms) => all + ms, 0)
  const lines = shares.map((each, at) => {
    const cells = names.map((name) => percent(each, each.partMs[name] ?? 0))
    return `| ${at + 1} | ${each.pages} | ${each.busyMs.toFixed(0)} | ${cells.join(' | ')} | ${percent(each, sum(each))} |`
  })
  return [
    "Discovery's share of a crawl's processor time, by profile, crawl by crawl:",
    `| | pages | busy, ms | ${names.join(' | ')} | all |\n| --- |${' ---: |'.repeat(names.length + 3)}\n${lines.join('\n')}`,
  ].join('\n\n')
}

function printComparison(
  name: string,
  { batch, crawl }: Readonly<Record<'batch' | 'crawl', readonly Measurement[]>>,
): string {
  const rows = [
    ['pages', 0, ({ urls }: Measurement) => urls.length],
    ['seconds', 1, ({ seconds }: Measurement) => seconds],
    ['processor time, ms/page', 2, ({ cpuSeconds, urls }: Measurement) => (cpuSeconds / urls.length) * 1000],
    ['peak memory, MiB', 0, ({ peakBytes }: Measurement) => peakBytes / 2 ** 20],
  ] as const
  const lines = rows.map(([title, digits, read]) => {
    const [without, found] = [median(batch.map(read)), median(crawl.map(read))]
    return `| ${title} | ${without.toFixed(digits)} | ${found.toFixed(digits)} (× ${(found / without).toFixed(2)}) |`
  })
  /**
   * Compares the sides of each round. They ran at nearly the same time, so that their ratio is more reliable than the
   * medians.
   */
  const compareRounds = (read: (measurement: Measurement) => number): string => {
    const ratios = crawl.flatMap((each, at) => (batch[at] ? [read(each) / read(batch[at])] : []))
    return `× ${median(ratios).toFixed(3)} in the median (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`
  }
  return [
    `${name}, ${flags.concurrency} pages at once, medians of ${flags.rounds} rounds:`,
    ['| | a batch of the same URLs | a crawl |', '| --- | ---: | ---: |', ...lines].join('\n'),
    `The crawl relative to the batch, round by round: time ${compareRounds(rows[1][2])}, processor time ${compareRounds(rows[2][2])}.`,
  ].join('\n\n')
}

const busy = loadavg()[0] ?? 0
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const machine = `Node ${process.version} on ${processor}, load average ${busy.toFixed(1)} before the start.`
const report = [machine, await measureFrontier(), await measureDiscovery()].join('\n\n')
console.log(`\n${report}`)

if (flags.write) writeReport('frontier', report)
