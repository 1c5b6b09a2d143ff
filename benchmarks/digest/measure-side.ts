import { readFileSync } from 'node:fs'
import { type BenchPage, type ReadPage, type Side, sides } from './sides.js'

/** Task of a measuring process. */
export interface SideTask {
  readonly side: Side
  /** Path of a JSON file with the pages. */
  readonly pages: string
}

/** Cost of reading all pages once. */
export interface SideCost {
  /** Processor time. */
  readonly cpuMs: number
  readonly slowestMs: number
  /** Number of pages that failed or gave no output. */
  readonly empty: number
}

/** Number of pages that are read before measuring, so that the code is compiled. */
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

for (const page of all.slice(0, WARM_UP)) await isRead(page)
const started = process.cpuUsage()
let slowestMs = 0
let empty = 0
for (const page of all) {
  const startedAtMs = performance.now()
  if (!(await isRead(page))) empty += 1
  slowestMs = Math.max(slowestMs, performance.now() - startedAtMs)
}
const { user, system } = process.cpuUsage(started)
const cost: SideCost = { cpuMs: (user + system) / 1000, slowestMs, empty }
process.send?.(cost)
