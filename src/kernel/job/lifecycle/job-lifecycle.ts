import type { JobBudget } from '../../../base/accounting/budget.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import type { StopReason } from '../../ledger/job-store.js'
import type { JobLedger, Refusal } from '../../ledger/ledger.js'
import { estimatePageCredits } from '../../plan/page-credits.js'
import { BudgetTracker } from './budget-tracker.js'
import type { JobState } from '../job.js'
import type { JobOrigin } from '../job-origin.js'
import { enterPhase, isUnderWay, type JobPhase } from './job-phase.js'
import { JobRecord, readError } from './job-record.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { JobTracer } from './job-tracer.js'
import type { JobFacts } from './status.js'

/** State of a job from its start to its end. */
export class JobLifecycle {
  readonly budgetTracker: BudgetTracker
  readonly record: JobRecord
  readonly tracer: JobTracer
  readonly #tools: JobTools
  readonly #id: string
  readonly #createdAtMs: number
  readonly #fault: TrawlError | undefined
  #phase: JobPhase = 'running'
  /** State of a job that has ended. */
  #endState: JobState = 'completed'
  #error: TrawlError | undefined
  #completedAtMs: number | undefined
  #stoppedBy: StopReason | undefined
  #reopening: Promise<void> | undefined
  #forgotten: string | undefined
  /** Time at which this process took the job over, and the number of pages done by then. */
  #since: { readonly startedAtMs: number; readonly done: number }

  constructor(strategy: JobStrategy, tools: JobTools, origin: JobOrigin, wake: () => void) {
    const { id, createdAtMs, stored, fault, end } = origin
    this.#tools = tools
    this.#id = id
    this.#createdAtMs = createdAtMs
    this.#fault = fault
    this.#since = { startedAtMs: tools.now(), done: 0 }
    this.record = new JobRecord(origin, tools)
    this.tracer = new JobTracer({ jobId: id, kind: strategy.kind }, tools.log)
    this.budgetTracker = new BudgetTracker({
      budget: stored?.budget ?? strategy.budget,
      earlierUse: stored?.used,
      account: tools.credits,
      estimate: estimatePageCredits(strategy.page),
      wake,
    })
    if (!stored) return
    this.#endState = stored.state
    if (stored.state !== 'scraping') this.#phase = stored.stoppedBy === undefined ? 'ended' : 'stopped'
    this.#completedAtMs = stored.completedAtMs
    this.#stoppedBy = stored.stoppedBy
    const fallbackCode = stored.stoppedBy === 'credits' ? 'INSUFFICIENT_CREDITS' : 'UNKNOWN_ERROR'
    this.#error = end?.error ?? (stored.error === undefined ? undefined : readError(stored.error, fallbackCode))
  }

  get phase(): JobPhase {
    return this.#phase
  }

