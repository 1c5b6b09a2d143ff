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
  /** The same, with all that the process did before. */
  readonly aliveSeconds: number
  /** Processor time of all threads, in `seconds`. */
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
 *
 * @param prepare what a service has behind it when it crawls; without it, `seconds` count from the start of the process, for
 * trawl loads Crawlee when its first job starts, a plain script before
 */
export async function measure(
  crawl: (task: Task) => Promise<Yield>,
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
