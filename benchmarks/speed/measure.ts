import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The task of a crawling process. */
export interface Task {
  readonly start: string
  readonly concurrency: number
}

/** What a crawl gave, as far as it is compared. */
export interface Yield {
  /** The URL of every page that came in. */
  readonly urls: readonly string[]
  /** Characters of Markdown made. */
  readonly characters: number
}

/** What a crawl cost the process that it ran in. */
export interface Measurement extends Yield {
  readonly seconds: number
  /** Processor time of all threads. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  /** By how many milliseconds a timer came late on the main thread. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** The monitor ticks this often, and counts its own waiting: it is taken off again below. */
const TICK_MS = 10

/**
 * Runs a crawl in this process, which does nothing else, and sends what it cost to the parent process.
 *
 * The task comes as JSON in the first argument.
 */
export async function measure(crawl: (task: Task) => Promise<Yield>): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? '{}') as Task
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  delay.enable()
  const given = await crawl(task)
  delay.disable()
  // Both count from the start of the process: trawl loads Crawlee when its first job starts, a plain script before.
  const seconds = performance.now() / 1000
  const cpu = process.cpuUsage()
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - TICK_MS)
  const measurement: Measurement = {
    ...given,
    seconds,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    delayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
  }
  process.send?.(measurement)
}
