/** Counters of the work of an engine for others. */
export interface WorkerCounts {
  /** Pages that it scrapes now. */
  readonly active: number
  /** Pages that it has scraped, with those that have failed. */
  readonly done: number
  /** Pages that have failed here. The engine that runs their job decides whether they are tried again. */
  readonly failed: number
}
