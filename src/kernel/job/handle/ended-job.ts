import type { JobBudget, JobUse } from '../../../base/accounting/budget.js'
import type { TrawlError } from '../../../base/errors.js'
import type { JobStore, StoredJob } from '../../ledger/job-store.js'
import type { JobLedger, Ledger } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import type { PromptedOptions } from '../../plan/crawl/prompted-options.js'
import type { JobStrategy } from '../job-strategy.js'
import { jobNotFound } from '../delivery/open-delivery.js'
import type { JobOrigin, JobPlanner } from '../job-origin.js'
import type { JobRunner } from '../run/job-runner.js'

const NO_WARNINGS: readonly string[] = []

/** Facts that only a job that has ended for good has. */
interface RecordParts {
  readonly ledger: JobLedger<Document>
  readonly plan: JobPlanner
  readonly completedAtMs: number
}

/**
 * Remains of a job that has ended for good: its record, and its rows and documents where only this process has them. The rest is
 * made anew for a call that needs it: from the request, as if an earlier process had run the job.
 */
export class EndedJob {
  readonly state: StoredJob['state']
  readonly expiresAtMs: number
  readonly leavesRecord: boolean
  readonly invalidURLs: readonly string[] | undefined
  readonly #id: string
  readonly #createdAtMs: number
  readonly #completedAtMs: number
  readonly #request: object
  readonly #acknowledges: boolean
  readonly #warnings: readonly string[]
  readonly #budget: JobBudget
  readonly #plan: JobPlanner
  readonly #opening: Ledger
  readonly #jobStore: JobStore | undefined
  /** The ledger of a job that no store has. */
  #ledger: JobLedger<Document> | undefined
  readonly #generated: PromptedOptions | undefined
  readonly #error: TrawlError | undefined
  readonly #interruption: unknown
  #used: JobUse
  /** Reason why nothing of the job is kept any more. */
  #forgotten: string | undefined

  constructor(runner: JobRunner, origin: JobOrigin, { ledger, plan, completedAtMs }: RecordParts) {
    const { strategy, lifecycle, interruption } = runner
    const { state, warnings, budgetTracker, error, expiresAtMs } = lifecycle
    this.state = state
    this.expiresAtMs = expiresAtMs ?? 0
    this.leavesRecord = strategy.crawl?.memory !== undefined
    this.invalidURLs = strategy.list?.invalidURLs
    this.#id = origin.id
    this.#createdAtMs = origin.createdAtMs
    this.#completedAtMs = completedAtMs
    this.#request = withOneUrl(origin.request, this.invalidURLs)
    this.#acknowledges = origin.acknowledges
    this.#warnings = warnings.size === 0 ? NO_WARNINGS : [...warnings]
    this.#budget = budgetTracker.budget
    this.#plan = plan
    this.#opening = origin.ledger
    this.#jobStore = origin.jobStore
    this.#generated = strategy.crawl?.prompt?.generated
    this.#ledger = origin.jobStore ? undefined : ledger
    ledger.settle?.()
    this.#error = error
    this.#interruption = interruption
    this.#used = budgetTracker.use
    for (const failure of [error, interruption]) writeStack(failure)
  }

  /** True when its ledger outlives the process, and is closed with the engine. */
  get isStored(): boolean {
    return this.#jobStore !== undefined
  }

  /** Lets go of the rows and documents. @param reason thrown to whoever asks for them */
  forget(reason: string): void {
    this.#forgotten = reason
    this.#ledger = undefined
  }

  /** Creates the strategy and the origin that the job is opened with. */
  reopen(): { readonly strategy: JobStrategy; readonly origin: JobOrigin } {
    const plan = this.#plan
    const known = { id: this.#id, createdAtMs: this.#createdAtMs, acknowledges: this.#acknowledges }
    const stored = {
      ...known,
      kind: plan.kind,
      request: '',
      missing: [],
      reports: false,
      state: this.state,
      completedAtMs: this.#completedAtMs,
      warnings: this.#warnings,
      budget: this.#budget,
      used: this.#used,
    }
    const end = {
      error: this.#error,
      interruption: this.#interruption,
      keepUse: (use: JobUse) => void (this.#used = use),
    }
    const ledger: Ledger = { ...this.#opening, open: (id, rules) => this.#open(id, rules) }
    const request = this.#request
    return {
      strategy: plan.strategy(request, this.#generated),
      origin: { ...known, request, plan, ledger, jobStore: this.#jobStore, stored, end },
    }
  }

  async #open<Doc>(...[id, rules]: Parameters<Ledger['open']>): Promise<JobLedger<Doc>> {
    if (this.#forgotten !== undefined) throw jobNotFound(this.#forgotten)
    return this.#ledger ? (this.#ledger as JobLedger<never>) : this.#opening.open<Doc>(id, rules)
  }
}

/** Takes the record of a job that has ended for good; undefined for one that has not. @param ledger its ledger */
export function takeRecord(
  runner: JobRunner,
  origin: JobOrigin,
  ledger: JobLedger<Document> | undefined,
): EndedJob | undefined {
  const { completedAtMs } = runner.lifecycle
  const { plan } = origin
  if (!ledger || !plan || completedAtMs === undefined || !runner.isOver) return undefined
  return new EndedJob(runner, origin, { ledger, plan, completedAtMs })
}

/**
 * Cuts the list of a batch to one valid URL: a job that has ended plans no page any more, and to check 100,000 URLs would hold the
 * host's thread for half a second.
 */
function withOneUrl(request: object, invalidURLs: readonly string[] = []): object {
  const { url, urls } = request as { readonly url?: string; readonly urls?: readonly string[] }
  // Those of a crawl are its scope.
  if (!urls || url !== undefined) return request
  const invalid = new Set(invalidURLs)
  return { ...request, urls: [urls.find((one) => !invalid.has(one))] }
}

/** Writes the stacks of an error and its causes: until they are read, V8 keeps the objects that called, and a job is one of them. */
function writeStack(error: unknown): void {
  const written = new Set<unknown>()
  for (let at = error; at instanceof Error && !written.has(at); at = at.cause) {
    written.add(at)
    void at.stack
  }
}
