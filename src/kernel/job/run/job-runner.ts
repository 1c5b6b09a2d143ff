import type { JobBudget, JobUse } from '../../../base/accounting/budget.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../../base/errors.js'
import type { WorkPool } from '../../frontier/work-pool.js'
import type { JobLedger } from '../../ledger/ledger.js'
import { sharedOf } from '../../ledger/shared-jobs.js'
import type { Document } from '../../page/document.js'
import type { UrlLike } from '../../../base/url.js'
import type { Deliveries } from '../delivery/deliveries.js'
import type { DocumentStream } from '../delivery/document-stream.js'
import { TransientStream } from '../delivery/transient-stream.js'
import { openDelivery } from '../delivery/open-delivery.js'
import type { JobStatus } from '../job.js'
import { type JobHooks, type JobPause, openHooks } from '../job-hooks.js'
import { type JobReporters, openReporters } from '../job-reporter.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { JobEmitter } from '../lifecycle/job-emitter.js'
import { JobLifecycle } from '../lifecycle/job-lifecycle.js'
import type { JobOrigin } from '../job-origin.js'
import { AppendedUrls } from './appended-urls.js'
import { JobLoop } from './job-loop.js'
import { JobScheduler } from './job-scheduler.js'
import { countEarlier } from './restore-job.js'

/** Events and status of the job, as its handle offers them. */
type RunnerHandle = JobEmitter<Document> & {
  status(): Promise<JobStatus<Document>>
  /** True once a loop over its documents was begun. */
  readonly wasRead: boolean
  /** Called when the job may have ended for good: its handle then lets go of it. */
  settle(): void
}

/** Runs a job: starts its loop, stops, parks, cancels and resumes it, and announces its end. */
export class JobRunner {
  readonly id: string
  readonly lifecycle: JobLifecycle
  readonly ledger: Promise<JobLedger<Document>>
  readonly stream: DocumentStream
  /** Undefined for a job that leaves nothing for a later one. */
  readonly log: Deliveries | undefined
  /** Undefined where nobody is told of the job. */
  readonly reporters: JobReporters | undefined
  /** Settles when the store has agreed that the stopped job runs again, or has not; undefined when it is not asked. */
  #agreed: Promise<void> | undefined
  /** Undefined for a job whose list is complete. */
  readonly appended: AppendedUrls | undefined
  readonly strategy: JobStrategy
  readonly #tools: JobTools
  readonly #origin: JobOrigin
  readonly #handle: RunnerHandle
  readonly #hooks: readonly JobHooks[]
  readonly #abort = new AbortController()
  readonly scheduler: JobScheduler
  readonly #wake = (): void => {
    this.#pool?.wake()
    if (!this.#isScraping) this.#handle.settle()
  }
  #ended: Promise<void>
  #loop: JobLoop | undefined
  #pool: WorkPool | undefined
  /** True once the engine is being closed. */
  #isClosing = false
  /** Reason of the cancellation: a signal's reason, or the end of the engine. Undefined after the handle's own `cancel()`. */
  #interruption: unknown

