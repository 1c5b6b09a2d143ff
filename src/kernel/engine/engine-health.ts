import { compact } from '../../base/collections/compact.js'
import type { TaskOverview, WorkerOverview, WriteLag } from '../ledger/ledger-health.js'
import type { Ledger } from '../ledger/ledger.js'

/** State of what features run in an engine. A feature adds its own by declaration merging, so that it goes when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureHealth {}

/** State of an engine, its ledger, and of what engines do for each other: see {@link Engine.health}. */
export interface EngineHealth extends FeatureHealth {
  /** ISO date. */
  readonly asOf: string
  readonly ledger: WriteLag & {
    /** False when the ledger cannot be used now. What it would tell of jobs, tasks and workers is absent then. */
    readonly reachable: boolean
    /** Time that a request took. Milliseconds; absent for a ledger in memory, and while the ledger cannot be reached. */
    readonly roundTripMs?: number
    /** Reason why the ledger cannot be reached. */
    readonly error?: string
  }
  readonly jobs: {
    /** Jobs that this engine runs. */
    readonly running: number
    /** Unfinished jobs that no living engine runs; absent for a ledger in memory. */
    readonly interrupted?: number
    /** Ended jobs that were forgotten before their `expiresAt`, because `memoryLedger()` keeps no more; absent for other ledgers. */
    readonly dropped?: number
  }
  /** Pages that all engines of the database scrape for each other; with `postgres(…)` only. */
  readonly tasks?: TaskOverview
  /** The workers of all living engines of the database; with `postgres(…)` only. */
  readonly workers?: readonly WorkerOverview[]
}

/** Parts of an engine that its health is read from. */
interface HealthParts {
  readonly ledger: Ledger
  readonly running: number
  readonly dropped: number | undefined
  /** That of its features. */
  readonly features: FeatureHealth
  readonly nowMs: number
}

/** Reads the state of an engine. Never rejects. */
export async function readHealth({ ledger, running, dropped, features, nowMs }: HealthParts): Promise<EngineHealth> {
  const { contents, ...measured } = (await ledger.health?.()) ?? { waitingWrites: 0, lagMs: 0 }
  const { interruptedJobs, ...shared } = contents ?? {}
  return {
    asOf: new Date(nowMs).toISOString(),
    ledger: { reachable: !('error' in measured), ...measured },
    jobs: compact({ running, interrupted: interruptedJobs, dropped }),
    ...features,
    ...shared,
  }
}
