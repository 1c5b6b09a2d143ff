import { defineFeature } from '../../kernel/engine/feature.js'
import { openMachines } from './open-machines.js'
import type { PageWorker, WorkOptions } from './pages/page-worker.js'
import type { WorkerCounts } from './pages/page-worker.js'

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
