import type { JobUse } from '../../accounting/budget.js'
import type { TrawlError } from '../../errors.js'
import type { StoredJob } from '../../ledger/job-store.js'
import type { JobLedger, Ledger } from '../../ledger/ledger.js'
import { sharedOf } from '../../ledger/shared-jobs.js'
import type { Document } from '../../page/document.js'
import type { JobStrategy } from '../job-strategy.js'
import { jobNotFound } from '../delivery/open-delivery.js'
import type { JobOrigin } from '../job-origin.js'
import type { JobRunner } from '../run/job-runner.js'

/** URLs of a request up to which it is checked and planned anew: 100,000 would hold the host's thread for half a second. */
const MAX_URLS = 1000

/**
 * Remains of a job that has ended for good: its record, and its rows and documents where only this process has them. The rest is
 * made anew for a call that needs it: from the request, as if an earlier process had run the job.
 */
export class EndedJob {
  readonly stored: StoredJob
  readonly expiresAtMs: number
  readonly leavesRecord: boolean
  readonly invalidURLs: readonly string[] | undefined
  readonly #origin: JobOrigin
  /** The ledger of a job that no store has. */
  #ledger: JobLedger<Document> | undefined
  readonly #error: TrawlError | undefined
  readonly #interruption: unknown
  #used: JobUse
  /** Reason why nothing of the job is kept any more. */
  #forgotten: string | undefined

  constructor(runner: JobRunner, origin: JobOrigin, ledger: JobLedger<Document>, stored: StoredJob) {
    const { strategy, lifecycle, interruption } = runner
    this.stored = stored
    this.expiresAtMs = lifecycle.expiresAtMs ?? 0
    this.leavesRecord = strategy.leavesRecord ?? false
    this.invalidURLs = strategy.startFields.invalidURLs
    // Not with what an earlier process has stored of it.
    const { id, createdAtMs, request, acknowledges, jobStore, plan } = origin
    this.#origin = { id, createdAtMs, request, acknowledges, ledger: origin.ledger, jobStore, ...(plan && { plan }) }
    this.#ledger = jobStore ? undefined : ledger
    ledger.settle?.()
    this.#error = lifecycle.error
    this.#interruption = interruption
    this.#used = lifecycle.budgetTracker.use
    for (const error of [this.#error, interruption]) writeStack(error)
  }

  /** Lets go of the rows and documents. @param reason thrown to whoever asks for them */
  forget(reason: string): void {
    this.#forgotten = reason
    this.#ledger = undefined
  }

  /** Creates the strategy and the origin that the job is opened with. */
  reopen(): { readonly strategy: JobStrategy; readonly origin: JobOrigin } {
    const { plan, request, ledger } = this.#origin
    if (!plan) throw new Error(`job ${this.stored.id} cannot be planned anew`)
    const end = {
      error: this.#error,
      interruption: this.#interruption,
      keepUse: (use: JobUse) => void (this.#used = use),
    }
    const stored = { ...this.stored, used: this.#used }
    const opening: Ledger = { ...ledger, open: (id, rules) => this.#open(id, rules) }
    return { strategy: plan.strategy(request), origin: { ...this.#origin, ledger: opening, stored, end } }
  }

  async #open<Doc>(...[id, rules]: Parameters<Ledger['open']>): Promise<JobLedger<Doc>> {
    if (this.#forgotten !== undefined) throw jobNotFound(this.#forgotten)
    return this.#ledger ? (this.#ledger as JobLedger<never>) : this.#origin.ledger.open<Doc>(id, rules)
  }
}

/** Takes the record of a job that has ended for good; undefined for one that has not. @param ledger its ledger */
export function takeRecord(
  runner: JobRunner,
  origin: JobOrigin,
  ledger: JobLedger<Document> | undefined,
): EndedJob | undefined {
  const { strategy } = runner
  const { state, completedAtMs, record, budgetTracker } = runner.lifecycle
  if (!ledger || !origin.plan || completedAtMs === undefined || !runner.isOver) return undefined
  const { id, createdAtMs, acknowledges, request, jobStore } = origin
  const { urls = [] } = request as { readonly urls?: readonly unknown[] }
  // Engines that share the ledger ask this one for the job. What a goal and a prompt have led to is in no request.
  const isShared = jobStore !== undefined && sharedOf(origin.ledger) !== undefined
  if (isShared || strategy.goal || strategy.promptResolution?.generated || urls.length > MAX_URLS) return undefined
  const { kind } = origin.plan
  const { budget } = budgetTracker
  const warnings = [...record.warnings]
  const base = { id, kind, request: '', missing: [], acknowledges, reports: false, createdAtMs, completedAtMs }
  return new EndedJob(runner, origin, ledger, { ...base, state, warnings, budget })
}

/** Writes the stacks of an error and its causes: until they are read, V8 keeps the objects that called, and a job is one of them. */
function writeStack(error: unknown): void {
  const written = new Set<unknown>()
  for (let at = error; at instanceof Error && !written.has(at); at = at.cause) {
    written.add(at)
    void at.stack
  }
}
