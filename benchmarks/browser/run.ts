import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import type { Loaded, PartMessage, Until } from './load-part.js'
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

/** Kind of page, and the condition that the plain loop waits for. */
interface Scenario {
  readonly name: string
  readonly kind: 'static' | 'built'
  readonly until: Until
}

const scenarios: readonly Scenario[] = [
  { name: 'static pages, until the load event', kind: 'static', until: 'load' },
  { name: 'pages built by scripts, until a given element', kind: 'built', until: 'text' },
  { name: 'pages built by scripts, until the network is idle', kind: 'built', until: 'idle' },
]

const start = (script: string): ChildProcess =>
  fork(new URL(script, import.meta.url), [flags.concurrency], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null): void =>
      reject(new Error(`${child.spawnargs[1]} ended with code ${code} without a message`))
    child.once('exit', end).once('message', (message) => {
      child.off('exit', end)
      resolve(message as T)
    })
  })
}

async function send(child: ChildProcess, what: PartMessage): Promise<Loaded> {
  const answer = answerOf<Loaded>(child)
  child.send(what)
  return await answer
}

/**
 * Compares the plain loop with trawl. Both load the same pages alternately, so that the load of the machine is nearly
 * the same for both.
 */
async function compare(origin: string): Promise<string> {
  const sides = { bare: start('load-with-playwright.js'), trawl: start('load-with-trawl.js') }
  const lines: string[] = []
  for (const { name, kind, until } of scenarios) {
    const speeds = { bare: [] as number[], trawl: [] as number[] }
    const whole = { bare: 0, trawl: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const urls = Array.from({ length: part }, (_, nth) => `${origin}/${kind}/${round * part + nth}`)
      for (const side of round % 2 === 0 ? (['bare', 'trawl'] as const) : (['trawl', 'bare'] as const)) {
        const loaded = await send(sides[side], { urls, until })
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
    await send(child, 'close')
    child.kill()
  }
  const head =
    '| | plain loop, pages/s | trawl, pages/s | trawl relative to the loop: median, and each round | complete pages |'
  return [head, '| --- | ---: | ---: | --- | --- |', ...lines].join('\n')
}

/**
 * Measures the memory of the whole process tree while one engine loads pages, half of them built by scripts; one line
 * for each hundred.
 */
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
    const loading = send(child, { urls, until: 'text' }).finally(() => (state.isDone = true))
    while (!state.isDone) {
      await Promise.race([sleep(500), loading])
      samples.push(measureTree(pid) / 2 ** 20)
    }
    const { whole } = await loading
    hundreds.push(`| ${done + 100} | ${median(samples).toFixed(0)} | ${Math.max(...samples).toFixed(0)} | ${whole} |`)
    console.log(hundreds.at(-1))
  }
  await send(child, 'close')
  const left = processesBelow(pid).length
  child.kill()
  return [
    `Memory (PSS) of the process and its descendants while one engine loads ${pages} pages; after \`close()\`, ${left} descendants are left:`,
    [
      '| pages | MiB, median | MiB, maximum | complete pages of 100 |',
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
  `Node ${process.version} on ${processor}, load average ${busy.toFixed(1)} before the start and ${(loadavg()[0] ?? 0).toFixed(1)} after it; ${flags.concurrency} pages at once, ${rounds} rounds of ${part} pages, alternately.`,
  table,
  memory,
].join('\n\n')
console.log(`\n${report}`)

if (flags.write) writeReport('browser', report)
