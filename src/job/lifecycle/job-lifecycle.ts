import type { JobBudget } from '../../accounting/budget.js'
import { toTrawlError, TrawlError } from '../../errors.js'
import type { StopReason } from '../../ledger/job-store.js'
import type { JobLedger, Refusal } from '../../ledger/ledger.js'
import { estimatePage } from '../../plan/page-price.js'
import { BudgetTracker } from './budget-tracker.js'
import type { JobState } from '../job.js'
import type { JobOrigin } from './job-origin.js'
import { JobRecord, readError } from './job-record.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { JobFacts } from './status.js'

/** Where a job stands between its start and its end, which may be put off: stopped, it can be gone on with. */
export class JobLifecycle {
  readonly allowance: BudgetTracker
  readonly record: JobRecord
  readonly #tools: JobTools
  readonly #id: string
  readonly #createdAtMs: number
  readonly #fault: TrawlError | undefined
  #state: JobState = 'scraping'
  #error: TrawlError | undefined
  #completedAtMs: number | undefined
  #stoppedBy: StopReason | undefined
  /** From when on this process is at it, and how many pages were done by then. */
  #since: { readonly startedAtMs: number; readonly done: number }

  constructor(script: JobStrategy, tools: JobTools, origin: JobOrigin, wake: () => void) {
    const { id, createdAtMs, past, fault } = origin
    this.#tools = tools
    this.#id = id
    this.#createdAtMs = createdAtMs
    this.#fault = fault
    this.#since = { startedAtMs: tools.now(), done: 0 }
    this.record = new JobRecord(origin, tools)
    this.allowance = new BudgetTracker({
      budget: past?.budget ?? script.budget,
      past: past?.used,
      account: tools.credits,
      estimate: estimatePage(script.page),
      now: tools.now,
      wake,
    })
    if (!past) return
    this.#state = past.state
    this.#completedAtMs = past.completedAtMs
    this.#stoppedBy = past.stoppedBy
    const otherwise = past.stoppedBy === 'credits' ? 'INSUFFICIENT_CREDITS' : 'UNKNOWN_ERROR'
    this.#error = past.error === undefined ? undefined : readError(past.error, otherwise)
  }

  get state(): JobState {
    return this.#state
  }

  get error(): TrawlError | undefined {
    return this.#error
  }

  get completedAtMs(): number | undefined {
    return this.#completedAtMs
  }

  /** What the job ran out of: it has ended, and can be gone on with. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy
  }

  /** When the engine may forget the job; undefined while it runs. */
  get expiresAtMs(): number | undefined {
    return this.#completedAtMs === undefined ? undefined : this.#completedAtMs + this.#tools.retentionMs
  }

  /** What its status says. */
  get facts(): Omit<JobFacts, 'url' | 'limit' | 'hint'> {
    const nowMs = this.#tools.now()
    return {
      state: this.#state,
      warnings: this.record.warnings,
      error: this.#error,
      use: this.allowance.use,
      stop: this.#stoppedBy && { by: this.#stoppedBy, message: this.allowance.explain(this.#stoppedBy) },
      since: this.#since,
      nowMs,
      createdAtMs: this.#createdAtMs,
      completedAtMs: this.#completedAtMs,
      expiresAtMs: this.expiresAtMs ?? nowMs + this.#tools.retentionMs,
    }
  }

  /** Of what is there already, so much came from earlier processes. */
  takeUp(done: number): void {
    this.#since = { ...this.#since, done }
  }

  /** Something went wrong; what did first counts. */
  fail(error: unknown): void {
    this.#error ??= toTrawlError(error)
  }

  /** Why the pages that are left were not fetched. @param limit of its pages */
  explainRest(isAborted: boolean, limit: number): Refusal {
    const state = this.#stateAtEnd(isAborted)
    return state === 'completed'
      ? { reason: 'LIMIT', message: `\`limit\` of ${limit} was reached` }
      : { reason: 'CANCELLED', message: `the job was ${state}` }
  }

  /** Gives up what a job has left that has ended in another process. */
  async leaveRest<Doc>(ledger: JobLedger<Doc>): Promise<void> {
    const refusal: Refusal = { reason: 'CANCELLED', message: `the job was ${this.#state}` }
    await ledger.skipQueued(async () => refusal, this.#completedAtMs ?? this.#tools.now())
  }

  /** Stops the clock, and notes what was taken up. */
  halt<Doc>(ledger: JobLedger<Doc> | undefined): void {
    this.allowance.end()
    ledger?.noteUse(this.allowance.use)
  }

  /** It goes on in another process: gives back what is to be said to those who wait for it here. */
  leave(): TrawlError {
    this.record.release()
    const message = `job ${this.#id} was parked when its engine was closed: \`engine.resume()\` of the next one goes on with it`
    return new TrawlError('ENGINE_CLOSED', message)
  }

  end(isAborted: boolean): void {
    const state = this.#stateAtEnd(isAborted)
    this.#completedAtMs = this.record.end(state, this.#error)
    this.#settle(state)
  }

  /** The job has run out of something: it ends with its queue as it is. */
  rest(stoppedBy: StopReason): void {
    const isPaid = stoppedBy !== 'credits'
    if (!isPaid) this.#error = new TrawlError('INSUFFICIENT_CREDITS', this.allowance.explain(stoppedBy))
    this.#completedAtMs = this.record.stop(stoppedBy, isPaid ? 'completed' : 'failed', this.#error)
    this.#stoppedBy = stoppedBy
    this.#settle('completed')
  }

  /**
   * Sets limits of the budget of a job that runs or was stopped; one that was stopped runs again from now on.
   *
   * @throws InvalidRequestError; TrawlError `INSUFFICIENT_CREDITS`, `JOB_FINISHED`, `JOB_HELD`; `BAD_REQUEST` when its request could
   *   not be stored whole
   */
  resume(budget: JobBudget | undefined): void {
    const change = budget === undefined ? {} : this.#tools.checkBudget(budget)
    const wasStopped = this.#stoppedBy !== undefined
    if (this.#stoppedBy) {
      if (this.#fault) throw this.#fault
      this.allowance.refuseUsedUp(this.#stoppedBy, change)
      this.revive()
    } else if (this.#state !== 'scraping' && budget !== undefined) {
      throw new TrawlError('JOB_FINISHED', `job ${this.#id} is ${this.#state}: there is nothing left to do`)
    }
    if (this.#state !== 'scraping' || (budget === undefined && !wasStopped)) return
    this.allowance.allow(change)
    if (budget !== undefined) this.record.allow(this.allowance.budget)
  }

  /** Takes the job up again that was stopped. @throws TrawlError `JOB_HELD` when another process has been at it since */
  revive(): void {
    this.record.revive(this.#completedAtMs ?? 0)
    this.#stoppedBy = undefined
    this.#error = undefined
    this.#completedAtMs = undefined
    this.#state = 'scraping'
    this.#since = { ...this.#since, startedAtMs: this.#tools.now() }
  }

  #stateAtEnd(isAborted: boolean): 'completed' | 'cancelled' | 'failed' {
    return this.#error ? 'failed' : isAborted ? 'cancelled' : 'completed'
  }

  #settle(state: JobState): void {
    this.#error ??= this.record.failure
    this.#state = this.#error ? 'failed' : state
  }
}
