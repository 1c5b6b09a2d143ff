import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, runSide, startScript } from '../run-side.js'
import type { Measurement, Task } from '../speed/measure.js'
import { printTable, type Side } from '../speed/print-table.js'
import type { Served } from '../speed/serve.js'
import { writeReport } from '../write-report.js'
import { findSite, siteNames } from './site-folders.js'

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', multiple: true, default: [...siteNames] },
    work: { type: 'string', multiple: true, default: ['content', 'links'] },
    tool: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '10' },
    pages: { type: 'string' },
    latency: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
})

/** This file runs from `benchmarks/.build/benchmarks/sites/`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

const side = (name: string, tool: string): Side => ({ name, script: 'crawl-with-tools.js', flags: [tool] })

/** The compared tools for each kind of work. The first one is the reference. */
const sidesOf: Readonly<Record<string, readonly Side[]>> = {
  content: [
    side('plain Crawlee, links only', 'crawlee'),
    side('Crawlee, Readability, Turndown', 'readability'),
    side('Crawlee, Defuddle', 'defuddle'),
    side('loop over undici, pages read by trawl', 'parse'),
    side('trawl: Markdown of the main content, links', 'trawl-content'),
    side('the same, beside a host that computes', 'trawl-busy'),
  ],
  links: [
    side('loop over undici', 'undici'),
    side('trawl: all links', 'trawl-links'),
    ...(hasSpider() ? [side('Spider (Rust)', 'spider')] : []),
  ],
}

function hasSpider(): boolean {
  try {
    createRequire(import.meta.url)('@spider-rs/spider-rs')
    return true
  } catch {
    return false
  }
}

async function compare(name: string, folder: string, work: string): Promise<string> {
  const sides = (sidesOf[work] ?? []).filter(({ flags: [tool = ''] }) => flags.tool?.includes(tool) ?? true)
  const server = startScript(new URL('../speed/serve.js', import.meta.url), [
    JSON.stringify({ folders: { '/site/': folder }, latencyMs: Number(flags.latency) } satisfies Served),
  ])
  const start = `${await firstMessage<string>(server)}site/index.html`
  const limit = flags.pages === undefined ? {} : { limit: Number(flags.pages) }
  // The links of real pages lead to pages that are not served.
  const fromStartOnly = name === 'real'
  const task: Task = { start, concurrency: Number(flags.concurrency), fromStartOnly, urlsFile, ...limit }
  await writeUrls(sides, task)
  const results = new Map<Side, Measurement[]>(sides.map((each) => [each, []]))
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    // The order alternates, so that no side always runs at a quieter time.
    for (const each of round % 2 === 0 ? sides : sides.toReversed()) {
      const measurement = await runSide({ script: new URL(each.script, import.meta.url), flags: each.flags }, task)
      results.get(each)?.push(measurement)
      const seconds = measurement.seconds.toFixed(1)
      console.log(`${name}, round ${round + 1}, ${each.name}: ${measurement.urls.length} pages in ${seconds} s`)
    }
  }
  server.kill()
  return `**${name}, ${work}**\n\n${printTable(results)}`
}

/** Crawls a site once, so that the side without a crawl reads the same pages in the same order. */
async function writeUrls(sides: readonly Side[], task: Task): Promise<void> {
  if (!sides.some(({ flags: [tool] }) => tool === 'parse')) return
  const script = new URL('crawl-with-tools.js', import.meta.url)
  const { urls } = await runSide({ script, flags: ['trawl-content'] }, task)
  writeFileSync(urlsFile, JSON.stringify(urls))
}

const folder = mkdtempSync(join(tmpdir(), 'sites-'))
const urlsFile = join(folder, 'urls.json')
const busy = (loadavg()[0] ?? 0).toFixed(1)
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const tables = [
  `${flags.concurrency} pages at once, answers after ${flags.latency} ms, medians of ${flags.rounds} rounds, Node ${process.version} on ${processor}, load average ${busy} before the start:`,
]
try {
  for (const name of flags.site) {
    const pages = await findSite(name, root)
    if (pages === undefined) tables.push(`**${name}**: not on this machine.`)
    else for (const work of flags.work) tables.push(await compare(name, pages, work))
  }
} finally {
  rmSync(folder, { recursive: true })
}
const report = tables.join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('sites', report)
