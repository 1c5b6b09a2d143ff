import type { JobBudget } from '../../../base/accounting/budget.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import { toSentence } from '../../../base/text/to-sentence.js'
import type { JobChange, JobStore, StopReason } from '../../ledger/job-store.js'
import type { JobLedger, Refusal } from '../../ledger/ledger.js'
import { estimatePageCredits } from '../../plan/page-credits.js'
import { BudgetTracker } from './budget-tracker.js'
import type { JobState } from '../job.js'
import type { JobOrigin } from '../job-origin.js'
import { enterPhase, isUnderWay, type JobPhase } from './job-phase.js'
import { readError, writeError } from '../stored-request.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { JobTracer } from './job-tracer.js'
import type { LifeFacts } from './status.js'

/** State of a job from its start to its end; written to the job store, for other processes, if the ledger has one. */
export class JobLifecycle {
  readonly budgetTracker: BudgetTracker
  readonly tracer: JobTracer
  readonly #tools: JobTools
  readonly #id: string
  readonly #createdAtMs: number
  readonly #fault: TrawlError | undefined
  readonly #jobStore: JobStore | undefined
  readonly #warnings: Set<string>
  #phase: JobPhase = 'running'
  /** State of a job that has ended. */
  #endState: JobState = 'completed'
  #error: TrawlError | undefined
  #completedAtMs: number | undefined
  #stoppedBy: StopReason | undefined
  /** Set while the store is asked whether this process may reopen the job: what changes then waits for the answer. */
  #reopening: Promise<void> | undefined
  /** First error of a write. */
  #storeFailure: TrawlError | undefined
  #forgotten: string | undefined
  /** Number of pages that earlier processes have scraped. */
  earlierDone = 0
  /** Time at which this process took the job over. */
  #startedAtMs: number

