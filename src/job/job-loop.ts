import type { Document } from '../document.js'
import { toTrawlError, TrawlError } from '../errors.js'
import type { Work } from '../frontier/frontier.js'
import type { Candidate, Claim, Ending, JobLedger, LeaseRequest, LedgerRow, Refusal } from '../ledger/ledger.js'
import { Spending } from '../llm/spending.js'
import { siteOf } from '../url.js'
import type { Desk } from './delivery.js'
import type { JobEmitter } from './job-emitter.js'
import { type EndedTurn, HeldPages } from './held-pages.js'
import type { JobScript, Stage } from './job-script.js'
import type { JobTools } from './job-tools.js'
import { createEvidence } from './keep-evidence.js'
import { createRenderingMemory } from './learn-rendering.js'
import { withoutDocuments, withoutWords } from './keep-nothing.js'
import type { Pace } from './pace.js'
import { Room } from './room.js'
import { noVisit, takeTurn } from './take-turn.js'
import { createSiteVisits } from './visit-site-file.js'

/** What the loop has of its job. */
export interface LoopParts {
  readonly id: string
  readonly script: JobScript
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly pace: Pace
  readonly desk: Desk<Document>
  readonly events: JobEmitter<Document>
  readonly warnings: Set<string>
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal
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
  readonly #besides = new Set<Promise<void>>()
  readonly #room = new Room()
  #hasRevisited = false
  readonly #startedAtMs: number

  constructor(job: LoopParts) {
    this.#job = job
    this.#startedAtMs = job.tools.now()
    const end = (): void => this.#end(job.signal.reason)
    job.signal.addEventListener('abort', end, { once: true })
    const { maxWaitingBytes } = job.tools
    this.#held = new HeldPages((row, turn) => this.#finish(row, turn), this.#ended.signal, maxWaitingBytes)
    this.#stage = {
      admit: (found) => this.#admit(found),
      claim: (found) => this.#claim(found),
      rendering: createRenderingMemory(),
      spending: new Spending(job.script.page.enrich.budget),
      keepEvidence: job.script.keepsNothing ? async () => undefined : createEvidence(job.tools),
      robots: job.tools.robots,
      keepCrawlDelay: (site, crawlDelayMs) => this.#keepCrawlDelay(site, crawlDelayMs),
      getFile: createSiteVisits(job.pace, job.tools, job.script.page.fetch),
      besides: (task) => this.#doBesides(task),
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
    await this.#admit(this.#job.script.seeds)
    await this.#job.script.begin?.(this.#stage)
  }

  /** Ends what goes on beside the pages, and waits for it. Pages that were held are given out as they are. */
  async end(): Promise<void> {
    this.#end(new TrawlError('SCRAPE_JOB_CANCELLED', 'the job has ended'))
    await Promise.all([...this.#besides, this.#looking])
    await this.#held.settle()
  }

  /** Gives every row that is left its outcome: why the job has not come to it, unless it would have been refused anyway. */
  async leaveRest(reason: Refusal): Promise<void> {
    const { script, ledger, tools, events } = this.#job
    const decide = async (row: LedgerRow): Promise<Refusal> => (await script.refuseLeft?.(row, this.#stage)) ?? reason
    for (const { url, refusal } of await ledger.skipQueued(decide, tools.now())) {
      events.tell('skipped', { url, ...(refusal ?? reason) })
    }
  }

  /** Does what is left to do when every row has its outcome. */
  async conclude(): Promise<void> {
    await this.#job.script.conclude?.(this.#stage)
  }

  async ready(): Promise<boolean> {
    const { signal, pace, desk, tools, ledger } = this.#job
    if (this.#failure) throw this.#failure
    if (signal.aborted || !pace.isOpen) return false
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
    const { signal, ledger, script } = this.#job
    if (this.#failure) throw this.#failure
    if (signal.aborted) return true
    await this.#lookAtHeld()
    const { queued, active, done } = await ledger.counts()
    if (done >= script.rules.limit) return true
    if (queued + active > 0 || this.#besides.size > 0) return false
    const { revisit } = script
    if (this.#hasRevisited || !revisit) return true
    this.#hasRevisited = true
    this.#doBesides(() => revisit(this.#stage))
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

  async #finish(row: LedgerRow, { ending, attempt, finalUrl, duplicateOf }: EndedTurn): Promise<void> {
    const { ledger, tools, script } = this.#job
    const ended = await ledger.end(row.key, script.keepsNothing ? withoutDocuments(ending) : ending, {
      nowMs: tools.now(),
      ...(attempt ? { attempt } : {}),
      ...(finalUrl === undefined ? {} : { finalUrl }),
      ...(duplicateOf === undefined ? {} : { duplicateOf }),
    })
    // A held page ends after its turn: when it is the last, nothing else tells who waits for room.
    this.#room.look()
    await this.#tell(ended, ending)
  }

  async #tell(row: LedgerRow, ending: Ending<Document>): Promise<void> {
    const { desk, events, ledger } = this.#job
    if (ending.outcome === 'done') {
      desk.produced(ending.documents, ending.bytes, events.listenerCount('document') > 0)
      for (const document of ending.documents) events.tell('document', document)
    } else if (ending.outcome === 'failed') {
      events.tell('failed', { url: row.url, code: ending.code, error: ending.error, attempts: row.attempts.length })
    } else events.tell('skipped', { url: row.url, ...ending.refusal })
    if (events.listenerCount('progress') === 0) return
    const { done, queued, active, failed, skipped } = await ledger.counts()
    events.tell('progress', { completed: done, queued, active, failed, skipped })
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

  async #admit(candidates: readonly Candidate[]): Promise<readonly LedgerRow[]> {
    const { ledger, tools, events } = this.#job
    const added = await ledger.admit(candidates, tools.now())
    if (events.listenerCount('skipped') > 0) {
      for (const { url, refusal } of added) if (refusal) events.tell('skipped', { url, ...refusal })
    }
    return added
  }

  async #claim(candidate: Candidate & { refused: Refusal }): Promise<Claim> {
    const { ledger, tools, events } = this.#job
    const claim = await ledger.claim(candidate, tools.now())
    // A row that was refused before was told then.
    if (claim.outcome === 'added') events.tell('skipped', { url: candidate.url, ...candidate.refused })
    return claim
  }

  #keepCrawlDelay(site: string, crawlDelayMs: number): void {
    const { tools, warnings } = this.#job
    tools.politeness.setCrawlDelay(site, crawlDelayMs)
    warnings.add(`The robots.txt of ${site} asks for a pause of ${crawlDelayMs / 1000} s between pages, which is kept.`)
  }

  #doBesides(task: () => Promise<void>): void {
    const { warnings, wake } = this.#job
    const done = task()
      .catch((error: unknown) => {
        if (!this.#ended.signal.aborted) warnings.add(toTrawlError(error).message)
      })
      .finally(() => {
        this.#besides.delete(done)
        wake()
      })
    this.#besides.add(done)
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