  constructor(strategy: JobStrategy, tools: JobTools, origin: JobOrigin, handle: RunnerHandle) {
    const { id } = origin
    const shared = origin.jobStore && sharedOf(origin.ledger)
    this.id = id
    this.strategy = strategy
    this.#tools = tools
    this.#origin = origin
    this.#handle = handle
    this.appended = strategy.list && new AppendedUrls(strategy.list, this.#wake, () => this.#loop)
    this.lifecycle = new JobLifecycle(strategy, tools, origin, this.#wake)
    const { lifecycle } = this
    const warn = (message: string): void => lifecycle.warn(message)
    const announce = (pause: JobPause): void => {
      this.#handle.emitSafely('paused', pause)
      this.reporters?.note('paused')
    }
    this.#hooks = openHooks(tools.extensions, { id, strategy, warn, announce })
    const open = (): Promise<JobLedger<Document>> => origin.ledger.open<Document>(id, strategy.rules)
    this.ledger = origin.added ? origin.added.then(open) : open()
    const { ledger } = this
    const { memory } = strategy.crawl ?? {}
    const { acknowledges } = origin
    const wasRead = (): boolean => handle.wasRead
    const isReported = (): boolean => this.reporters?.reportPages === true
    const { snapshots } = tools
    const log = memory?.follow({ id, snapshots, acknowledges, wasRead, isReported })
    this.log = log
    this.stream = openDelivery({
      log,
      strategy,
      origin,
      ledger,
      lifecycle,
      hasEnded: () => {
        if (this.parked) throw this.parked
        return !this.#isScraping
      },
      findFault: () => this.lifecycle.error ?? this.#interruption,
      wake: this.#wake,
      announce: shared && (() => shared.announce(id)),
    })
    const { stream } = this
    this.reporters = openReporters(tools.extensions, {
      id,
      kind: strategy.kind,
      features: strategy.plan.features,
      ledger,
      dropsDocuments: !strategy.plan.retain || strategy.plan.page.zeroDataRetention === true,
      present: (found) => stream.present(found),
      error: () => lifecycle.error?.message,
      warn,
      now: tools.now,
      isStopped: () => lifecycle.stoppedBy !== undefined,
      release: () => lifecycle.release(),
      delivered: (key) => log?.addReported(key),
      markReported() {
        lifecycle.markReported()
        void log?.settle()
        handle.settle()
      },
    })
    this.scheduler = new JobScheduler(tools, strategy, this.#wake)
    this.#interruption = origin.end?.interruption
    this.#ended = this.#isScraping ? this.#run() : this.#openEnded()
  }

  /**
   * True when the job has ended for good: it can neither be resumed, nor go on elsewhere, and all reports are sent. What it has to
   * deliver is in its ledger.
   */
  get isOver(): boolean {
    const { error, storeFailure, phase } = this.lifecycle
    if (phase !== 'over') return false
    if (storeFailure || error?.code === 'LEDGER_ERROR' || error?.code === 'JOB_HELD') return false
    const { stream } = this
    return this.reporters?.areOver !== false && !(stream instanceof TransientStream && !stream.isEmpty)
  }

  /** Resolves when the job is in its store. @throws TrawlError `LEDGER_ERROR` */
  get added(): Promise<void> | undefined {
    return this.#origin.added
  }

  /** Keeps the resources that are used after the end of a job that was made anew. */
  get keepUse(): ((use: JobUse) => void) | undefined {
    return this.#origin.end?.keepUse
  }

  /** Reason of the cancellation, for readers of the documents. */
  get interruption(): unknown {
    return this.#interruption
  }

  get #isScraping(): boolean {
    return this.lifecycle.state === 'scraping'
  }

  /** True while the job runs and is neither being cancelled nor parked. */
  get isRunning(): boolean {
    return this.lifecycle.phase === 'running'
  }

  /** True while the end of the job is being written: who resumes or cancels it waits. */
  get isEnding(): boolean {
    return this.lifecycle.phase === 'ending'
  }

  /** True when the job has stopped because a resource ran out, so that it can be resumed. */
  get isStopped(): boolean {
    return this.lifecycle.phase === 'stopped'
  }

  /** True when the job is parked, or is about to be. */
  get isParking(): boolean {
    const { phase } = this.lifecycle
    return phase === 'draining' || phase === 'dropping' || phase === 'parked'
  }

  /** Error for callers that wait for a job that is parked; undefined for others. */
  get parked(): TrawlError | undefined {
    return this.lifecycle.phase === 'parked' ? this.lifecycle.parkingError : undefined
  }

  /** Resolves when the job has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** Waits for the end of the job. @throws the signal's reason; TrawlError `ENGINE_CLOSED` when the job was parked */
  async finished(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await (signal ? untilAborted(this.#ended, signal) : this.#ended)
    if (this.parked) throw this.parked
  }

  /**
   * Cancels the job unless it has ended.
   *
   * @param reason thrown to readers of the documents; without one their loops just end
   * @returns resolves when the cancellation is under way
   * @throws TrawlError `JOB_HELD` when another process has resumed the job
   */
  async cancel(reason?: unknown): Promise<void> {
    // A job that is being stopped is cancelled afterwards.
    if (this.isEnding) {
      await this.#ended
      return this.cancel(reason)
    }
    if (this.isStopped) this.#restart(() => this.lifecycle.reopen())
    const { reopening } = this.lifecycle
    if (reopening) {
      await reopening
      return this.cancel(reason)
    }
    if (!this.#isScraping || this.parked) return
    if (!this.#abort.signal.aborted) this.#interruption = reason
    this.lifecycle.enter('closing')
    // Recorded at once: if the process dies before the job's end, the job is not resumed.
    this.lifecycle.recordCancellation()
    this.#abort.abort(new TrawlError('SCRAPE_JOB_CANCELLED', `job ${this.id} was cancelled`))
    this.#wake()
  }

  /**
   * Parks the job: ends it in this process, so that another one may resume it. A job that is not stored beyond this
   * process is cancelled instead.
   *
   * @param drain waits for pages under way; otherwise the next process fetches them again
   */
  park(drain: boolean): void {
    this.#isClosing = true
    if (this.isStopped) this.#ended = this.#ended.then(() => this.#loop?.end())
    else if (!this.#origin.jobStore) {
      void this.cancel(new TrawlError('ENGINE_CLOSED', `job ${this.id} was cancelled when its engine was closed`))
      return
    }
    const { phase } = this.lifecycle
    if (phase !== 'running' && phase !== 'draining') return
    this.lifecycle.enter(drain ? 'draining' : 'dropping')
    if (!drain || this.strategy.crawl?.prompt?.isPending)
      this.#abort.abort(new TrawlError('ENGINE_CLOSED', `job ${this.id} was parked`))
    this.#wake()
  }

  /** Appends URLs to a batch. They are checked at the call. @throws TrawlError `JOB_FINISHED`; InvalidRequestError */
  append(urls: Iterable<UrlLike>): Promise<void> {
    if (this.isRunning && this.appended) return this.appended.add(urls, this.id, this.#agreed)
    throw new TrawlError('JOB_FINISHED', `job ${this.id} has ended: start another batch for these URLs`)
  }

  pause(): void {
    this.scheduler.pause()
  }

  /**
   * Resumes a paused or stopped job.
   *
   * @returns what {@link JobLifecycle.reopening} is
   * @throws TrawlError at the call: `ENGINE_CLOSED`; what {@link JobLifecycle.resume} throws
   */
  resume(budget: JobBudget | undefined): Promise<void> | undefined {
    const { isStopped } = this
    if (this.#isClosing && (isStopped || this.#isScraping))
      throw new TrawlError('ENGINE_CLOSED', `job ${this.id} ended with its engine`)
    if (isStopped) this.#restart(() => this.lifecycle.resume(budget))
    else this.lifecycle.resume(budget)
    this.scheduler.resume()
    if (!this.lifecycle.reopening) this.#loop?.resume()
    return this.lifecycle.reopening
  }

  /** Runs a stopped job again, once the store agrees. Its callers wait for its next end from now on. */
  #restart(reopen: () => void): void {
    reopen()
    const { reopening } = this.lifecycle
    this.#agreed = reopening?.then(
      () => this.#loop?.resume(),
      () => undefined,
    )
    this.#ended = Promise.all([this.#ended, this.#agreed]).then(() => this.#rerun())
  }

  async #rerun(): Promise<void> {
    // Refused, and asked again since: the later call runs it, once the store agrees.
    if (this.lifecycle.reopening) return
    this.#agreed = undefined
    if (this.#isScraping) return this.#run()
    // Another process has resumed it: it stays as it is.
    if (this.#isClosing) await this.#loop?.end()
    this.stream.wake()
    this.#handle.settle()
  }

  async #run(): Promise<void> {
    const known = this.#loop
    const { lifecycle } = this
    const { stored } = this.#origin
    let ledger: JobLedger<Document> | undefined
    const isBegun = known !== undefined || stored !== undefined
    lifecycle.start(isBegun)
    try {
      if (!isBegun) for (const hook of this.#hooks) hook.begin?.()
      ledger = await this.ledger
      if (stored && !known) await countEarlier(ledger, lifecycle, this.stream)
      await this.reporters?.begin()
      const loop = (this.#loop ??= this.#createLoop(ledger))
      // A stopped job that is now cancelled has nothing to begin.
      if (!(known ?? stored?.stoppedBy) || !this.#abort.signal.aborted) await loop.begin()
      this.appended?.begin()
      // On first use: an import of trawl loads no pool.
      const { driveWithCrawlee } = await import('../../frontier/crawlee.js')
      this.#pool = driveWithCrawlee(loop, this.strategy.plan.throttle.maxConcurrency)
      await this.#pool.run()
      if (loop.stoppedBy && this.isRunning) {
        this.#release(ledger)
        await this.#conclude(undefined)
        await lifecycle.stop(loop.stoppedBy)
        if (this.#isClosing) await loop.end()
        return await this.#announceEnd()
      }
      const failure = this.isRunning ? await this.#findStartFailure(ledger) : undefined
      if (failure) lifecycle.fail(failure)
      for (const hook of this.#hooks) if (this.isRunning) await hook.finish?.(this.#abort.signal)
    } catch (error) {
      // Work that ends because the job was cancelled or parked rejects with the reason of that: the job has not failed.
      if (error !== this.#abort.signal.reason) {
        lifecycle.fail(error)
        lifecycle.enter('closing')
      }
      this.#abort.abort(lifecycle.error)
    }
    const loop = this.#loop
    // Also when the job failed before it began: additions must not wait for ever.
    this.appended?.begin()
    // A list of URLs is left where it is: what is added from now on would stay in the queue.
    await this.appended?.settled
    await loop?.end().catch((error: unknown) => lifecycle.fail(error))
    this.#release(ledger)
    await this.#close(loop, ledger)
  }

  /** Finds the error of the start page of a crawl that has no document. */
  async #findStartFailure(ledger: JobLedger<Document>): Promise<TrawlError | undefined> {
    if (!this.strategy.crawl || (await ledger.counts()).done > 0) return undefined
    const [start] = await ledger.rows({ limit: 1 })
    return start?.failure && new TrawlError(start.failure.code, start.failure.error, { url: start.url })
  }

  #createLoop(ledger: JobLedger<Document>): JobLoop {
    const { stored, jobStore } = this.#origin
    return new JobLoop({
      id: this.id,
      strategy: this.strategy,
      tools: this.#tools,
      hooks: this.#hooks,
      ledger,
      lifecycle: this.lifecycle,
      stream: this.stream,
      log: this.log,
      events: this.#handle,
      reporters: this.reporters,
      isKept: jobStore !== undefined,
      isResumed: stored !== undefined,
      scheduler: this.scheduler,
      cancelled: this.#abort.signal,
      isAppending: () => this.appended?.isAdding === true,
      wake: this.#wake,
    })
  }

  /** Stops timers and records the resources used. */
  #release(ledger: JobLedger<Document> | undefined): void {
    this.scheduler.close()
    this.#pool = undefined
    this.lifecycle.stopClock(ledger)
  }

  async #close(loop: JobLoop | undefined, ledger: JobLedger<Document> | undefined): Promise<void> {
    const { lifecycle } = this
    if (this.isParking && !lifecycle.error) await this.reporters?.close(lifecycle.phase === 'draining')
    // The job may have been cancelled while its last reports were sent.
    if (this.isParking && !lifecycle.error) {
      await lifecycle.park()
      return this.stream.wake()
    }
    const isAborted = this.#abort.signal.aborted
    const refusal = lifecycle.refuseRemaining(isAborted, this.strategy)
    await loop?.skipRemaining(refusal).catch((error: unknown) => lifecycle.fail(error))
    await loop?.conclude()
    // Frees what the job has learnt about its pages.
    this.#loop = undefined
    const isCompleted = lifecycle.stateAtEnd(isAborted) === 'completed'
    await this.#conclude(isCompleted ? ledger : undefined).catch((error: unknown) => lifecycle.fail(error))
    await lifecycle.end(isAborted)
    await this.#announceEnd()
  }

  /** Begins the end of the job, and tells features, before it is recorded. @param completed the ledger of a job that completed */
  async #conclude(completed: JobLedger<Document> | undefined): Promise<void> {
    this.lifecycle.enter('ending')
    const { now, retentionMs } = this.#tools
    for (const hook of this.#hooks) await hook.conclude?.({ completed, expiresAtMs: now() + retentionMs })
  }

  async #announceEnd(): Promise<void> {
    this.stream.wake()
    await this.reporters?.end(this.lifecycle.state)
    if (this.#handle.listenerCount('finished') > 0) this.#handle.emitSafely('finished', await this.#handle.status())
    // It may have been resumed meanwhile.
    if (this.lifecycle.phase === 'ended') this.lifecycle.enter('over')
    this.#handle.settle()
  }

  /** Opens the record of a job that has ended or stopped, in any process; one that was cancelled by a process that died has rows left to skip. */
  async #openEnded(): Promise<void> {
    // Read first: the job may be resumed before the ledger is open.
    const { isStopped } = this
    try {
      const ledger = await this.ledger
      await countEarlier(ledger, this.lifecycle, this.stream)
      await this.strategy.restore(await ledger.rows(), undefined)
      if (!isStopped) await this.lifecycle.skipLeftRows(ledger)
      if (this.#origin.stored?.reports) {
        await this.reporters?.begin()
        await this.reporters?.end(this.lifecycle.state)
      }
    } catch (error) {
      if (this.lifecycle.forgotten === undefined) this.lifecycle.fail(error)
    }
    if (this.lifecycle.phase === 'ended') this.lifecycle.enter('over')
    this.#handle.settle()
  }
}