  constructor(strategy: JobStrategy, tools: JobTools, origin: JobOrigin, wake: () => void) {
    const { id, createdAtMs, stored, fault, end, jobStore } = origin
    this.#tools = tools
    this.#id = id
    this.#createdAtMs = createdAtMs
    this.#fault = fault
    this.#startedAtMs = tools.now()
    this.#jobStore = jobStore
    this.#warnings = new Set(stored?.warnings)
    this.tracer = new JobTracer({ jobId: id, kind: strategy.kind }, tools.log)
    this.budgetTracker = new BudgetTracker({
      budget: stored?.budget ?? strategy.plan.budget,
      earlierUse: stored?.used,
      account: tools.credits,
      estimate: estimatePageCredits(strategy.plan.page),
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

  /** First error of a write to the store. */
  get storeFailure(): TrawlError | undefined {
    return this.#storeFailure
  }

  /** Warnings of the status, each once. */
  get warnings(): ReadonlySet<string> {
    return this.#warnings
  }

  /** Adds a warning to the status of the job. Each is shown once. */
  warn(text: string): void {
    const warning = toSentence(text)
    if (this.#warnings.has(warning)) return
    this.#warnings.add(warning)
    this.#write({ warnings: [...this.#warnings] })
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
  get facts(): LifeFacts {
    const nowMs = this.#tools.now()
    return {
      state: this.state,
      warnings: this.#warnings,
      error: this.#error,
      use: this.budgetTracker.use,
      stopWords: this.#tools.features.stopWords,
      stop: this.#stoppedBy && { by: this.#stoppedBy, message: this.budgetTracker.explain(this.#stoppedBy) },
      since: { startedAtMs: this.#startedAtMs, done: this.earlierDone },
      nowMs,
      createdAtMs: this.#createdAtMs,
      completedAtMs: this.#completedAtMs,
      expiresAtMs: this.expiresAtMs ?? nowMs + this.#tools.retentionMs,
    }
  }

  /** Records the error that fails the job. Further errors are ignored. */
  fail(error: unknown): void {
    this.#error ??= toTrawlError(error)
  }

  /** Creates the refusal of the remaining rows. */
  refuseRemaining(isAborted: boolean, { rules, crawl }: JobStrategy): Refusal {
    const state = this.stateAtEnd(isAborted)
    if (state !== 'completed') return refusalAfter(state)
    return crawl?.guide?.enough ?? { reason: 'LIMIT', message: `\`limit\` of ${rules.limit} was reached` }
  }

  /** Skips the rows still queued in a job that another process already finished, or was cancelling when it died: then this is its end. */
  async skipLeftRows<Doc>(ledger: JobLedger<Doc>): Promise<void> {
    const { state } = this
    await ledger.skipQueued(async () => refusalAfter(state), this.#completedAtMs ?? this.#tools.now())
    if (this.#completedAtMs !== undefined || state === 'scraping') return
    const completedAtMs = this.#writeEnd(state)
    await this.written()
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
    this.release()
    await this.written()
    await this.tracer.end({ state: 'parked', used: this.budgetTracker.use })
  }

  /** Records the end of a job that is `ending`. */
  async end(isAborted: boolean): Promise<void> {
    const state = this.stateAtEnd(isAborted)
    await this.#settle(state, this.#writeEnd(state))
  }

  /**
   * Stops the job because its own budget ran out (it is then `completed`) or the engine's credits (then `failed`, by
   * its error).
   */
  async stop(stoppedBy: StopReason): Promise<void> {
    const isOwnBudget = stoppedBy !== 'credits'
    if (!isOwnBudget) this.#error = new TrawlError('INSUFFICIENT_CREDITS', this.budgetTracker.explain(stoppedBy))
    const stoppedAtMs = this.#writeEnd(isOwnBudget ? 'completed' : 'failed', stoppedBy)
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
      if (budget !== undefined) this.#write({ budget: this.budgetTracker.budget })
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
    const jobStore = this.#jobStore
    this.#stoppedBy = undefined
    this.#error = undefined
    this.#completedAtMs = undefined
    this.enter('running')
    this.#startedAtMs = this.#tools.now()
    if (!jobStore) return apply()
    const restart = async (): Promise<void> => {
      try {
        await this.#restart(jobStore, stopped[2] ?? 0)
      } catch (error) {
        ;[this.#stoppedBy, this.#error, this.#completedAtMs] = stopped
        this.enter('stopped')
        throw error
      } finally {
        this.#reopening = undefined
      }
      apply()
    }
    this.#reopening = restart()
    // Thrown to those who ask.
    this.#reopening.catch(() => undefined)
  }

  async #restart(jobStore: JobStore, stoppedAtMs: number): Promise<void> {
    if (await jobStore.restart(this.#id, stoppedAtMs)) return
    throw new TrawlError(
      'JOB_HELD',
      `another process has resumed job ${this.#id}, or still sends its reports: use \`engine.job(id)\` there`,
    )
  }

  /**
   * Records that the job is cancelled, so that it is not resumed if the process dies before its end. The end is recorded by
   * {@link JobLifecycle.end}, after the last rows.
   */
  recordCancellation(): void {
    this.#write({ state: 'cancelled', expiresAtMs: this.#tools.now() + this.#tools.retentionMs })
  }

  /** Records the options generated from the `prompt`, so that a resumed job uses the same ones. */
  saveGeneratedOptions(generated: object): void {
    this.#write({ generated: JSON.stringify(generated) })
  }

  /** Records that the job has no reports left to send. */
  markReported(): void {
    this.#write({ reports: false })
  }

  /** Releases the job, so that any process may take it. */
  release(): void {
    this.#try(() => this.#jobStore?.release(this.#id))
  }

  /** Resolves when everything so far is in the store, or has failed; undefined when nothing is to be waited for. */
  written(): Promise<void> | undefined {
    if (this.#reopening) return this.#reopening.then(() => this.written())
    return this.#jobStore
      ?.written?.(this.#id)
      .catch((error: unknown) => void (this.#storeFailure ??= toTrawlError(error)))
  }

  /** Records an end of the job. @returns its time, in milliseconds since the epoch */
  #writeEnd(state: NonNullable<JobChange['state']>, stoppedBy?: StopReason): number {
    const completedAtMs = this.#tools.now()
    const expiresAtMs = completedAtMs + this.#tools.retentionMs
    const stop = stoppedBy && { stoppedBy }
    const failure = this.#error && { error: writeError(this.#error) }
    this.#write({ ...stop, state, completedAtMs, expiresAtMs, ...failure })
    return completedAtMs
  }

  #write(change: JobChange): void {
    const write = (): void => this.#try(() => this.#jobStore?.change(this.#id, change))
    // A job that is not reopened is another process's.
    if (this.#reopening) void this.#reopening.then(write, () => undefined)
    else write()
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#storeFailure ??= toTrawlError(error)
    }
  }

  /** Returns the state that the job ends in. */
  stateAtEnd(isAborted: boolean): 'completed' | 'cancelled' | 'failed' {
    return this.#error ? 'failed' : isAborted ? 'cancelled' : 'completed'
  }

  /** Ends the job here once others see its end. */
  async #settle(state: JobState, completedAtMs: number, stoppedBy?: StopReason): Promise<void> {
    const written = this.written()
    if (written) await written
    this.#completedAtMs = completedAtMs
    this.#stoppedBy = stoppedBy
    this.#error ??= this.#storeFailure
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

/** Refusal of the rows that are left when a job ends early. */
const refusalAfter = (state: JobState): Refusal => ({ reason: 'CANCELLED', message: wordsOf[state] })

const wordsOf: Readonly<Record<JobState, string>> = {
  scraping: 'the job ended',
  completed: 'the job ended',
  cancelled: 'the job was cancelled',
  failed: 'the job failed',
}
