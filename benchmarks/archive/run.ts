import { open, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { eachGzipped, httpBlock, infoRecord, pageRecord } from '../../test/features/archive/make-warc.js'
import { readFolder } from '../digest/choose-pages.js'
import type { ServedDocs } from '../frontier/serve-docs.js'
import { firstMessage, runSide, startScript } from '../run-side.js'
import { findSite } from '../sites/site-folders.js'
import type { Measurement } from '../speed/measure.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { ArchiveTask } from './crawl-into-archive.js'
import type { ReadTask } from './read-pages.js'

const { values: flags } = parseArgs({
  options: {
    /** Name of a site of `npm run bench:sites`. */
    site: { type: 'string', default: 'real' },
    /** Pages of a crawl. */
    limit: { type: 'string', default: '400' },
    /** Pages of the archive that is read; the target is stated for 20,000. */
    pages: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})
const [limit, pages, rounds] = [Number(flags.limit), Number(flags.pages), Number(flags.rounds)]

/** This file runs from `benchmarks/.build/benchmarks/archive/`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const site = await findSite(flags.site, root)
if (site === undefined) throw new Error(`the site \`${flags.site}\` is not on this machine: see \`--site\``)
const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-archive-'))

const startedMs = performance.now()
/** Says what is measured, and when: a run may take an hour with larger numbers. */
const say = (what: string): void => console.error(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${what}`)
const costOf = ({ cpuSeconds, urls }: Measurement): string =>
  `${((1000 * cpuSeconds) / urls.length).toFixed(2)} ms/page for ${urls.length} pages`

const sizeOf = async (place: string): Promise<number> => {
  const names = await readdir(place)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(place, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Crawls a site without an archive, into a new one, and into that one again, by turns. */
async function measureWriting() {
  const served: ServedDocs = { folders: { '/docs/': `${site}/` } }
  const server = startScript(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
  const start = await firstMessage<string>(server)
  const side = async (archive?: string): Promise<Measurement> => {
    const task: ArchiveTask = { start, concurrency: 10, limit, ...(archive !== undefined && { archive }) }
    const found = await runSide({ script: new URL('./crawl-into-archive.js', import.meta.url), flags: [] }, task)
    say(`crawled ${archive === undefined ? 'without' : 'into'} an archive: ${costOf(found)}`)
    return found
  }
  const costs = { plain: [] as number[], first: [] as number[], second: [] as number[] }
  let sizes = { first: 0, added: 0, crawled: 0 }
  for (let round = 0; round < rounds; round++) {
    const place = join(folder, `archive-${round}`)
    const perPage = ({ cpuSeconds, urls }: Measurement): number => (1000 * cpuSeconds) / urls.length
    costs.plain.push(perPage(await side()))
    const first = await side(join(place, 'site.warc.gz'))
    costs.first.push(perPage(first))
    const bytes = await sizeOf(place)
    costs.second.push(perPage(await side(join(place, 'site.warc.gz'))))
    sizes = { first: bytes, added: (await sizeOf(place)) - bytes, crawled: first.urls.length }
    await rm(place, { recursive: true })
  }
  server.kill()
  return { costs, sizes }
}

/** Head of the responses: it states the encoding, as what is given to `parse()` does. */
const HEAD: readonly string[] = ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=utf-8']

/** Writes an archive that repeats pages under URLs of their own. */
async function writeArchive(path: string, htmls: readonly string[], count: number): Promise<void> {
  const file = await open(path, 'w')
  await file.write(eachGzipped(infoRecord()))
  for (let at = 0; at < count; at++) {
    const block = httpBlock(htmls[at % htmls.length] ?? '', HEAD)
    await file.write(eachGzipped(pageRecord(`http://site.test/pages/${at}`, '', { block })))
  }
  await file.close()
}

/** Reads an archive, and gives the same pages to `engine.parse`, by turns. */
async function measureReading() {
  const given = readFolder(site ?? '', 500)
  const pagesFile = join(folder, 'pages.json')
  await writeFile(pagesFile, JSON.stringify(given))
  const htmls = given.map(({ html }) => html)
  const script = new URL('./read-pages.js', import.meta.url)
  const side = async (count: number, archive?: string): Promise<Measurement> => {
    const task: ReadTask = {
      start: '',
      concurrency: 0,
      pagesFile,
      pages: count,
      ...(archive !== undefined && { archive }),
    }
    const found = await runSide({ script, flags: [] }, task)
    say(`${archive === undefined ? 'gave pages to parse()' : 'read an archive'}: ${costOf(found)}`)
    return found
  }
  say(`writes archives of ${pages} and ${pages / 4} pages`)
  const [few, all] = [join(folder, 'few.warc.gz'), join(folder, 'all.warc.gz')]
  await writeArchive(few, htmls, pages / 4)
  await writeArchive(all, htmls, pages)
  const { size } = await stat(all)
  const found = { parse: [] as Measurement[], archive: [] as Measurement[] }
  for (let round = 0; round < rounds; round++) {
    // By turns: what the machine does besides changes from minute to minute.
    const isOdd = round % 2 === 1
    const first = await side(pages, isOdd ? all : undefined)
    const second = await side(pages, isOdd ? undefined : all)
    const [parsed, read] = isOdd ? [second, first] : [first, second]
    if (read.urls.length !== pages || read.characters !== parsed.characters)
      throw new Error(
        `the archive gave ${read.urls.length} pages of ${read.characters} characters, not ${parsed.characters}`,
      )
    found.parse.push(parsed)
    found.archive.push(read)
  }
  const quarter = await side(pages / 4, few)
  return { ...found, quarter, size }
}

try {
  say(`crawls ${limit} pages of the site \`${flags.site}\` three times a round`)
  const { costs, sizes } = await measureWriting()
  const reading = await measureReading()
  const of = (values: readonly number[]): number => median(values)
  const seconds = (side: readonly Measurement[]): number => of(side.map(({ cpuSeconds }) => cpuSeconds))
  const elapsed = (side: readonly Measurement[]): number => of(side.map(({ seconds: taken }) => taken))
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
  const ratios = reading.archive.map(({ cpuSeconds }, at) => cpuSeconds / (reading.parse[at]?.cpuSeconds ?? 1))
  const report = [
    `Node ${process.version} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end; medians of ${rounds} rounds by turns, each side in a process of its own.`,
    [
      `| ${sizes.crawled.toLocaleString('en-US')} pages of a site (${flags.site}) | processor time, ms/page | bytes written, MiB |`,
      '| --- | ---: | ---: |',
      `| crawled without an archive | ${of(costs.plain).toFixed(2)} | |`,
      `| into a new archive | ${of(costs.first).toFixed(2)} (+${percent(of(costs.first.map((cost, at) => cost / (costs.plain[at] ?? cost) - 1)))}) | ${mib(sizes.first)} |`,
      `| again, into the same one | ${of(costs.second).toFixed(2)} (+${percent(of(costs.second.map((cost, at) => cost / (costs.plain[at] ?? cost) - 1)))}) | ${mib(sizes.added)} (${percent(sizes.added / sizes.first)}) |`,
    ].join('\n'),
    [
      `| ${pages.toLocaleString('en-US')} pages of an archive of ${mib(reading.size)} MiB | processor time, s | seconds | peak memory, MiB |`,
      '| --- | ---: | ---: | ---: |',
      `| \`engine.parse()\` | ${seconds(reading.parse).toFixed(1)} | ${elapsed(reading.parse).toFixed(1)} | ${mib(of(reading.parse.map(({ peakBytes }) => peakBytes)))} |`,
      `| \`engine.archive()\` | ${seconds(reading.archive).toFixed(1)} (× ${of(ratios).toFixed(3)}) | ${elapsed(reading.archive).toFixed(1)} | ${mib(of(reading.archive.map(({ peakBytes }) => peakBytes)))} |`,
      `| the same, a quarter of the pages | ${reading.quarter.cpuSeconds.toFixed(1)} | ${reading.quarter.seconds.toFixed(1)} | ${mib(reading.quarter.peakBytes)} |`,
    ].join('\n'),
    'Targets: an archive costs at most 8 % of a crawl, an unchanged site adds at most 5 %, reading costs at most 1.05 of `parse()`, with flat memory.',
  ].join('\n\n')
  console.log(report)
  if (flags.write) writeReport('archive', report)
} finally {
  await rm(folder, { recursive: true })
}
