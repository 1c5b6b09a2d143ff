import { toTrawlError, TrawlError } from '../errors.js'
import { Extractors } from '../extractor/extractors.js'
import type { Work } from '../frontier/frontier.js'
import type { Candidate, LeaseRequest, LedgerRow, Refusal } from '../ledger/ledger.js'
import { Spending } from '../llm/spending.js'
import { siteOf } from '../url.js'
import { askModel } from './ask-model.js'
import { Besides } from './besides.js'
import { Clerk, type ClerkParts } from './clerk.js'
import { type EndedTurn, HeldPages } from './held-pages.js'
import type { Stage } from './job-script.js'
import { createEvidence } from './keep-evidence.js'
import { createRenderingMemory } from './learn-rendering.js'
import { withoutWords } from './keep-nothing.js'
import type { Pace } from './pace.js'
import { restoreJob } from './restore-job.js'
import { Room } from './room.js'
import { noVisit, takeTurn } from './take-turn.js'
import { surveySite } from './survey.js'
import { createSiteVisits } from './visit-site-file.js'

/** What the loop has of its job. */
export interface LoopParts extends ClerkParts {
  readonly id: string
  readonly pace: Pace
  readonly warnings: Set<string>
  /** Aborted when the job is cancelled, and when it is dropped as it is. */
  readonly signal: AbortSignal
  /** Whether the job is as an earlier process left it. */
  readonly isResumed: boolean
  /** Whether the job is to stop here, for another process to go on: with its pages under way ended, or dropped. */
  readonly parking: () => 'drain' | 'drop' | undefined
  /** Keeps what the job has settled to go by. */
  keepOptions(options: object): void
  /** Whether URLs are being added. */
  readonly appending: () => boolean
  wake(): void
}

/** How often held pages are looked at. */
const WATCH_MS = 500

/** A job at work: which row is next, what becomes of it, and what goes on beside. */
export class JobLoop implements Work {
  readonly #job: LoopParts
  readonly #stage: Stage
  readonly #held: HeldPages
  #watch: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  /** What went wrong while no row was handled. */
  #failure: TrawlError | undefined
  /** Aborted when the job ends, so that nothing that goes on beside the pages outlives it. */
  readonly #ended = new AbortController()
  readonly #besides: Besides
  readonly #room = new Room()
  readonly #clerk: Clerk
  #hasRevisited = false
  #isOver = false
  readonly #startedAtMs: number

  constructor(job: LoopParts) {
    this.#job = job
    this.#clerk = new Clerk(job)
    this.#startedAtMs = job.tools.now()
    const end = (): void => this.#end(job.signal.reason)
    job.signal.addEventListener('abort', end, { once: true })
    const fail = (error: unknown): void => {
      if (!this.#ended.signal.aborted) job.warnings.add(toTrawlError(error).message)
    }
    this.#besides = new Besides(fail, job.wake)
    const { maxWaitingBytes } = job.tools
    this.#held = new HeldPages((row, turn) => this.#finish(row, turn), this.#ended.signal, maxWaitingBytes)
    const { enrich, keepsNothing } = job.script.page
    const spending = new Spending(enrich.budget)
    const mayKeep = keepsNothing !== true
    this.#stage = {
      admit: (found) => this.#clerk.admit(found),
      claim: (found) => this.#clerk.claim(found),
      rendering: createRenderingMemory(),
      spending,
      extractors: new Extractors(),
      survey: (plan, limits, signal) => surveySite(plan, job.tools, limits, signal),
      askModel: (question, signal) => askModel(job.tools.model, question, { signal, spending, mayKeep }),
      keepOptions: (options) => job.keepOptions(options),
      keepEvidence: job.script.keepsNothing ? async () => undefined : createEvidence(job.tools),
      robots: job.tools.robots,
      keepCrawlDelay: (site, crawlDelayMs) => this.#keepCrawlDelay(site, crawlDelayMs),
      getFile: createSiteVisits(job.pace, job.tools, job.script.page.fetch),
      besides: (task) => this.#besides.do(task),
      awaitRoom: () => this.#room.await(() => this.#hasRoom(), this.#ended.signal),
      row: (key) => job.ledger.row(key),
      jobId: job.id,
      snapshots: job.tools.snapshots,
      now: () => job.tools.now(),
      warn: (warning) => void job.warnings.add(warning),
      signal: this.#ended.signal,
    }
  }

