/** Writes of an engine that are not in its ledger yet. */
export interface WriteLag {
  /** Number of rows, documents and reports that wait to be written, with those under way. */
  readonly waitingWrites: number
  /** Age of the oldest one. Milliseconds; 0 when none waits. */
  readonly lagMs: number
}

/** Pages that engines scrape for each other. */
export interface TaskOverview {
  /** Pages that no worker has taken yet. */
  readonly waiting: number
  /** Pages that workers have, without those whose answers wait for their engines. */
  readonly active: number
  /** Age of the oldest one that waits. Milliseconds; 0 when none waits. */
  readonly oldestWaitingMs: number
}

/** A worker that shares the ledger. */
export interface WorkerOverview {
  /** Number of its engine in the ledger. */
  readonly id: number
  /** The version of trawl, and of the format of its messages. It serves engines of the same one. */
  readonly version: string
  /** Maximum number of pages at once. */
  readonly concurrency: number
  /** Pages that it has now. */
  readonly active: number
  /** Time since it has told that it works, once a second. After five seconds, engines count on it no more. Milliseconds. */
  readonly lastSeenMs: number
}

/** Contents of a ledger, as far as they matter for its operation. */
export interface LedgerContents {
  /** Unfinished jobs that no living process runs; absent for a ledger that ends with the process. */
  readonly interruptedJobs?: number
  /** Absent for a ledger that engines do not share. */
  readonly tasks?: TaskOverview
  /** The workers of living engines; absent for a ledger that engines do not share. */
  readonly workers?: readonly WorkerOverview[]
}

/** State of a ledger, as one engine sees it. */
export interface LedgerHealth extends WriteLag {
  /** Time that a request took. Milliseconds; absent for a ledger in memory, and while the ledger cannot be reached. */
  readonly roundTripMs?: number
  /** Reason why the ledger cannot be reached; absent while it can be. */
  readonly error?: string
  /** Absent while the ledger cannot be reached. */
  readonly contents?: LedgerContents
}

/**
 * Measures a request to a ledger.
 *
 * @param read asks the ledger
 */
export async function measureLedger(
  lag: WriteLag,
  read: () => LedgerContents | Promise<LedgerContents>,
): Promise<LedgerHealth> {
  const startMs = performance.now()
  try {
    const contents = await read()
    return { ...lag, roundTripMs: performance.now() - startMs, contents }
  } catch (error) {
    return { ...lag, error: error instanceof Error ? error.message : String(error) }
  }
}
