import { TrawlError } from '../../../base/errors.js'
import type { PageCookies } from '../../../base/http/cookies.js'
import type { WorkSource } from '../../frontier/work-pool.js'
import type { SiteAnswer } from '../../frontier/politeness.js'
import type { Attempt, LeaseRequest, LedgerRow } from '../../ledger/ledger.js'
import type { StopReason } from '../../ledger/job-store.js'
import { siteOf } from '../../../base/url.js'
import { WaitingQueue } from '../../../base/concurrency/waiting-queue.js'
import { onAbort } from '../../../base/concurrency/on-abort.js'
import { creditsOf, type EndedRow, NO_RESPONSE, attemptRow } from '../attempt/attempt-row.js'
import { redactQuotes } from '../attempt/redact-attempt.js'
import type { PageReservation } from '../lifecycle/budget-tracker.js'
import type { PermitSlots } from '../page-places.js'
import { DeferredPages } from './deferred-pages.js'
import { DeferredCheck } from './deferred-check.js'
import { createPageTurns, type PageTurns } from './page-turns.js'
import { PendingEndings } from './pending-endings.js'
import { restoreJob } from './restore-job.js'
import { type JobParts, JobRecorder } from './job-recorder.js'

/** A page that was leased, until it is handled. */
interface LeasedPage {
  readonly reservation: PageReservation
  readonly slots: PermitSlots
  readonly site: string
}

const NONE: ReadonlySet<string> = new Set()

/** The work of a running job, which the pool asks for: chooses the next row, attempts it, and has its outcome recorded. */
export class JobLoop extends JobRecorder implements WorkSource {
  /** Undefined for a job none of whose pages tells anything of others. */
  readonly #deferred: DeferredPages | undefined
  /** Cookies of the pages that wait for a retry, by the keys of their rows. */
  readonly #cookies = new Map<string, PageCookies>()
  readonly #deferredCheck: DeferredCheck | undefined
  /** Turns of the pages of a job that processes them in order; undefined for others. */
  readonly #turns: PageTurns | undefined
  /** Sources of rows that wait until the queue has room. They check again after every change that may have made some. */
  readonly #waitingForRoom = new WaitingQueue()
  readonly #endings: PendingEndings
  readonly #started = new Map<string, LeasedPage>()
  #stoppedBy: StopReason | undefined
  #hasBegun = false
  #hasRevisited = false
  #isOver = false
  readonly #startedAtMs: number

  constructor(parts: JobParts) {
    super(parts)
    const { hooks, tools, signal } = this
    const { cancelled, wake } = parts
    this.#startedAtMs = tools.waitNow()
    const { maxWaitingBytes: maxBytes } = tools
    // An ending is recorded after its page has given its place up: nothing else wakes what waits for it.
    const onEnded = (): void => {
      this.#waitingForRoom.wakeAll()
      wake()
    }
    this.#endings = new PendingEndings({ maxBytes, onEnded })
    this.#turns = createPageTurns(parts)
    const learners = hooks.flatMap((hook) => hook.openLearner?.() ?? [])
    if (learners.length > 0) {
      const finish = (row: LedgerRow, result: EndedRow): Promise<void> => this.#finish(row, result)
      const deferred = new DeferredPages(finish, { signal, maxBytes, learners })
      const isReadingAhead = (): boolean => this.#isReadingAhead()
      this.#deferred = deferred
      this.#deferredCheck = new DeferredCheck({ deferred, job: this, wake, isReadingAhead })
    }
    const end = (): void => this.#end(cancelled.reason)
    onAbort(cancelled, end)
    onAbort(signal, () => cancelled.removeEventListener('abort', end))
    if (cancelled.aborted) end()
  }

