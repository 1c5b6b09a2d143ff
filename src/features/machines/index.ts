import { defineFeature, type EngineExtension } from '../../kernel/engine/feature.js'
import type { PageWorker, WorkOptions, WorkerCounts } from './pages/page-worker.js'
import { VERSION } from '../../base/runtime/version.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import { formatsOf } from '../../kernel/plan/feature-plan.js'
import { createCheck } from '../../kernel/options/check.js'
import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import { scrapeRemotePage } from '../../kernel/page/pipeline.js'
import { RemoteJob } from './jobs/remote-job.js'
import { messageVersion } from './pages/page-task.js'
import { WorkerScrape } from './pages/scrape-at-worker.js'
import { createEngineWork } from './pages/work.js'
import { WorkerPlaces } from './pages/worker-places.js'

export { postgres } from './postgres-ledger.js'
export type { PostgresLedgerOptions } from './postgres/postgres-options.js'
export type { PageWorker, WorkOptions } from './pages/page-worker.js'
export type { WorkerCounts } from './pages/page-worker.js'

/** Calls of engines that work for each other. */
export interface MachineCalls {
  /**
   * Scrapes pages for jobs of other engines, on this or another machine, that share the database of the `postgres(…)`
   * ledger. The engine that runs a job keeps its order, limits and politeness. Give all engines the same configuration. The
   * process stays alive until the worker or the engine is closed.
   *
   * @throws InvalidRequestError; TrawlError `BAD_REQUEST` when the ledger is not shared, and when this engine works already;
   *   `LEDGER_ERROR`; `ENGINE_CLOSED`
   * @see docs/guides/several-machines.md
   * @example
   * const engine = createEngine({ ledger: postgres({ connectionString }) })
   * const worker = await engine.work({ concurrency: 20 })
   * process.once('SIGTERM', () => void engine.close())
   */
  work(options?: WorkOptions): Promise<PageWorker>
}

/** State of the work of an engine for others. */
export interface WorkHealth {
  /** The work of this engine for others; absent without {@link Engine.work}. */
  readonly worker?: WorkerCounts & { readonly concurrency: number }
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends MachineCalls {}
}

declare module '../../kernel/engine/engine-health.js' {
  interface FeatureHealth extends WorkHealth {}
}

/** Several machines: a ledger that their engines share, the pages that they scrape for each other, and the jobs of others. @internal */
export const machines = defineFeature({ name: 'machines', ledgers: ['postgres'], extendEngine: openMachines })

const checkWork = createCheck<WorkOptions>((z) =>
  z.strictObject({ concurrency: wholeNumber(z, 'pages at once', 1).max(1000).optional() }),
)

/** Opens the part of an engine in the work of several. Nothing is opened before a job runs, or the engine works for others. */
function openMachines({ settings, pageTools, jobTools, closing }: EngineParts): EngineExtension {
  const { ledger, maxConcurrency } = settings
  const work = createEngineWork(ledger.tasks, pageTools)
  const slots = ledger.tasks && new WorkerPlaces(ledger.tasks, messageVersion(VERSION), formatsOf(settings))
  return {
    calls: {
      async work(options = {}) {
        const { concurrency = maxConcurrency } = checkWork(options)
        closing.throwIfAborted()
        return work.start(concurrency)
      },
    },
    places: slots && {
      slots,
      mayTake: (plan) => slots.orderOf(plan) !== undefined,
      follow: () => slots.follow(),
      open(job) {
        const scraping = new WorkerScrape(job, slots, (page, signal) => scrapeRemotePage(page, pageTools, signal))
        return scraping.scrape.bind(scraping)
      },
    },
    openElsewhere: (stored, parts) => new RemoteJob(stored, { ...parts, tools: jobTools, ledger }),
    health: () => {
      const worker = work.read()
      return worker ? { worker } : {}
    },
    close: (drain) => work.stop(drain),
  }
}
