import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Task of a crawling process. */
export interface Task {
  readonly start: string
  readonly concurrency: number
  /** Maximum number of pages. @default the whole site */
  readonly limit?: number
  /** True where only the links of the start page are followed. @default false */
  readonly fromStartOnly?: boolean
  /** JSON file with the URLs of the pages, for a side that follows no links itself. */
  readonly urlsFile?: string
}

/** Output of a crawl, as far as it is compared. */
export interface CrawlOutput {
  /** URL of every scraped page. */
  readonly urls: readonly string[]
  /** Number of characters of Markdown. */
  readonly characters: number
}

/** Cost of a crawl, measured in its own process. */
export interface Measurement extends CrawlOutput {
  readonly seconds: number
  /** Time since the start of the process. */
  readonly aliveSeconds: number
  /** Processor time of all threads during `seconds`. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  /** Delay of the event loop of the main thread: by how many milliseconds a timer was late. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** Interval of the monitor. The monitor includes it in the delay, so it is subtracted below. */
const TICK_MS = 10

/**
 * Runs a crawl in this process, which does nothing else, and sends the measurement to the parent process.
 *
 * The first argument of the process is the task as JSON.
 *
 * @param prepare work that a running service has done before a crawl, which is not measured. Without it, `seconds`
 * begin at the start of the process: trawl loads Crawlee in its first job, a plain script loads it before
 */
export async function measure(
  crawl: (task: Task) => Promise<CrawlOutput>,
  prepare?: (task: Task) => Promise<unknown>,
): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? '{}') as Task
  await prepare?.(task)
  const startedMs = prepare ? performance.now() : 0
  const usedBefore = prepare ? process.cpuUsage() : { user: 0, system: 0 }
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  delay.enable()
  const given = await crawl(task)
  delay.disable()
  const endedMs = performance.now()
  const cpu = process.cpuUsage(usedBefore)
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - TICK_MS)
  const measurement: Measurement = {
    ...given,
    seconds: (endedMs - startedMs) / 1000,
    aliveSeconds: endedMs / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    delayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
  }
  process.send?.(measurement)
}
