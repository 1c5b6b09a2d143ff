import { toTrawlError, TrawlError } from '../../../base/errors.js'
import type { PageCookies } from '../../fetch/http/cookies.js'
import type { WorkSource } from '../../frontier/frontier.js'
import type { Ending, UrlCandidate, LeaseRequest, LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { StopReason } from '../../ledger/job-store.js'
import { siteOf } from '../../../base/url.js'
import { BackgroundTasks } from '../../../base/concurrency/background-tasks.js'
import { CapacitySignal } from '../../../base/concurrency/capacity-signal.js'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import { PauseGate } from '../../../base/concurrency/pause-gate.js'
import { creditsOf, NO_RESPONSE, type RowAttempt, attemptRow } from '../attempt/attempt-row.js'
import type { Document } from '../../page/document.js'
import { redactQuotes } from '../attempt/redact-attempt.js'
import { DeferredPages } from './deferred-pages.js'
import type { JobContext } from '../job-context.js'
import { DeferredCheck } from './deferred-check.js'
import { createPageTurns, type PageTurns } from './page-turns.js'
import { createJobContext } from './create-job-context.js'
import type { LeasedPage, LoopOptions } from './loop-options.js'
import { OutcomeRecorder } from './outcome-recorder.js'
import { PendingEndings } from './pending-endings.js'
import { restoreJob } from './restore-job.js'

const NONE: ReadonlySet<string> = new Set()

/** The work of a running job: chooses the next row, attempts it, records its outcome, and runs background tasks. */
export class JobLoop implements WorkSource {
  readonly #job: LoopOptions
  readonly #context: JobContext
  /** Undefined for a job none of whose pages tells anything of others. */
  readonly #deferred: DeferredPages | undefined
  /** Cookies of the pages that wait for a retry, by the keys of their rows. */
  readonly #cookies = new Map<string, PageCookies>()
  readonly #deferredCheck: DeferredCheck | undefined
  /** Turns of the pages of a job that processes them in order; undefined for others. */
  readonly #turns: PageTurns | undefined
  /** Aborted when the job ends: no task goes on then, and the job's signal, which is kept, no longer leads here. */
  readonly #ended = new AbortController()
  readonly #background: BackgroundTasks
  readonly #capacity = new CapacitySignal()
  readonly #recorder: OutcomeRecorder
  readonly #endings: PendingEndings
  /** Closed while the job is stopped: background tasks then neither fetch nor write. */
  readonly #gate = new PauseGate()
  readonly #started = new Map<string, LeasedPage>()
  #stoppedBy: StopReason | undefined
  #hasBegun = false
  #hasRevisited = false
  #isOver = false
  readonly #startedAtMs: number

  constructor(job: LoopOptions) {
    this.#job = job
    this.#recorder = new OutcomeRecorder(job)
    this.#startedAtMs = job.tools.now()
    const { maxWaitingBytes } = job.tools
    // An ending is recorded after its page has given its place up: nothing else wakes what waits for it.
    const onEnded = (): void => {
      this.#capacity.recheck()
      this.#job.wake()
    }
    this.#endings = new PendingEndings({ maxBytes: maxWaitingBytes, onEnded })
    this.#turns = createPageTurns(job)
    const fail = (error: unknown): void => {
      if (!this.#ended.signal.aborted) job.record.warnings.add(toTrawlError(error).message)
    }
    this.#background = new BackgroundTasks(fail, job.wake)
    const ended = this.#ended.signal
    const learners = job.hooks.flatMap((hook) => hook.openLearner?.() ?? [])
    if (learners.length > 0) {
      const deferred = new DeferredPages((row, result) => this.#finish(row, result), {
        signal: ended,
        maxBytes: maxWaitingBytes,
        learners,
      })
      const isReadingAhead = (): boolean => this.#isReadingAhead()
      this.#deferred = deferred
      this.#deferredCheck = new DeferredCheck({ deferred, job, isReadingAhead, ended })
    }
    this.#context = createJobContext(job, {
      recorder: this.#recorder,
      background: this.#background,
      gate: this.#gate,
      awaitCapacity: () => this.#capacity.wait(() => this.#hasCapacity(), ended),
      signal: ended,
    })
    const end = (): void => this.#end(job.signal.reason)
    onAbort(job.signal, end)
    onAbort(ended, () => job.signal.removeEventListener('abort', end))
    if (job.signal.aborted) end()
  }

  /** Prepares the job and admits its seeds, unless that was done before. */
  async begin(): Promise<void> {
    if (this.#hasBegun) return
    const { isResumed, ledger, strategy, signal, budgetTracker } = this.#job
    await strategy.prepare?.(this.#context)
    if (strategy.promptResolution?.isPending) {
      this.#stoppedBy = signal.aborted ? undefined : budgetTracker.stoppedBy
      return
    }
    await this.#deferred?.begin(strategy.seeds)
    if (isResumed) await restoreJob({ ledger, strategy, context: this.#context, deferred: this.#deferred })
    await this.#recorder.admit(strategy.seeds)
    await strategy.begin?.(this.#context)
    this.#hasBegun = true
  }

  /** The resource that ran out; undefined when the job came to its end. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy
  }

  /** Resumes after a stop. */
  resume(): void {
    this.#stoppedBy = undefined
    this.#isOver = false
    this.#gate.open()
  }

  /** Ends the background tasks and waits for them. Deferred pages are finished as they are. */
  async end(): Promise<void> {
    this.#end(new TrawlError('SCRAPE_JOB_CANCELLED', 'the job has ended'))
    await Promise.all([this.#background.waitForAll(), this.#deferredCheck?.running])
    await this.#deferred?.settle()
    await this.#endings.drain()
  }

  /** Skips all remaining rows. @param reason recorded for rows for which the strategy has no reason of its own */
  async skipRemaining(reason: Refusal): Promise<void> {
    const { strategy } = this.#job
    await this.#recorder.skipRemaining(async (row) => (await strategy.refuseRemaining?.(row, this.#context)) ?? reason)
  }

  /** Appends pages to a batch. */
  append(candidates: readonly UrlCandidate[]): Promise<void> {
    return this.#recorder.append(candidates)
  }

  /** Lets the strategy clean up after every row has its outcome. */
  async conclude(): Promise<void> {
    if (this.#hasBegun) await this.#job.strategy.conclude?.(this.#context, this.#job.signal)
  }

  async ready(): Promise<boolean> {
    const { phase, scheduler, stream, tools, ledger, budgetTracker, strategy } = this.#job
    this.#throwFailure()
    const isEnding = phase() !== 'running' || strategy.guide?.enough !== undefined
    if (isEnding || scheduler.isPaused || !budgetTracker.isOpen) {
      // The pages that wait for their turns are the last ones for now.
      this.#turns?.grant()
      return false
    }
    if (!scheduler.mayStartPage || stream.waitingBytes > tools.maxWaitingBytes || !scheduler.hasSlot()) return false
    if (this.#turns && !(await this.#turns.isNext(() => this.#hasRow(), this.#isReadingAhead()))) return false
    const isReady = await ledger.ready(this.#leaseRequest())
    if (!isReady) scheduler.wakeWhenAvailable()
    return isReady
  }

  async next(): Promise<LedgerRow | undefined> {
    return this.#turns ? this.#turns.lease(() => this.#lease()) : this.#lease()
  }

  async #lease(): Promise<LedgerRow | undefined> {
    const { scheduler, ledger, tools, budgetTracker } = this.#job
    const slots = scheduler.acquireSlot()
    if (!slots) return undefined
    const reservation = budgetTracker.reserve()
    const row = reservation && (await ledger.lease(this.#leaseRequest()))
    const site = row ? siteOf(new URL(row.url)) : ''
    if (row && scheduler.beginRequest(site)) {
      this.#started.set(row.key, { reservation, slots, site })
      this.#deferred?.start(row, tools.now())
      return row
    }
    // Another job has begun a request to the site in the meantime.
    if (row) await ledger.putBack(row.key)
    reservation?.settle(0)
    slots.release()
    return undefined
  }

  async finished(): Promise<boolean> {
    const { signal, phase, isAppending } = this.#job
    this.#throwFailure()
    const isInterrupted = phase() !== 'running' || this.#stoppedBy !== undefined
    if (!isInterrupted) await this.#deferredCheck?.check()
    if (!isInterrupted && this.#endings.size > 0) return false
    const isOver = isInterrupted || (await this.#isDone()) || (await this.#hasStopped())
    // A URL may have been appended since the ledger was asked.
    this.#isOver = isOver && (signal.aborted || !isAppending())
    return this.#isOver
  }

  /** True once nothing can be appended to the job any more. */
  get isOver(): boolean {
    return this.#isOver || this.#ended.signal.aborted
  }

  async #isDone(): Promise<boolean> {
    const { ledger, strategy } = this.#job
    const { queued, active, done } = await ledger.counts()
    if (done >= strategy.rules.limit || strategy.guide?.enough) return true
    if (queued + active > 0 || this.#background.size > 0) return false
    const { revisit } = strategy
    if (this.#hasRevisited || !revisit) return true
    this.#hasRevisited = true
    this.#background.run(() => revisit(this.#context))
    return false
  }

  /** Stops the job when its budget is used up and no page is active any more. */
  async #hasStopped(): Promise<boolean> {
    const { budgetTracker, ledger } = this.#job
    if (!budgetTracker.stoppedBy || (await ledger.counts()).active > 0) return false
    this.#stoppedBy = budgetTracker.stoppedBy
    this.#gate.close()
    return true
  }

  async handle(row: LedgerRow): Promise<void> {
    const { strategy, tools, scheduler } = this.#job
    const { reservation, slots = tools.slots, site } = this.#started.get(row.key) ?? {}
    this.#started.delete(row.key)
    let siteResponse = NO_RESPONSE
    const permit = scheduler.createPermit(row, slots, site)
    const turns = this.#turns
    const awaitTurn = (response: RowAttempt['siteResponse']): Promise<boolean> | undefined => {
      // A page that waits takes neither a slot nor a place at its site: otherwise it would keep pages from being leased.
      if (turns) scheduler.endPage(permit, response)
      return turns?.wait(row.key, this.#ended.signal)
    }
    try {
      const drop = this.#deferred?.dropFor(row)
      const plan = drop ? { ...strategy.page, digest: { ...strategy.page.digest, drop } } : strategy.page
      const meter = reservation?.meter
      const cookies = this.#cookies.get(row.key) ?? {}
      this.#cookies.delete(row.key)
      const own = {
        strategy,
        cookies,
        tools: slots === tools.slots ? tools : this.#context.workerTools,
        plan,
        permit,
        meter,
      }
      const attempted = await attemptRow(row, { ...own, context: this.#context, awaitTurn })
      reservation?.settle(creditsOf(attempted))
      const result = strategy.zeroDataRetention ? redactQuotes(attempted) : attempted
      siteResponse = result.siteResponse
      const { ending } = result
      if (ending === 'retry') {
        if (cookies.jar) this.#cookies.set(row.key, cookies)
        await this.#retry(row, result)
      } else if (!this.#deferred?.defer(row, { ...result, ending }, tools.now()))
        await this.#finish(row, { ...result, ending })
    } finally {
      reservation?.settle(0)
      scheduler.endPage(permit, siteResponse)
      turns?.end(row.key)
      this.#capacity.recheck()
    }
    await this.#deferred?.release()
    this.#deferredCheck?.schedule()
  }

  async #retry(row: LedgerRow, { attempt }: RowAttempt): Promise<void> {
    if (!attempt) return
    const { tools, scheduler } = this.#job
    await this.#recorder.recordRetry(row, attempt)
    this.#deferred?.postpone(row)
    scheduler.wakeIn((attempt.retryAtMs ?? 0) - tools.now())
  }

  async #finish(row: LedgerRow, result: RowAttempt<Ending<Document>>): Promise<void> {
    // The row stays active: the process that resumes the job fetches its page again.
    if (this.#job.phase() === 'dropping') return
    await this.#endings.add(result.ending, () => this.#recorder.recordEnding(row, result))
  }

  /** @throws the error of background work without which the job cannot go on */
  #throwFailure(): void {
    const failure = this.#deferredCheck?.failure ?? this.#endings.failure
    if (failure) throw failure
  }

  #leaseRequest(): LeaseRequest {
    const { tools, scheduler } = this.#job
    const maxDepth = this.#isReadingAhead() ? 0 : Infinity
    const sites = scheduler.sites()
    return { nowMs: tools.now(), ...sites, maxDepth, readKeys: this.#deferred?.keys ?? NONE }
  }

  /** Returns true if the queue has a row to lease, now or as soon as its site is available. */
  #hasRow(): Promise<boolean> {
    return this.#job.ledger.ready({ ...this.#leaseRequest(), heldSites: NONE, slowSites: NONE })
  }

  /** True while sitemaps are being read: their pages, which have depth 0, then come before links. */
  #isReadingAhead(): boolean {
    const { strategy, tools } = this.#job
    return this.#background.size > 0 && tools.now() - this.#startedAtMs < strategy.rules.holdLevelMs
  }

  /** True when fewer rows are queued than the job's limit, or when the job would otherwise have no page to work on. */
  async #hasCapacity(): Promise<boolean> {
    const { ledger, strategy } = this.#job
    const { queued, active, done } = await ledger.counts()
    if (queued < strategy.rules.limit) return true
    // The pages that are done and active reach the limit already: further rows would not be scraped.
    if (done + active >= strategy.rules.limit) return false
    // A deferred page waits for other pages, so that it does not count as active here.
    const isIdle = active <= (this.#deferred?.keys.size ?? 0)
    return isIdle && !(await this.#hasRow())
  }

  #end(reason: unknown): void {
    this.#deferredCheck?.close()
    this.#turns?.close()
    this.#ended.abort(reason)
    this.#capacity.recheck()
  }
}
