import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { firstMessage, startScript } from '../run-side.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { StartTimes } from './measure-start.js'

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, write: { type: 'boolean', default: false } },
})

const sentence = 'A sentence of an ordinary page, which is long enough to count as text. '
const page = `<!doctype html><title>Small</title><main><h1>Small</h1>${`<p>${sentence.repeat(4)}</p>`.repeat(8)}</main>`
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const script = new URL('measure-start.js', import.meta.url)

type FetchTimes = Pick<StartTimes, 'firstFetchMs'>

/** Measures in a new process. */
async function measure<Times>(what: 'library' | 'fetch'): Promise<Times> {
  const child = startScript(script, [url, what])
  const times = await firstMessage<Times>(child)
  child.kill()
  return times
}

const busy = (loadavg()[0] ?? 0).toFixed(1)
const rounds: StartTimes[] = []
for (let round = 0; round < Number(flags.rounds); round += 1) {
  rounds.push({ ...(await measure<StartTimes>('library')), ...(await measure<FetchTimes>('fetch')) })
  console.log(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`)
}
server.close()

const middle = (read: (times: StartTimes) => number): number => median(rounds.map(read))
const lines = [
  ['import of the library', middle(({ importMs }) => importMs), 'at most 250'],
  [
    'first page of a new engine, over `fetch()` of it in a new process',
    middle(({ firstPageMs, firstFetchMs }) => firstPageMs - firstFetchMs),
    'at most 150',
  ],
  [
    '`scrape()` of a small page in a warm engine, over `fetch()` and `parse()` of it',
    middle(({ scrapeMs, fetchMs, parseMs }) => scrapeMs - fetchMs - parseMs),
    'at most 3',
  ],
] as const
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `Medians of ${flags.rounds} rounds, Node ${process.version} on ${processor}, load average ${busy} before the start:`,
  [
    '| | ms | target, ms |',
    '| --- | ---: | ---: |',
    ...lines.map(([what, ms, target]) => `| ${what} | ${ms.toFixed(1)} | ${target} |`),
  ].join('\n'),
].join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('start', report)
