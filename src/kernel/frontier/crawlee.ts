import { EventEmitter } from 'node:events'
import { AutoscaledPool, Configuration, type LoadSignal, Log, LogLevel, Snapshotter } from '@crawlee/core'
import type { WorkPool, WorkSource } from './work-pool.js'
import { AsyncResource } from 'node:async_hooks'

/**
 * Runs the work of a job on Crawlee's pool, which starts as many rows at once as the concurrency allows.
 *
 * Only the pool is used. Crawlee's queue, its argument checks and its sampling of the machine cost two to four times the
 * throughput. The crawler around its pool runs every row under three timeouts, which turn on the asynchronous hooks of
 * the whole process: each promise of the host becomes slower.
 */
export function driveWithCrawlee(work: WorkSource, maxConcurrency: number): WorkPool {
  let pool: AutoscaledPool | undefined
  let isWoken = false
  return {
    async run() {
      const running = createPool(work, maxConcurrency, () => {
        // What becomes ready from here on needs another check.
        isWoken = false
      })
      pool = running
      try {
        await running.run()
      } finally {
        await running.abort()
      }
    },
    wake() {
      // A page that ends wakes its job several times in a turn: its site, its slot and its place are free again.
      if (isWoken) return
      isWoken = true
      void pool?.notify()
      // Runs after the check that the pool has just scheduled.
      setImmediate(() => {
        isWoken = false
      })
    },
  }
}

/** @param onCheck called before each check for a task that is ready */
function createPool(work: WorkSource, maxConcurrency: number, onCheck: () => void): AutoscaledPool {
  const inContext = captureContext()
  const log = new Log({ level: LogLevel.OFF })
  const config = keepListenerLimit(() => new Configuration({ persistStorage: false, purgeOnStart: false }))
  const options = {
    isTaskReadyFunction: () => {
      onCheck()
      return inContext(() => work.ready())
    },
    isFinishedFunction: () => inContext(() => work.finished()),
    runTaskFunction: () =>
      inContext(async () => {
        const row = await work.next()
        if (row) await work.handle(row)
      }),
    minConcurrency: maxConcurrency,
    maxConcurrency,
    // Without this the pool starts at one row at a time and takes minutes to reach the requested concurrency.
    desiredConcurrency: maxConcurrency,
    systemStatusOptions: { snapshotter: new NoSnapshots({ config, log }) },
    loggingIntervalSecs: null,
    log,
  }
  return new AutoscaledPool(options, config)
}

/** Restores the listener limit of all emitters of the process, which Crawlee's configuration raises. */
function keepListenerLimit<T>(create: () => T): T {
  const { defaultMaxListeners } = EventEmitter
  try {
    return create()
  } finally {
    EventEmitter.defaultMaxListeners = defaultMaxListeners
  }
}

/** Replaces Crawlee's samples of the machine, for which it spawns `ps` and keeps timers. */
class NoSnapshots extends Snapshotter {
  override async start(): Promise<void> {}

  override async stop(): Promise<void> {}

  override getLoadSignals(): LoadSignal[] {
    return []
  }
}

/**
 * Captures the asynchronous context of the caller: what `AsyncLocalStorage` of the host returns, such as the request or the
 * trace that this work belongs to.
 *
 * Jobs share queues, so that a page of one job wakes another job, whose functions would then see the context of the first.
 *
 * @returns a function that calls another one in this context
 */
function captureContext(): <Result>(run: () => Result) => Result {
  const context = new AsyncResource('TrawlJob')
  return (run) => context.runInAsyncScope(run)
}
