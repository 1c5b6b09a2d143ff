import type { JobUse } from '../../accounting/budget.js'
import type { TrawlError } from '../../errors.js'
import type { StoredJob } from '../../ledger/job-store.js'
import type { JobLedger, Ledger } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import type { PromptedOptions } from '../../plan/crawl/generated-options.js'
import type { JobStrategy } from '../job-strategy.js'
import { jobNotFound } from '../delivery/open-delivery.js'
import type { JobOrigin } from '../job-origin.js'
import type { JobRunner } from '../run/job-runner.js'

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
  readonly #generated: PromptedOptions | undefined
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
    const { id, createdAtMs, acknowledges, jobStore, plan } = origin
    const request = withOneUrl(origin.request, this.invalidURLs)
    this.#origin = { id, createdAtMs, request, acknowledges, ledger: origin.ledger, jobStore, ...(plan && { plan }) }
    this.#generated = strategy.promptResolution?.generated
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
    return {
      strategy: plan.strategy(request, this.#generated),
      origin: { ...this.#origin, ledger: opening, stored, end },
    }
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
  const { state, completedAtMs, record, budgetTracker } = runner.lifecycle
  if (!ledger || !origin.plan || completedAtMs === undefined || !runner.isOver) return undefined
  const { id, createdAtMs, acknowledges } = origin
  const { kind } = origin.plan
  const { budget } = budgetTracker
  const warnings = [...record.warnings]
  const base = { id, kind, request: '', missing: [], acknowledges, reports: false, createdAtMs, completedAtMs }
  return new EndedJob(runner, origin, ledger, { ...base, state, warnings, budget })
}

/**
 * Cuts the list of a batch to one valid URL: a job that has ended plans no page any more, and to check 100,000 URLs would hold the
 * host's thread for half a second.
 */
function withOneUrl(request: object, invalidURLs: readonly string[] = []): object {
  const { urls } = request as { readonly urls?: readonly string[] }
  if (!urls) return request
  const invalid = new Set(invalidURLs)
  return { ...request, urls: [urls.find((url) => !invalid.has(url))] }
}

/** Writes the stacks of an error and its causes: until they are read, V8 keeps the objects that called, and a job is one of them. */
function writeStack(error: unknown): void {
  const written = new Set<unknown>()
  for (let at = error; at instanceof Error && !written.has(at); at = at.cause) {
    written.add(at)
    void at.stack
  }
}