  /**
   * Prepares the job, restores what an earlier process has of it, admits its seeds and begins its strategy, once in this process. The
   * seeds of a resumed job are admitted again: known keys stay.
   */
  async begin(): Promise<void> {
    if (this.#hasBegun) return
    const { strategy, budgetTracker } = this
    const { isResumed, cancelled } = this.parts
    await this.tools.openFetchers(cancelled)
    await strategy.prepare(this)
    if (strategy.crawl?.prompt?.isPending) {
      this.#stoppedBy = cancelled.aborted ? undefined : budgetTracker.stoppedBy
      return
    }
    await this.#deferred?.begin(strategy.seeds)
    if (isResumed) await restoreJob(this, strategy, this.#deferred)
    await this.admit(strategy.seeds)
    await strategy.begin?.(this)
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
    this.gate.open()
  }

  /** Ends the background tasks and waits for them. Deferred pages are finished as they are. */
  async end(): Promise<void> {
    this.#end(new TrawlError('SCRAPE_JOB_CANCELLED', 'the job has ended'))
    await Promise.all([this.background.waitForAll(), this.#deferredCheck?.running])
    await this.#deferred?.settle()
    await this.#endings.drain()
  }

  /** Lets the strategy clean up after every row has its outcome. */
  async conclude(): Promise<void> {
    if (this.#hasBegun) await this.strategy.crawl?.conclude(this, this.parts.cancelled)
  }

  async ready(): Promise<boolean> {
    const { scheduler, tools, ledger, budgetTracker, strategy } = this
    const { lifecycle, stream } = this.parts
    this.#throwFailure()
    const beginsNothing = lifecycle.phase !== 'running' || strategy.crawl?.guide?.enough !== undefined
    if (beginsNothing || scheduler.isPaused || !budgetTracker.isOpen) {
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
    const { scheduler, ledger, tools, budgetTracker } = this
    const slots = scheduler.acquireSlot()
    if (!slots) return undefined
    const reservation = budgetTracker.reserve()
    const row = reservation && (await ledger.lease(this.#leaseRequest()))
    const site = row ? siteOf(new URL(row.url)) : ''
    if (row && scheduler.beginRequest(site)) {
      this.#started.set(row.key, { reservation, slots, site })
      this.#deferred?.start(row, tools.waitNow())
      return row
    }
    // Another job has begun a request to the site in the meantime.
    if (row) await ledger.putBack(row.key)
    reservation?.settle(0)
    slots.release()
    return undefined
  }

  async finished(): Promise<boolean> {
    const { cancelled, lifecycle, isAppending } = this.parts
    this.#throwFailure()
    const isInterrupted = lifecycle.phase !== 'running' || this.#stoppedBy !== undefined
    if (!isInterrupted) await this.#deferredCheck?.check()
    if (!isInterrupted && this.#endings.size > 0) return false
    const isOver = isInterrupted || (await this.#isDone()) || (await this.#hasStopped())
    // A URL may have been appended since the ledger was asked.
    this.#isOver = isOver && (cancelled.aborted || !isAppending())
    return this.#isOver
  }

  /** True once nothing can be appended to the job any more. */
  get isOver(): boolean {
    return this.#isOver || this.signal.aborted
  }

  async #isDone(): Promise<boolean> {
    const { ledger, strategy } = this
    const { queued, active, done } = await ledger.counts()
    if (done >= strategy.rules.limit || strategy.crawl?.guide?.enough) return true
    if (queued + active > 0 || this.background.size > 0) return false
    const memory = strategy.crawl?.memory
    if (this.#hasRevisited || !memory) return true
    this.#hasRevisited = true
    this.background.run(() => memory.admitUnlinked(this))
    return false
  }

  /** Stops the job when its budget is used up and no page is active any more. */
  async #hasStopped(): Promise<boolean> {
    const { budgetTracker, ledger } = this
    if (!budgetTracker.stoppedBy || (await ledger.counts()).active > 0) return false
    this.#stoppedBy = budgetTracker.stoppedBy
    this.gate.close()
    return true
  }

  async handle(row: LedgerRow): Promise<void> {
    const { strategy, tools, scheduler } = this
    const { reservation, slots = tools.slots, site } = this.#started.get(row.key) ?? {}
    this.#started.delete(row.key)
    let siteResponse = NO_RESPONSE
    const permit = scheduler.createPermit(row, slots, site)
    const turns = this.#turns
    const awaitTurn = (response: SiteAnswer): Promise<boolean> | undefined => {
      // A page that waits takes neither a slot nor a place at its site: otherwise it would keep pages from being leased.
      if (turns) scheduler.endPage(permit, response)
      return turns?.wait(row.key, this.signal)
    }
    try {
      const drop = this.#deferred?.dropFor(row)
      const { page } = strategy.plan
      const plan = drop ? { ...page, digest: { ...page.digest, drop } } : page
      const meter = reservation?.meter
      const cookies = this.#cookies.get(row.key) ?? {}
      this.#cookies.delete(row.key)
      const own = { strategy, cookies, plan, permit, meter, context: this, awaitTurn }
      const attempted = await attemptRow(row, { ...own, tools: slots === tools.slots ? tools : this.workerTools })
      reservation?.settle(creditsOf(attempted))
      const result = page.zeroDataRetention ? redactQuotes(attempted) : attempted
      siteResponse = result.siteResponse
      if (result.ending === 'retry') {
        if (cookies.jar) this.#cookies.set(row.key, cookies)
        await this.#retry(row, result.attempt)
      } else if (!this.#deferred?.defer(row, result, tools.waitNow())) await this.#finish(row, result)
    } finally {
      reservation?.settle(0)
      scheduler.endPage(permit, siteResponse)
      turns?.end(row.key)
      this.#waitingForRoom.wakeAll()
    }
    await this.#deferred?.release()
    this.#deferredCheck?.schedule()
  }

  async #retry(row: LedgerRow, attempt: Attempt): Promise<void> {
    const { tools, scheduler } = this
    await this.recordRetry(row, attempt)
    this.#deferred?.postpone(row)
    scheduler.wakeIn((attempt.retryAtMs ?? 0) - tools.waitNow())
  }

  async #finish(row: LedgerRow, result: EndedRow): Promise<void> {
    // The row stays active: the process that resumes the job fetches its page again.
    if (this.parts.lifecycle.phase === 'dropping') return
    await this.#endings.add(result.ending, () => this.recordEnding(row, result))
  }

  /** @throws the error of background work without which the job cannot go on */
  #throwFailure(): void {
    const failure = this.#deferredCheck?.failure ?? this.#endings.failure
    if (failure) throw failure
  }

  #leaseRequest(): LeaseRequest {
    const { tools, scheduler } = this
    const maxDepth = this.#isReadingAhead() ? 0 : Infinity
    const sites = scheduler.sites()
    return { nowMs: tools.waitNow(), ...sites, maxDepth, readKeys: this.#deferred?.keys ?? NONE }
  }

  /** Returns true if the queue has a row to lease, now or as soon as its site is available. */
  #hasRow(): Promise<boolean> {
    return this.ledger.ready({ ...this.#leaseRequest(), heldSites: NONE, slowSites: NONE })
  }

  /** True while sitemaps are being read, for the first `holdLevelMs` of the job: their pages, which have depth 0, then come before links. */
  #isReadingAhead(): boolean {
    const { strategy, tools } = this
    return this.background.size > 0 && tools.waitNow() - this.#startedAtMs < strategy.rules.holdLevelMs
  }

  async awaitCapacity(): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted()
      // Registered before the check, so that a change during the check is not missed.
      const change = new Promise<void>((resolve) => this.#waitingForRoom.add(resolve))
      if (await this.#hasCapacity()) return
      await change
    }
  }

  /** True when fewer rows are queued than the job's limit, or when the job would otherwise have no page to work on. */
  async #hasCapacity(): Promise<boolean> {
    const { ledger, strategy } = this
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
    this.ended.abort(reason)
    this.#waitingForRoom.wakeAll()
  }
}
