import { mkdtemp, rm, stat } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createEngine, writeReport as writeCrawlReport, type Document } from 'trawl'
import { generateSite } from '../../test/site/generate-site.js'
import { documentOf, scrapedRow, START_MS, storedJob } from '../../test/features/report/stored-job.js'
import { writeReport } from '../write-report.js'
import { measureInBrowser, type BrowserTimes } from './measure-in-browser.js'

/** Pages that contents are generated from. This file runs from `benchmarks/.build/benchmarks/report/`. */
const DOCS = fileURLToPath(new URL('../../../../test/site/docs', import.meta.url))
/** Different contents; the pages of a report share them, each with a title and a URL of its own. */
const CONTENTS = 400

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
})
const pages = Number(flags.pages)
const rounds = Number(flags.rounds)
const busy = (loadavg()[0] ?? 0).toFixed(1)

/** Converts generated pages. */
async function convertPages(): Promise<readonly Document[]> {
  await using engine = createEngine()
  const contents: Document[] = []
  for (const [path, rawHtml] of generateSite({ pages: CONTENTS, blocksFrom: DOCS })) {
    contents.push(
      await engine.parse({ body: rawHtml, url: `https://site.test${path}` }, { formats: ['markdown', 'rawHtml'] }),
    )
  }
  return contents
}

/** Returns the row of a page: most are scraped, others failed or were refused, in folders of 50 pages. */
function rowOf(index: number): ReturnType<typeof scrapedRow> {
  const url = `https://site.test/section-${Math.floor(index / 50)}/article-${index}`
  const startedAtMs = START_MS + index * 12
  const attempt = { startedAtMs, endedAtMs: startedAtMs + 80 + ((index * 37) % 900), fetcher: 'http', statusCode: 200 }
  const row = scrapedRow(url, { attempts: [attempt], endedAtMs: attempt.endedAtMs, depth: 1 + (index % 4) })
  if (index % 50 === 7) return { ...row, outcome: 'failed', failure: { code: 'SCRAPE_TIMEOUT', error: 'no answer' } }
  if (index % 20 === 3)
    return { ...row, attempts: [], outcome: 'skipped', refusal: { reason: 'ROBOTS_TXT', message: 'Disallow: /' } }
  return row
}

/** Formats the figures of one report. */
function printRow(name: string, { writeMs, bytes, parts }: Written, times: BrowserTimes): string {
  const { firstPaintMs, drawnMs, readMs, memoryBytes, filterMs, storyMs, longFrames } = times
  const cells = [
    name,
    (writeMs / 1000).toFixed(1),
    (bytes / 1e6).toFixed(0),
    parts,
    ...[firstPaintMs, drawnMs, readMs].map((ms) => ms.toFixed(0)),
    (memoryBytes / 1e6).toFixed(0),
    filterMs.toFixed(0),
    storyMs.toFixed(0),
    `${longFrames.toFixed(0)} %`,
  ]
  return `| ${cells.join(' | ')} |`
}

interface Written {
  readonly writeMs: number
  readonly bytes: number
  readonly parts: number
}

const contents = await convertPages()
const rows = Array.from({ length: pages }, (_, index) => rowOf(index))
const folder = await mkdtemp(join(tmpdir(), 'trawl-report-'))
const lines: string[] = []
try {
  for (const [name, hasHtml] of [
    ['Markdown', false],
    ['Markdown and `rawHtml`', true],
  ] as const) {
    const documents = rows.flatMap(({ url, outcome }, index) => {
      const { markdown = '', rawHtml = '' } = contents[index % CONTENTS] ?? {}
      const content = { markdown: `# Article ${index}\n\n${markdown}`, ...(hasHtml && { rawHtml }) }
      return outcome === 'done' ? documentOf(url, content) : []
    })
    const file = join(folder, `report-${hasHtml}.html`)
    const before = performance.now()
    const { parts } = await writeCrawlReport(storedJob(rows, documents), file)
    const written = { writeMs: performance.now() - before, bytes: (await stat(file)).size, parts: parts.length }
    lines.push(printRow(name, written, await measureInBrowser(file, rounds)))
    console.log(lines.at(-1))
  }
} finally {
  await rm(folder, { recursive: true })
}
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `${pages} pages, medians of ${rounds} rounds, Node ${process.version} on ${processor}, load average ${busy} before the start:`,
  [
    '| content | written, s | report, MB | files beside it | first paint, ms | overview drawn, ms | read to its end, ms | memory of the page, MB | slowest filter, ms | content of a page, ms | frames over 50 ms while scrolling |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...lines,
    '| target | | | | 2000 | 2000 | | 500 | 100 | | |',
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('report', report)
