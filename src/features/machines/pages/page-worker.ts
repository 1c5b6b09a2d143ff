import type { CloseOptions } from '../../../kernel/engine/engine-surface.js'

/** Counters of the work of an engine for others. */
export interface WorkerCounts {
  /** Pages that it scrapes now. */
  readonly active: number
  /** Pages that it has scraped, with those that have failed. */
  readonly done: number
  /** Pages that have failed here. The engine that runs their job decides whether they are tried again. */
  readonly failed: number
}

/** Options of {@link Engine.work}. */
export interface WorkOptions {
  /**
   * Maximum number of pages at once for jobs of other engines, 1 to 1000, in addition to those of jobs that this engine
   * runs itself.
   * @default maxConcurrency of the engine
   */
  concurrency?: number
}

/** An engine at work for jobs of other engines: see {@link Engine.work}. */
export interface PageWorker extends AsyncDisposable {
  /** Maximum number of pages at once. */
  readonly concurrency: number
  counts(): WorkerCounts
  /**
   * Takes no further pages, and resolves when those under way have ended. `engine.close()` does the same.
   *
   * @param options `drain: false` gives the pages back at once
   */
  close(options?: CloseOptions): Promise<void>
}
