import { toTrawlError, TrawlError } from '../../errors.js'
import type { WorkSource } from '../../frontier/frontier.js'
import type { UrlCandidate, LeaseRequest, LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { StopReason } from '../../ledger/job-store.js'
import { siteOf } from '../../url.js'
import type { PageSeat } from '../lifecycle/budget-tracker.js'
import { BackgroundTasks } from '../../concurrency/background-tasks.js'
import { OutcomeRecorder } from './outcome-recorder.js'
import { type EndedTurn, DeferredPages } from '../boilerplate/deferred-pages.js'
import type { JobContext } from '../job-strategy.js'
import { PauseGate } from '../../concurrency/pause-gate.js'
import { withoutWords } from '../attempt/zero-retention.js'
import type { LoopParts } from './loop-parts.js'
import { createJobContext } from './create-job-context.js'
import { restoreJob } from './restore-job.js'
import { CapacitySignal } from '../../concurrency/capacity-signal.js'
import { creditsOf, noVisit, attemptRow } from '../attempt/attempt-row.js'

/** How often held pages are looked at. */
const WATCH_MS = 500

/** A job at work: which row is next, what becomes of it, and what goes on beside. */
export class JobLoop implements WorkSource {
  readonly #job: LoopParts
  readonly #stage: JobContext
  readonly #held: DeferredPages
  #watch: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  /** What went wrong while no row was handled. */
  #failure: TrawlError | undefined
  /** Aborted when the job ends, so that nothing that goes on beside the pages outlives it. */
  readonly #ended = new AbortController()
  readonly #besides: BackgroundTasks
  readonly #room = new CapacitySignal()
  readonly #clerk: OutcomeRecorder
  /** Closed while the job rests: then nothing is fetched or written beside. */
  readonly #gate = new PauseGate()
  readonly #seats = new Map<string, PageSeat>()
  #stoppedBy: StopReason | undefined
  #hasBegun = false
  #hasRevisited = false
  #isOver = false
  readonly #startedAtMs: number

  constructor(job: LoopParts) {
    this.#job = job
    this.#clerk = new OutcomeRecorder(job)
    this.#startedAtMs = job.tools.now()
    const end = (): void => this.#end(job.signal.reason)
    job.signal.addEventListener('abort', end, { once: true })
    if (job.signal.aborted) end()
    const fail = (error: unknown): void => {
      if (!this.#ended.signal.aborted) job.warnings.add(toTrawlError(error).message)
    }
    this.#besides = new BackgroundTasks(fail, job.wake)
    const { maxWaitingBytes } = job.tools
    this.#held = new DeferredPages((row, turn) => this.#finish(row, turn), this.#ended.signal, maxWaitingBytes)
    this.#stage = createJobContext({
      job,
      clerk: this.#clerk,
      besides: this.#besides,
      gate: this.#gate,
      awaitRoom: () => this.#room.await(() => this.#hasRoom(), this.#ended.signal),
      signal: this.#ended.signal,
    })
  }

  /** Begins what was not begun. */
  async begin(): Promise<void> {
    if (this.#hasBegun) return
    const { isResumed, ledger, script, signal, allowance } = this.#job
    await script.prepare?.(this.#stage)
    if (script.promptResolution?.isOpen) {
      this.#stoppedBy = signal.aborted ? undefined : allowance.stoppedBy
      return
    }
    if (isResumed) await restoreJob({ ledger, script, stage: this.#stage, held: this.#held })
    await this.#clerk.admit(this.#job.script.seeds)
    await this.#job.script.begin?.(this.#stage)
    this.#hasBegun = true
  }

  /** What the job ran out of, so that it rests as it is; undefined when it came to its end. */
  get stoppedBy(): StopReason | undefined {
    return this.#stoppedBy
  }

  /** Goes on after a rest. */
  goOn(): void {
    this.#stoppedBy = undefined
    this.#isOver = false
    this.#gate.open()
  }

  /** Ends what goes on beside the pages, and waits for it. Pages that were held are given out as they are. */
  async end(): Promise<void> {
    this.#end(new TrawlError('SCRAPE_JOB_CANCELLED', 'the job has ended'))
    await Promise.all([this.#besides.all(), this.#looking])
    await this.#held.settle()
  }

  /** Gives every row that is left its outcome: why the job has not come to it, unless it would have been refused anyway. */
  async leaveRest(reason: Refusal): Promise<void> {
    const { script } = this.#job
    await this.#clerk.leaveRest(async (row) => (await script.refuseLeft?.(row, this.#stage)) ?? reason)
  }

  /** Takes further pages of a batch in. */
  append(candidates: readonly UrlCandidate[]): Promise<void> {
    return this.#clerk.append(candidates)
  }

  /** Does what is left to do when every row has its outcome. */
  async conclude(): Promise<void> {
    // Of a job that knows nothing of its pages nothing is to be learnt.
    if (this.#hasBegun) await this.#job.script.conclude?.(this.#stage)
  }

  async ready(): Promise<boolean> {
    const { signal, pace, desk, tools, ledger, parking, allowance } = this.#job
    if (this.#failure) throw this.#failure
    if (signal.aborted || parking() || !pace.isOpen || !allowance.isOpen) return false
    if (desk.waitingBytes > tools.maxWaitingBytes || !pace.hasSlot()) return false
    const isReady = await ledger.ready(this.#leaseRequest())
    if (!isReady) pace.awaitSites()
    return isReady
  }

  async next(): Promise<LedgerRow | undefined> {
    const { pace, ledger, script, tools, allowance } = this.#job
    if (!pace.takeSlot()) return undefined
    const seat = allowance.take()
    const row = seat && (await ledger.lease(this.#leaseRequest()))
    if (row && pace.enter(siteOf(new URL(row.url)))) {
      this.#seats.set(row.key, seat)
      if (script.learnsFrom?.(row)) this.#held.begin(row, tools.now())
      return row
    }
    // Another job was faster at the same site.
    if (row) await ledger.putBack(row.key)
    seat?.settle(0)
    pace.giveSlot()
    return undefined
  }

  async finished(): Promise<boolean> {
    const { signal, parking, appending } = this.#job
    if (this.#failure) throw this.#failure
    const isLeft = signal.aborted || parking() !== undefined || this.#stoppedBy !== undefined
    const isOver = isLeft || (await this.#isDone()) || (await this.#isAtRest())
    // Since it was asked, a URL may have been added.
    this.#isOver = isOver && (signal.aborted || !appending())
    return this.#isOver
  }

  /** Whether the job is past the point from which on nothing can be added to it. */
  get isOver(): boolean {
    return this.#isOver || this.#ended.signal.aborted
  }

  async #isDone(): Promise<boolean> {
    const { ledger, script } = this.#job
    await this.#lookAtHeld()
    const { queued, active, done } = await ledger.counts()
    if (done >= script.rules.limit) return true
    if (queued + active > 0 || this.#besides.size > 0) return false
    const { revisit } = script
    if (this.#hasRevisited || !revisit) return true
    this.#hasRevisited = true
    this.#besides.do(() => revisit(this.#stage))
    return false
  }

  /** Whether the job has run out of what it may take up, and no page is under way any more. */
  async #isAtRest(): Promise<boolean> {
    const { allowance, ledger } = this.#job
    if (!allowance.stoppedBy || (await ledger.counts()).active > 0) return false
    this.#stoppedBy = allowance.stoppedBy
    this.#gate.close()
    return true
  }

  async handle(row: LedgerRow): Promise<void> {
    const { script, tools, ledger, pace, allowance } = this.#job
    const seat = this.#seats.get(row.key)
    this.#seats.delete(row.key)
    let visit = noVisit
    const place = pace.placeAt(siteOf(new URL(row.url)))
    try {
      const learnt = this.#held.learntFor(row)
      const plan = learnt ? { ...script.page, digest: { ...script.page.digest, learnt } } : script.page
      const taken = await attemptRow(row, { script, tools, stage: this.#stage, plan, place, meter: seat?.meter })
      seat?.settle(creditsOf(taken))
      const turn = script.keepsNothing ? withoutWords(taken) : taken
      visit = turn.visit
      const { ending, attempt } = turn
      if (ending === 'retry' && attempt) {
        ledger.noteUse(allowance.use)
        await ledger.retry(row.key, attempt)
        this.#held.postpone(row)
        pace.wakeIn((attempt.retryAtMs ?? 0) - tools.now())
      } else if (ending !== 'retry') {
        if (learnt) this.#held.hold(row, { ...turn, ending }, learnt, tools.now())
        else await this.#finish(row, { ...turn, ending })
      }
    } finally {
      seat?.settle(0)
      pace.leave(place, visit)
      this.#room.look()
    }
    await this.#held.release()
    this.#watchHeld()
  }

  /** Looks at held pages now and then: nothing tells when a page has taken too long to be waited for. */
  #watchHeld(): void {
    if (this.#watch || this.#held.keys.size === 0 || this.#ended.signal.aborted) return
    this.#watch = setTimeout(() => {
      this.#looking = this.#lookAtHeld()
        .catch((error: unknown) => {
          this.#failure = toTrawlError(error)
        })
        .finally(() => {
          this.#watch = undefined
          this.#watchHeld()
          this.#job.wake()
        })
    }, WATCH_MS)
  }

  /** Finishes held pages for which none is to come, now or before they have ended. */
  async #lookAtHeld(): Promise<void> {
    const { ledger, script, pace, tools, allowance } = this.#job
    if (this.#held.keys.size === 0) return
    if (this.#held.isAwaiting(tools.now())) return this.#held.release()
    const { done, active, queued } = await ledger.counts()
    const isAtLimit = done + active >= script.rules.limit
    const isAtEnd = queued === 0 && !this.#isReadingAhead()
    if (isAtLimit || isAtEnd || pace.isPaused || allowance.stoppedBy) await this.#held.settle()
  }

  async #finish(row: LedgerRow, turn: EndedTurn): Promise<void> {
    // It stays active, and is fetched once more by who goes on with the job.
    if (this.#job.parking() === 'drop') return
    this.#job.ledger.noteUse(this.#job.allowance.use)
    await this.#clerk.end(row, turn)
    // A held page ends after its turn: when it is the last, nothing else tells who waits for room.
    this.#room.look()
  }

  #leaseRequest(): LeaseRequest {
    const { script, tools, pace } = this.#job
    const nowMs = tools.now()
    const leaseMs = script.page.fetch.timeoutMs * 2
    const maxDepth = this.#isReadingAhead() ? 0 : Infinity
    const sites = { heldSites: pace.heldSites(), hangingSites: pace.hangingSites }
    return { nowMs, leaseMs, ...sites, maxDepth, readKeys: this.#held.keys }
  }

  /** While the sitemap is being read, what it names comes first: it has depth 0. */
  #isReadingAhead(): boolean {
    const { script, tools } = this.#job
    return this.#besides.size > 0 && tools.now() - this.#startedAtMs < script.rules.holdLevelMs
  }

  /** Whether fewer rows are queued than the limit can take; also when all of them wait for what is still to be found. */
  async #hasRoom(): Promise<boolean> {
    const { ledger, script } = this.#job
    const { queued, active, done } = await ledger.counts()
    if (queued < script.rules.limit) return true
    // While as many pages are done or held as there may be, nothing more is of use.
    if (done + active >= script.rules.limit) return false
    // A page that is held waits for others, and does nothing.
    const isIdle = active <= this.#held.keys.size
    return isIdle && !(await ledger.ready({ ...this.#leaseRequest(), heldSites: new Set() }))
  }

  #end(reason: unknown): void {
    clearTimeout(this.#watch)
    this.#ended.abort(reason)
    this.#room.look()
  }
}
