import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'
import { documentationFolders } from '../sites/site-folders.js'
import { choosePages, readFolder } from './choose-pages.js'
import { shapeNames } from './grow-page.js'
import type { Growth, GrowthStep, GrowthTask } from './measure-growth.js'
import type { SideCost, SideTask } from './measure-side.js'
import { type BenchPage, type Side, sideNames } from './sides.js'

const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '300' },
    mib: { type: 'string', default: '0.25,0.5,1,2,4,8' },
    write: { type: 'boolean', default: false },
  },
})

/** This file runs from `benchmarks/.build/benchmarks/digest/`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Flags for one thread: the garbage collector and the compiler run on the measured thread, so that their time is
 * counted.
 */
const ONE_CORE = ['--single-threaded', '--max-old-space-size=4096']

/** Runs a measuring process and resolves with its result. */
async function ask<T>(script: string, task: object): Promise<T> {
  const child = fork(new URL(script, import.meta.url), [JSON.stringify(task)], {
    execArgv: ONE_CORE,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const message = await new Promise<T>((resolve, reject) => {
    child.once('message', (given) => resolve(given as T))
    child.once('exit', (code) => reject(new Error(`${script} ended with code ${code} without a message`)))
  })
  child.kill()
  return message
}

async function compareSides(pages: readonly BenchPage[], name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-'))
  const file = join(folder, 'pages.json')
  writeFileSync(file, JSON.stringify(pages))
  const costs = new Map<Side, SideCost[]>(sideNames.map((side) => [side, []]))
  try {
    for (let round = 0; round < Number(flags.rounds); round += 1) {
      // The order alternates, so that no side always runs at a quieter time.
      for (const side of round % 2 === 0 ? sideNames : sideNames.toReversed()) {
        const cost = await ask<SideCost>('measure-side.js', { side, pages: file } satisfies SideTask)
        costs.get(side)?.push(cost)
        console.log(`round ${round + 1}, ${side}: ${(cost.firstMs / pages.length).toFixed(2)} ms a page`)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const bytes = pages.reduce((sum, { html }) => sum + html.length, 0)
  return [
    `${pages.length} ${name}, ${(bytes / 2 ** 20).toFixed(0)} MiB, medians of ${flags.rounds} rounds:`,
    printSides(costs, pages.length),
  ].join('\n\n')
}

function printSides(costs: ReadonlyMap<Side, readonly SideCost[]>, pages: number): string {
  const own = costs.get('trawl') ?? []
  const rows = [...costs].map(([side, rounds]) => {
    const ratios = rounds.map(({ firstMs }, at) => (own[at]?.firstMs ?? Number.NaN) / firstMs)
    return [
      side,
      (median(rounds.map(({ firstMs }) => firstMs)) / pages).toFixed(2),
      (median(rounds.map(({ againMs }) => againMs)) / pages).toFixed(2),
      median(rounds.map(({ slowestMs }) => slowestMs)).toFixed(0),
      `${rounds[0]?.empty ?? 0}`,
      side.startsWith('trawl') ? '' : `× ${median(ratios).toFixed(2)}`,
      side.startsWith('trawl') ? '' : ratios.map((ratio) => ratio.toFixed(2)).join(', '),
    ]
  })
  const head =
    '| | processor time, ms/page | read again, ms/page | slowest page, ms | pages without output | trawl takes | round by round |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |'
  return [head, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

async function measureGrowth(): Promise<string> {
  const mib = flags.mib.split(',').map(Number)
  const rows: string[] = []
  const warnings: string[] = []
  for (const shape of shapeNames) {
    const { steps } = await ask<Growth>('measure-growth.js', { shape, mib } satisfies GrowthTask)
    rows.push(`| ${shape} | ${steps.map(printStep).join(' | ')} |`)
    warnings.push(
      ...steps.flatMap(({ mib: size, warning }) => (warning ? [`- ${shape}, ${size} MiB: ${warning}`] : [])),
    )
    console.log(rows.at(-1))
  }
  return [
    'One page that grows, processor time in ms/MiB, the fastest of three readings; in brackets, the time relative to half the size, where × 2 is linear:',
    [`| | ${mib.map((size) => `${size} MiB`).join(' | ')} |`, `| --- |${' ---: |'.repeat(mib.length)}`, ...rows].join(
      '\n',
    ),
    ...(warnings.length > 0 ? [warnings.join('\n')] : []),
  ].join('\n\n')
}

function printStep({ mib, cpuMs, warning }: GrowthStep, at: number, steps: readonly GrowthStep[]): string {
  const before = steps[at - 1]
  const ratio = before === undefined ? '' : ` (× ${(cpuMs / before.cpuMs).toFixed(2)})`
  return `${(cpuMs / mib).toFixed(0)}${ratio}${warning === undefined ? '' : ' *'}`
}

/** Maximum number of pages of documentation: V8 has compiled all code for them only after some thousand readings. */
const DOCUMENTATION_PAGES = 1000

/** Pages to compare, with a name that follows their number. */
interface PageSet {
  readonly pages: readonly BenchPage[]
  readonly name: string
}

/** Returns the pages of the given folders; without any, those of the quality collection, and of documentation. */
async function listSets(): Promise<PageSet[]> {
  const most = Number(flags.pages)
  const read = (folder: string, name: string, pages: number): PageSet => ({
    pages: readFolder(folder, pages),
    name: `pages of ${name}`,
  })
  if (folders.length > 0) return folders.map((folder) => read(folder, folder, most))
  const installed = Object.entries(documentationFolders).filter(([, folder]) => existsSync(folder))
  return [await choosePages(root, most), ...installed.map(([name, folder]) => read(folder, name, DOCUMENTATION_PAGES))]
}

const busy = loadavg()[0] ?? 0
const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
const sections = [`Node ${process.version} on one of ${processor}, load average ${busy.toFixed(1)} before the start.`]
for (const { pages, name } of await listSets()) sections.push(await compareSides(pages, name))
if (flags.mib !== '') sections.push(await measureGrowth())
const report = sections.join('\n\n')
console.log(`\n${report}`)
if (flags.write) writeReport('digest', report)
