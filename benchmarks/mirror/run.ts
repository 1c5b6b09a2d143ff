import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, type Engine, mirrorTo } from 'trawl'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
  },
})
const [pages, rounds] = [Number(flags.pages), Number(flags.rounds)]
const server = startScript(new URL('serve-pages.js', import.meta.url), [String(pages)])
const url = await firstMessage<string>(server)
const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-mirror-'))
const request = { url, limit: pages + 1, sitemap: 'skip', maxConcurrency: 8, since: 'last' } as const
const open = (name: string): Engine =>
  createEngine({ allowPrivateNetworks: true, cache: false, fetcher: 'http', snapshots: join(folder, name) })

/** Measures the processor time of this process. @returns seconds */
async function measure(act: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Reads when the files of the mirror were written. */
async function readTimes(): Promise<Map<string, number>> {
  const out = join(folder, 'out')
  const names = (await readdir(out, { recursive: true })).filter((name) => /\.(?:md|txt)$/.test(name))
  return new Map(await Promise.all(names.map(async (name) => [name, (await stat(join(out, name))).mtimeMs] as const)))
}

const target = mirrorTo(join(folder, 'out'))
{
  await using engine = open('mirror')
  const first = await engine.mirror(request, target).sync()
  if (first.new !== pages) throw new Error(`the first run has ${first.new} pages, not ${pages}`)
}
// Both begin with the record of one crawl.
await cp(join(folder, 'mirror'), join(folder, 'since'), { recursive: true })
const engines = { mirror: open('mirror'), since: open('since') }
const mirror = engines.mirror.mirror(request, target)
const crawl = async (): Promise<void> => {
  let unchanged = 0
  for await (const { markdown } of engines.since.crawl(request)) if (markdown === undefined) unchanged += 1
  if (unchanged !== pages) throw new Error(`${unchanged} pages were unchanged, not ${pages}`)
}
const before = await readTimes()
const seconds = { mirror: [] as number[], since: [] as number[] }
const sync = async (): Promise<void> => {
  const { unchanged } = await mirror.sync()
  if (unchanged !== pages) throw new Error(`${unchanged} pages were unchanged, not ${pages}`)
}
for (let round = 0; round < rounds; round += 1) {
  // Each is the first one as often as the other.
  const order = round % 2 === 0 ? (['mirror', 'since'] as const) : (['since', 'mirror'] as const)
  for (const name of order) seconds[name].push(await measure(name === 'mirror' ? sync : crawl))
}
const after = await readTimes()
const written = [...after].filter(([name, time]) => before.get(name) !== time).length
for (const engine of Object.values(engines)) await engine.close()
server.kill()
await rm(folder, { recursive: true })

const costs = { mirror: median(seconds.mirror), since: median(seconds.since) }
const report = [
  `${pages.toLocaleString('en-US')} pages of which none has changed, ${rounds} rounds by turns, Node ${process.version}:`,
  '',
  '| run | s of processor time, median | files written |',
  '| --- | ---: | ---: |',
  `| \`mirror.sync()\` into a folder of ${after.size.toLocaleString('en-US')} files | ${costs.mirror.toFixed(1)} | ${written} |`,
  `| \`crawl({ since: 'last' })\` | ${costs.since.toFixed(1)} | |`,
  '',
  `A mirror costs ${(costs.mirror / costs.since).toFixed(2)} of the crawl. Target: it writes nothing, and costs no more.`,
].join('\n')
console.log(report)
if (flags.write) writeReport('mirror', report)
