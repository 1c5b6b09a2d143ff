import { readFileSync } from 'node:fs'
import { type BenchPage, type ReadPage, type Side, sides } from './sides.js'

/** What a measuring process is to do. */
export interface SideTask {
  readonly side: Side
  /** A file of pages, as JSON. */
  readonly pages: string
}

/** What reading all pages once took. */
export interface SideCost {
  /** Processor time. */
  readonly cpuMs: number
  readonly slowestMs: number
  /** Pages that failed, or of which nothing came. */
  readonly empty: number
}

/** Pages that are read before the measuring: code is compiled while it runs for the first time. */
const WARM_UP = 30

const { side, pages } = JSON.parse(process.argv[2] ?? '') as SideTask
const all = JSON.parse(readFileSync(pages, 'utf8')) as BenchPage[]
const read: ReadPage = sides[side]()

/** A library that stumbles over a page has not read it, and the next one is to come. */
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
