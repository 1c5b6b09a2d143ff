import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { Loaded, Order, Until } from './load-part.js'
import { measureTree, processesBelow } from './measure-tree.js'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    part: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
  },
})
const [pages, rounds, part] = [flags.pages, flags.rounds, flags.part].map(Number) as [number, number, number]

/** Pages of one making, and how the bare loop knows that they are there. */
interface Course {
  readonly name: string
  readonly making: 'static' | 'built'
  readonly until: Until
}

const courses: readonly Course[] = [
  { name: 'static pages, until the load event', making: 'static', until: 'load' },
  { name: 'pages built by scripts, until an element that the loop is told of', making: 'built', until: 'text' },
  { name: 'pages built by scripts, until the network is idle', making: 'built', until: 'idle' },
]

const start = (script: string): ChildProcess =>
  fork(new URL(script, import.meta.url), [flags.concurrency], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null): void =>
      reject(new Error(`${child.spawnargs[1]} ended with code ${code} and said nothing`))
    child.once('exit', end).once('message', (message) => {
      child.off('exit', end)
      resolve(message as T)
    })
  })
}

async function order(child: ChildProcess, what: Order): Promise<Loaded> {
  const answer = answerOf<Loaded>(child)
  child.send(what)
  return await answer
}

/** Both sides load the same pages by turns, so that each has the machine in nearly the same moments. */
async function compare(origin: string): Promise<string> {
  const sides = { bare: start('load-with-playwright.js'), trawl: start('load-with-trawl.js') }
  const lines: string[] = []
  for (const { name, making, until } of courses) {
    const speeds = { bare: [] as number[], trawl: [] as number[] }
    const whole = { bare: 0, trawl: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const urls = Array.from({ length: part }, (_, nth) => `${origin}/${making}/${round * part + nth}`)
      for (const side of round % 2 === 0 ? (['bare', 'trawl'] as const) : (['trawl', 'bare'] as const)) {
        const loaded = await order(sides[side], { urls, until })
        speeds[side].push(part / loaded.seconds)
        whole[side] += loaded.whole
        console.log(`${name}, round ${round + 1}, ${side}: ${(part / loaded.seconds).toFixed(1)} pages/s`)
      }
    }
    const ratios = speeds.trawl.map((speed, at) => speed / (speeds.bare[at] ?? 0))
    const all = rounds * part
    const row = [
      name,
      median(speeds.bare).toFixed(1),
      median(speeds.trawl).toFixed(1),
      `× ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
      `${whole.bare} and ${whole.trawl} of ${all}`,
    ]
    lines.push(`| ${row.join(' | ')} |`)
  }
  for (const child of Object.values(sides)) {
    await order(child, 'close')
    child.kill()
  }
  const head =
    '| | bare loop, pages/s | trawl, pages/s | trawl against the loop, in the median, and round by round | text came whole |'
  return [head, '| --- | ---: | ---: | --- | --- |', ...lines].join('\n')
}

/** One engine for all pages, half of them built by scripts; what the whole tree of processes holds after each hundred. */
async function watchMemory(origin: string): Promise<string> {
  const child = start('load-with-trawl.js')
  const pid = child.pid ?? 0
  const hundreds: string[] = []
  for (let done = 0; done < pages; done += 100) {
    const samples: number[] = []
    const urls = Array.from(
      { length: 100 },
      (_, nth) => `${origin}/${nth % 2 === 0 ? 'static' : 'built'}/${done + nth}`,
    )
    const state = { isDone: false }
    const loading = order(child, { urls, until: 'text' }).finally(() => (state.isDone = true))
    while (!state.isDone) {
      await Promise.race([sleep(500), loading])
      samples.push(measureTree(pid) / 2 ** 20)
    }
    const { whole } = await loading
    hundreds.push(`| ${done + 100} | ${median(samples).toFixed(0)} | ${Math.max(...samples).toFixed(0)} | ${whole} |`)
    console.log(hundreds.at(-1))
  }
  await order(child, 'close')
  const left = processesBelow(pid).length
  child.kill()
  return [
    `Memory of the process and all below it (PSS) while one engine loads ${pages} pages; after \`close()\`, ${left} processes are left below it:`,
    [
      '| pages | MiB, median | MiB, most | text came whole, of 100 |',
      '| ---: | ---: | ---: | ---: |',
      ...hundreds,
    ].join('\n'),
  ].join('\n\n')
}

const busy = loadavg()[0] ?? 0
const server = start('serve-pages.js')
const origin = await answerOf<string>(server)
const table = rounds > 0 ? await compare(origin) : 'Throughput was not measured.'
const memory = pages > 0 ? await watchMemory(origin) : 'Memory was not measured.'
server.kill()
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const report = [
  `Node ${process.version} on ${processor}, load average ${busy.toFixed(1)} before the start and ${(loadavg()[0] ?? 0).toFixed(1)} after it; ${flags.concurrency} pages at once, ${rounds} rounds of ${part} pages by turns.`,
  table,
  memory,
].join('\n\n')
console.log(`\n${report}`)

if (flags.write) writeReport('browser', report)