  async begin(): Promise<void> {
    const { isResumed, ledger, script } = this.#job
    await script.prepare?.(this.#stage)
    if (script.course?.isOpen) return
    if (isResumed) await restoreJob({ ledger, script, stage: this.#stage, held: this.#held })
    await this.#clerk.admit(this.#job.script.seeds)
    await this.#job.script.begin?.(this.#stage)
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
  append(candidates: readonly Candidate[]): Promise<void> {
    return this.#clerk.append(candidates)
  }

  /** Does what is left to do when every row has its outcome. */
  async conclude(): Promise<void> {
    await this.#job.script.conclude?.(this.#stage)
  }

  async ready(): Promise<boolean> {
    const { signal, pace, desk, tools, ledger, parking } = this.#job
    if (this.#failure) throw this.#failure
    if (signal.aborted || parking() || !pace.isOpen) return false
    if (desk.waitingBytes > tools.maxWaitingBytes || !pace.hasSlot()) return false
    const isReady = await ledger.ready(this.#leaseRequest())
    if (!isReady) pace.awaitSites()
    return isReady
  }

  async next(): Promise<LedgerRow | undefined> {
    const { pace, ledger, script, tools } = this.#job
    if (!pace.takeSlot()) return undefined
    const row = await ledger.lease(this.#leaseRequest())
    if (row && pace.enter(siteOf(new URL(row.url)))) {
      if (script.learnsFrom?.(row)) this.#held.begin(row, tools.now())
      return row
    }
    // Another job was faster at the same site.
    if (row) await ledger.putBack(row.key)
    pace.giveSlot()
    return undefined
  }

  async finished(): Promise<boolean> {
    const { signal, parking, appending } = this.#job
    if (this.#failure) throw this.#failure
    const isOver = signal.aborted || parking() !== undefined || (await this.#isDone())
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

  async handle(row: LedgerRow): Promise<void> {
    const { script, tools, ledger, pace } = this.#job
    let visit = noVisit
    try {
      const learnt = this.#held.learntFor(row)
      const plan = learnt ? { ...script.page, digest: { ...script.page.digest, learnt } } : script.page
      const taken = await takeTurn(row, { script, tools, stage: this.#stage, plan })
      const turn = script.keepsNothing ? withoutWords(taken) : taken
      visit = turn.visit
      const { ending, attempt } = turn
      if (ending === 'retry' && attempt) {
        await ledger.retry(row.key, attempt)
        this.#held.postpone(row)
        pace.wakeIn((attempt.retryAtMs ?? 0) - tools.now())
      } else if (ending !== 'retry') {
        if (learnt) this.#held.hold(row, { ...turn, ending }, learnt, tools.now())
        else await this.#finish(row, { ...turn, ending })
      }
    } finally {
      pace.leave(siteOf(new URL(row.url)), visit)
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
    const { ledger, script, pace, tools } = this.#job
    if (this.#held.keys.size === 0) return
    if (this.#held.isAwaiting(tools.now())) return this.#held.release()
    const { done, active, queued } = await ledger.counts()
    const isAtLimit = done + active >= script.rules.limit
    const isAtEnd = queued === 0 && !this.#isReadingAhead()
    if (isAtLimit || isAtEnd || pace.isPaused) await this.#held.settle()
  }

  async #finish(row: LedgerRow, turn: EndedTurn): Promise<void> {
    // It stays active, and is fetched once more by who goes on with the job.
    if (this.#job.parking() === 'drop') return
    await this.#clerk.end(row, turn)
    // A held page ends after its turn: when it is the last, nothing else tells who waits for room.
    this.#room.look()
  }

  #leaseRequest(): LeaseRequest {
    const { script, tools, pace } = this.#job
    const nowMs = tools.now()
    const leaseMs = script.page.fetch.timeoutMs * 2
    const maxDepth = this.#isReadingAhead() ? 0 : Infinity
    return { nowMs, leaseMs, heldSites: pace.heldSites(), maxDepth, readKeys: this.#held.keys }
  }

  /** While the sitemap is being read, what it names comes first: it has depth 0. */
  #isReadingAhead(): boolean {
    const { script, tools } = this.#job
    return this.#besides.size > 0 && tools.now() - this.#startedAtMs < script.rules.holdLevelMs
  }

  #keepCrawlDelay(site: string, crawlDelayMs: number): void {
    const { tools, warnings } = this.#job
    tools.politeness.setCrawlDelay(site, crawlDelayMs)
    warnings.add(`The robots.txt of ${site} asks for a pause of ${crawlDelayMs / 1000} s between pages, which is kept.`)
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
