import { readFileSync } from 'node:fs'
import { type BenchPage, type ReadPage, type Side, sides } from './sides.js'

/** Task of a measuring process. */
export interface SideTask {
  readonly side: Side
  /** Path of a JSON file with the pages. */
  readonly pages: string
}

/** Cost of reading all pages once, and again. */
export interface SideCost {
  /** Processor time of the first reading, in which the code is compiled further and further. */
  readonly firstMs: number
  /** Processor time of the third reading: what a page costs in a process that runs for long. */
  readonly againMs: number
  /** Longest time of a page in the first reading. */
  readonly slowestMs: number
  /** Number of pages that failed or gave no output. */
  readonly empty: number
}

/** Number of pages that are read before measuring, so that modules are loaded. */
const WARM_UP = 30

const { side, pages } = JSON.parse(process.argv[2] ?? '') as SideTask
const all = JSON.parse(readFileSync(pages, 'utf8')) as BenchPage[]
const read: ReadPage = sides[side]()

/** A page on which a library throws counts as not read; the measurement continues. */
async function isRead(page: BenchPage): Promise<boolean> {
  try {
    return (await read(page)).trim() !== ''
  } catch {
    return false
  }
}

/** Reads all pages. Calls `onPage` after each with its time, and true if it had output. @returns processor time */
async function readAll(onPage: (tookMs: number, hasOutput: boolean) => void): Promise<number> {
  const started = process.cpuUsage()
  for (const page of all) {
    const startedAtMs = performance.now()
    const hasOutput = await isRead(page)
    onPage(performance.now() - startedAtMs, hasOutput)
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

for (const page of all.slice(0, WARM_UP)) await isRead(page)
let slowestMs = 0
let empty = 0
const firstMs = await readAll((tookMs, hasOutput) => {
  slowestMs = Math.max(slowestMs, tookMs)
  if (!hasOutput) empty += 1
})
await readAll(() => undefined)
const againMs = await readAll(() => undefined)
const cost: SideCost = { firstMs, againMs, slowestMs, empty }
process.send?.(cost)
