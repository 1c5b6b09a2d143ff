import { messageOf } from '../errors.js'
import { EventEmitter } from 'node:events'
import { BasicCrawler, type BasicCrawlerOptions } from '@crawlee/basic'
import { Configuration, CriticalError, EventManager, Log, LogLevel } from '@crawlee/core'
import type { LedgerRow } from '../ledger/ledger.js'
import type { Frontier, Work } from './frontier.js'

/**
 * Crawlee as the frontier's loop: it takes the next row, holds the concurrency and gives the handler its turn.
 *
 * The ledger stands in for its request queue. Crawlee's own queue, its argument checks and its sampling of the
 * machine cost two to four times the throughput; none of them is used.
 */
export function driveWithCrawlee(work: Work, maxConcurrency: number): Frontier {
  const loop = new Loop(queueOf(work), maxConcurrency)
  return { run: () => loop.drive(), wake: () => loop.wake() }
}

/** The longest time-out that Crawlee takes: the page's own deadline is what ends a page. */
const NEVER_SECS = (2 ** 31 - 1) / 1000

/** Never compared with anything, as nothing is sampled; without it Crawlee spawns `ps` at the start of every job. */
const MEMORY_MIB = 1024

class Loop extends BasicCrawler {
  constructor(queue: Queue, maxConcurrency: number) {
    const config = keepListenerLimit(
      () => new Configuration({ persistStorage: false, purgeOnStart: false, memoryMbytes: MEMORY_MIB }),
    )
    config.useEventManager(new SilentEvents(config))
    super(
      {
        // A duck-typed queue: the option `requestManager` is refused at run time by this version.
        requestQueue: queue as unknown as NonNullable<BasicCrawlerOptions['requestQueue']>,
        requestHandler: ({ request }) => queue.handle(request as unknown as QueuedRequest),
        requestHandlerTimeoutSecs: NEVER_SECS,
        maxRequestRetries: 0,
        useSessionPool: false,
        minConcurrency: maxConcurrency,
        maxConcurrency,
        // Without this it starts at one page at a time and takes minutes to reach the concurrency asked for.
        autoscaledPoolOptions: { desiredConcurrency: maxConcurrency, loggingIntervalSecs: null },
        statisticsOptions: { persistenceOptions: { enable: false } },
        log: new Log({ level: LogLevel.OFF }),
      },
      config,
    )
  }

  /**
   * The part of `run()` that is wanted. The rest would add a SIGINT listener to the host process, a status message
   * every ten seconds, and a one-second timer that outlives the crawl.
   */
  async drive(): Promise<void> {
    await this._init()
    try {
      await this.autoscaledPool?.run()
    } catch (error) {
      // What made a handler throw, and not the wrap that Crawlee needs.
      throw error instanceof CriticalError ? (error.cause ?? error) : error
    } finally {
      await this.teardown()
    }
  }

  wake(): void {
    void this.autoscaledPool?.notify()
  }
}

/** Crawlee's configuration raises a limit of all emitters of the process: it is put back. */
function keepListenerLimit<T>(make: () => T): T {
  const { defaultMaxListeners } = EventEmitter
  try {
    return make()
  } finally {
    EventEmitter.defaultMaxListeners = defaultMaxListeners
  }
}

/** Crawlee's default event manager samples CPU and memory, spawning `ps` every second. */
class SilentEvents extends EventManager {
  override async init(): Promise<void> {
    this.initialized = true
  }

  override async close(): Promise<void> {
    this.initialized = false
  }
}

/** The members of Crawlee's `Request` that its loop touches. Making a real one costs a schema check each time. */
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

/** The ten methods that Crawlee calls on a request queue, and the handler's turn. */
function queueOf(work: Work) {
  return {
    isEmpty: async () => !(await work.ready()),
    isFinished: () => work.finished(),
    fetchNextRequest: async (): Promise<QueuedRequest | null> => {
      const row = await work.next()
      return row ? toRequest(row) : null
    },
    handle: async ({ row }: QueuedRequest) => {
      try {
        await work.handle(row)
      } catch (error) {
        // Of all that a handler can throw, only this ends Crawlee's loop; anything else it would swallow.
        throw Object.assign(new CriticalError(messageOf(error)), { cause: error })
      }
    },
    // A row's outcome is written once, by the handler, so that Crawlee's bookkeeping cannot disagree with the ledger.
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
