import { messageOf } from '../errors.js'
import { EventEmitter } from 'node:events'
import { BasicCrawler, type BasicCrawlerOptions } from '@crawlee/basic'
import { Configuration, CriticalError, EventManager, Log, LogLevel } from '@crawlee/core'
import type { LedgerRow } from '../ledger/ledger.js'
import type { Frontier, WorkSource } from './frontier.js'

/**
 * Runs the frontier's loop on Crawlee, which fetches the next row, limits the concurrency and calls the handler.
 *
 * The ledger replaces Crawlee's request queue. Its own queue, its argument checks and its sampling of the machine cost
 * two to four times the throughput, so none of them is used.
 */
export function driveWithCrawlee(work: WorkSource, maxConcurrency: number): Frontier {
  const loop = new Loop(queueOf(work), maxConcurrency)
  return { run: () => loop.drive(), wake: () => loop.wake() }
}

/** Longest time-out that Crawlee accepts. The page's own deadline ends a page. */
const NEVER_SECS = (2 ** 31 - 1) / 1000

/**
 * Memory limit for Crawlee. Any value will do, because nothing is sampled and compared with it. Without one, Crawlee
 * spawns `ps` at the start of every job.
 */
const MEMORY_MIB = 1024

class Loop extends BasicCrawler {
  constructor(queue: Queue, maxConcurrency: number) {
    const config = keepListenerLimit(
      () => new Configuration({ persistStorage: false, purgeOnStart: false, memoryMbytes: MEMORY_MIB }),
    )
    config.useEventManager(new SilentEvents(config))
    super(
      {
        // Typed as a queue: this version rejects the option `requestManager` at run time.
        requestQueue: queue as unknown as NonNullable<BasicCrawlerOptions['requestQueue']>,
        requestHandler: ({ request }) => queue.handle(request as unknown as QueuedRequest),
        requestHandlerTimeoutSecs: NEVER_SECS,
        maxRequestRetries: 0,
        useSessionPool: false,
        minConcurrency: maxConcurrency,
        maxConcurrency,
        // Without this the pool starts at one page at a time and takes minutes to reach the requested concurrency.
        autoscaledPoolOptions: { desiredConcurrency: maxConcurrency, loggingIntervalSecs: null },
        statisticsOptions: { persistenceOptions: { enable: false } },
        log: new Log({ level: LogLevel.OFF }),
      },
      config,
    )
  }

  /**
   * Runs the needed part of Crawlee's `run()`. The rest would add a SIGINT listener to the host process, a status
   * message every ten seconds, and a one-second timer that outlives the crawl.
   */
  async drive(): Promise<void> {
    await this._init()
    try {
      await this.autoscaledPool?.run()
    } catch (error) {
      // Unwraps the error of the handler.
      throw error instanceof CriticalError ? (error.cause ?? error) : error
    } finally {
      await this.teardown()
    }
  }

  wake(): void {
    void this.autoscaledPool?.notify()
  }
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

/** Replaces Crawlee's event manager, which samples CPU and memory and spawns `ps` every second. */
class SilentEvents extends EventManager {
  override async init(): Promise<void> {
    this.initialized = true
  }

  override async close(): Promise<void> {
    this.initialized = false
  }
}

/** The members of Crawlee's `Request` that its loop uses. Constructing a real one costs a schema check each time. */
interface QueuedRequest {
  readonly id: string
  readonly url: string
  readonly uniqueKey: string
  readonly row: LedgerRow
  readonly userData: Record<string, never>
  retryCount: number
  noRetry: boolean
  pushErrorMessage(error: unknown): void
}

type Queue = ReturnType<typeof queueOf>

/** The ten methods that Crawlee calls on a request queue, and the handler. */
function queueOf(work: WorkSource) {
  return {
    isEmpty: async () => !(await work.ready()),
    isFinished: () => work.finished(),
    fetchNextRequest: async (): Promise<QueuedRequest | null> => {
      const row = await work.next()
      return row ? toRequest(row) : null
    },
    handle: ({ row }: QueuedRequest) =>
      work.handle(row).catch((error: unknown) => {
        // Crawlee's loop swallows any other error.
        throw Object.assign(new CriticalError(messageOf(error)), { cause: error })
      }),
    // The handler writes a row's outcome once, so that Crawlee's bookkeeping cannot disagree with the ledger.
    markRequestHandled: async () => null,
    reclaimRequest: async () => null,
    addRequest: () => Promise.reject(new Error('rows are admitted through the ledger')),
    addRequestsBatched: () => Promise.reject(new Error('rows are admitted through the ledger')),
    handledCount: async () => 0,
    getTotalCount: () => 0,
    getPendingCount: () => 0,
  }
}

const toRequest = (row: LedgerRow): QueuedRequest => ({
  id: row.key,
  url: row.url,
  uniqueKey: row.key,
  row,
  userData: {},
  retryCount: 0,
  noRetry: true,
  pushErrorMessage: () => undefined,
})
