import { existsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstMessage, runSide, startScript } from '../run-side.js'
import { writeReport } from '../write-report.js'
import { comparePages } from './compare-pages.js'
import type { Measurement, Task } from './measure.js'
import { printTable, type Side } from './print-table.js'
import type { Served } from './serve.js'

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '10' },
    pages: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

/** This file runs from `benchmarks/.build/benchmarks/speed/`. */
const root = new URL('../../../../', import.meta.url)

const debianDocs: Readonly<Record<string, string>> = {
  '/postgresql/': '/usr/share/doc/postgresql-doc-15/html',
  '/python/': '/usr/share/doc/python3.11/html',
}

const sides: readonly Side[] = [
  { name: 'plain Crawlee script', script: 'crawl-with-crawlee.js', flags: [] },
  { name: 'trawl, same work', script: 'crawl-with-trawl.js', flags: ['--same-work'] },
  { name: 'trawl with defaults', script: 'crawl-with-trawl.js', flags: [] },
]

/** Chooses the site: installed documentation, or generated pages if there is none or `--pages` is given. */
function chooseSite(): { served: Served; name: string } {
  const folders = Object.fromEntries(
    Object.entries(debianDocs).filter(([, folder]) => existsSync(`${folder}/index.html`)),
  )
  const names = Object.keys(folders).map((prefix) => prefix.replaceAll('/', ''))
  if (flags.pages === undefined && names.length > 0)
    return { served: { folders }, name: `Debian's documentation of ${names.join(' and ')}` }
  const pages = Number(flags.pages ?? 3000)
  const blocksFrom = fileURLToPath(new URL('test/site/docs/', root))
  return { served: { generated: { pages, blocksFrom } }, name: `a generated site of ${pages} pages` }
}

const scriptUrl = (script: string): URL => new URL(script, import.meta.url)

const busy = loadavg()[0] ?? 0
const { served, name } = chooseSite()
const server = startScript(scriptUrl('serve.js'), [JSON.stringify(served)])
const task: Task = { start: await firstMessage<string>(server), concurrency: Number(flags.concurrency) }
const results = new Map<Side, Measurement[]>(sides.map((side) => [side, []]))
for (let round = 0; round < Number(flags.rounds); round += 1) {
  // The order alternates, so that no side always runs at a quieter time.
  for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
    const measurement = await runSide({ script: scriptUrl(side.script), flags: side.flags }, task)
    results.get(side)?.push(measurement)
    console.log(
      `round ${round + 1}, ${side.name}: ${measurement.urls.length} pages in ${measurement.seconds.toFixed(1)} s`,
    )
  }
}
server.kill()

const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `${name}, ${task.concurrency} pages at once, medians of ${flags.rounds} rounds, Node ${process.version} on ${processor}, load average ${busy.toFixed(1)} before the start:`,
  printTable(results),
  comparePages(results),
].join('\n\n')
console.log(`\n${report}`)

if (flags.write) writeReport('speed', report)