  get state(): JobState {
    return isUnderWay(this.#phase) ? 'scraping' : this.#endState
  }

  /** @throws Error if the phase does not follow the present one */
  enter(phase: JobPhase): void {
    this.#phase = enterPhase(this.#phase, phase)
  }

  get error(): TrawlError | undefined {
    return this.#error
  }

  get completedAtMs(): number | undefined {
    return this.#completedAtMs
  }

  /** The resource that ran out; set when the job has ended and can be resumed. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy
  }

  /** Time at which the engine may forget the job; undefined while it runs. Milliseconds since the epoch. */
  get expiresAtMs(): number | undefined {
    return this.#completedAtMs === undefined ? undefined : this.#completedAtMs + this.#tools.retentionMs
  }

  /** Reason why nothing of the job is kept any more; undefined before. */
  get forgotten(): string | undefined {
    return this.#forgotten
  }

  /** Called when the records of the job are deleted. @param reason thrown to whoever asks for them */
  forget(reason: string): void {
    this.#forgotten = reason
  }

  /** Facts for the job's status. */
  get facts(): Omit<JobFacts, 'url' | 'limit' | 'hint'> {
    const nowMs = this.#tools.now()
    return {
      state: this.state,
      warnings: this.record.warnings,
      error: this.#error,
      use: this.budgetTracker.use,
      stopWords: this.#tools.features.stopWords,
      stop: this.#stoppedBy && { by: this.#stoppedBy, message: this.budgetTracker.explain(this.#stoppedBy) },
      since: this.#since,
      nowMs,
      createdAtMs: this.#createdAtMs,
      completedAtMs: this.#completedAtMs,
      expiresAtMs: this.expiresAtMs ?? nowMs + this.#tools.retentionMs,
    }
  }

  /** Sets the number of pages that earlier processes have scraped. */
  setEarlierDone(done: number): void {
    this.#since = { ...this.#since, done }
  }

  /** Records the error that fails the job. Further errors are ignored. */
  fail(error: unknown): void {
    this.#error ??= toTrawlError(error)
  }

  /** Creates the refusal of the remaining rows. */
  refuseRemaining(isAborted: boolean, { rules, guide }: JobStrategy): Refusal {
    const state = this.stateAtEnd(isAborted)
    if (state !== 'completed') return { reason: 'CANCELLED', message: `the job was ${state}` }
    return guide?.enough ?? { reason: 'LIMIT', message: `\`limit\` of ${rules.limit} was reached` }
  }

  /** Skips the rows still queued in a job that another process already finished, or was cancelling when it died: then this is its end. */
  async skipRemaining<Doc>(ledger: JobLedger<Doc>): Promise<void> {
    const { state } = this
    const refusal: Refusal = { reason: 'CANCELLED', message: `the job was ${state}` }
    await ledger.skipQueued(async () => refusal, this.#completedAtMs ?? this.#tools.now())
    if (this.#completedAtMs !== undefined || state === 'scraping') return
    const completedAtMs = this.record.end(state)
    await this.record.written()
    this.#completedAtMs = completedAtMs
  }

  /** Starts the budget's clock, and the span of the job. @param isResumed true when the job was begun before */
  start(isResumed: boolean): void {
    this.tracer.start(isResumed)
    this.budgetTracker.startClock()
  }

  /** Stops the budget's clock and records the resources used. */
  stopClock<Doc>(ledger: JobLedger<Doc> | undefined): void {
    this.budgetTracker.stopClock()
    ledger?.recordUse(this.budgetTracker.use)
    this.tracer.setLedger(ledger)
  }

  /** Creates the error for callers that wait for the job when it is parked. */
  get parkingError(): TrawlError {
    const message = `job ${this.#id} was parked when its engine was closed: \`engine.resume()\` of the next engine resumes it`
    return new TrawlError('ENGINE_CLOSED', message)
  }

  /** Parks the job: ends it in this process, so that another one may resume it. */
  async park(): Promise<void> {
    // Nothing more comes from this process, and no cancellation is taken any more.
    this.enter('parked')
    this.record.release()
    await this.record.written()
    await this.tracer.end({ state: 'parked', used: this.budgetTracker.use })
  }

  /** Records the end of a job that is `ending`. */
  async end(isAborted: boolean): Promise<void> {
    const state = this.stateAtEnd(isAborted)
    await this.#settle(state, this.record.end(state, this.#error))
  }

  /**
   * Stops the job because its own budget ran out (it is then `completed`) or the engine's credits (then `failed`, by
   * its error).
   */
  async stop(stoppedBy: StopReason): Promise<void> {
    const isOwnBudget = stoppedBy !== 'credits'
    if (!isOwnBudget) this.#error = new TrawlError('INSUFFICIENT_CREDITS', this.budgetTracker.explain(stoppedBy))
    const stoppedAtMs = this.record.stop(stoppedBy, isOwnBudget ? 'completed' : 'failed', this.#error)
    await this.#settle('completed', stoppedAtMs, stoppedBy)
  }

  /**
   * Changes the budget of a running or stopped job; a stopped job is reopened: see {@link JobLifecycle.reopening}.
   *
   * @throws InvalidRequestError; TrawlError `INSUFFICIENT_CREDITS`, `JOB_FINISHED`; `BAD_REQUEST` when its
   *   request could not be stored completely
   */
  resume(budget: JobBudget | undefined): void {
    const change = budget === undefined ? {} : this.#tools.checkBudget(budget)
    const apply = (): void => {
      this.budgetTracker.changeLimits(change)
      if (budget !== undefined) this.record.setBudget(this.budgetTracker.budget)
    }
    if (this.#stoppedBy) {
      if (this.#fault) throw this.#fault
      this.budgetTracker.validateChange(this.#stoppedBy, change)
      this.reopen(apply)
    } else if (budget !== undefined && this.state !== 'scraping') {
      throw new TrawlError('JOB_FINISHED', `job ${this.#id} is ${this.state}: there is nothing left to do`)
    } else if (budget !== undefined) {
      // After that of the call which the store is asked for.
      if (this.#reopening) void this.#reopening.then(apply, () => undefined)
      else apply()
    }
  }

  /**
   * The answer of the store to {@link JobLifecycle.reopen}; undefined when none is awaited. The job is stopped again when it rejects.
   *
   * @throws TrawlError `JOB_HELD` when another process has resumed the job since it was stopped; `LEDGER_ERROR`
   */
  get reopening(): Promise<void> | undefined {
    return this.#reopening
  }

  /** Reopens a stopped job: it counts as running while the store is asked. @param apply called when the store agrees */
  reopen(apply: () => void = () => undefined): void {
    const stopped = [this.#stoppedBy, this.#error, this.#completedAtMs] as const
    const reopening = this.record.reopen(this.#completedAtMs ?? 0)
    this.#stoppedBy = undefined
    this.#error = undefined
    this.#completedAtMs = undefined
    this.enter('running')
    this.#since = { ...this.#since, startedAtMs: this.#tools.now() }
    if (!reopening) return apply()
    const agree = (): void => {
      this.#reopening = undefined
      apply()
    }
    this.#reopening = reopening.then(agree, (error: unknown) => {
      this.#reopening = undefined
      ;[this.#stoppedBy, this.#error, this.#completedAtMs] = stopped
      this.enter('stopped')
      throw error
    })
    // Thrown to those who ask.
    this.#reopening.catch(() => undefined)
  }

  /** Returns the state that the job ends in. */
  stateAtEnd(isAborted: boolean): 'completed' | 'cancelled' | 'failed' {
    return this.#error ? 'failed' : isAborted ? 'cancelled' : 'completed'
  }

  /** Ends the job here once others see its end. */
  async #settle(state: JobState, completedAtMs: number, stoppedBy?: StopReason): Promise<void> {
    const written = this.record.written()
    if (written) await written
    this.#completedAtMs = completedAtMs
    this.#stoppedBy = stoppedBy
    this.#error ??= this.record.failure
    this.#endState = this.#error ? 'failed' : state
    this.enter(stoppedBy === undefined ? 'ended' : 'stopped')
    await this.#endSpan()
  }

  async #endSpan(): Promise<void> {
    const { code } = this.#error ?? {}
    await this.tracer.end({
      state: this.#endState === 'scraping' ? undefined : this.#endState,
      used: this.budgetTracker.use,
      stoppedBy: this.#stoppedBy,
      code,
    })
  }
}
