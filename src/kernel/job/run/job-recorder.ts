import { toTrawlError } from '../../../base/errors.js'
import { BackgroundTasks } from '../../../base/concurrency/background-tasks.js'
import { PauseGate } from '../../../base/concurrency/pause-gate.js'
import type { RewritePlan } from '../../../content/digest/rewriter.js'
import { LearntRules } from '../../enrich/learnt-rules.js'
import type { GetSiteFile } from '../../../base/http/site-file.js'
import { MAX_PAUSE_MS } from '../../frontier/politeness.js'
import { parseRetryAfter } from '../../../base/http/header-values.js'
import type { Attempt, UrlCandidate, Claim, Ending, JobLedger, LedgerRow, Refusal } from '../../ledger/ledger.js'
import { cutWarning, UNKEPT_WARNING } from '../../../base/text/page-warnings.js'
import type { Document } from '../../page/document.js'
import type { FurtherRequests } from '../../page/scrape-request.js'
import { siteOf } from '../../../base/url.js'
import { refuseSuspendedSite, type EndedRow, NO_RESPONSE } from '../attempt/attempt-row.js'
import { withoutDocuments } from '../attempt/redact-attempt.js'
import type { Deliveries } from '../delivery/deliveries.js'
import type { DocumentStream } from '../delivery/document-stream.js'
import { createErrorSnapshots, type SaveErrorSnapshot } from '../error-snapshot.js'
import type { JobContext, JobPermit } from '../job-context.js'
import type { JobHooks } from '../job-hooks.js'
import type { JobReporters } from '../job-reporter.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import type { JobEmitter } from '../lifecycle/job-emitter.js'
import type { JobLifecycle } from '../lifecycle/job-lifecycle.js'
import type { JobTracer } from '../lifecycle/job-tracer.js'
import { addMissingCopies, appendDuplicates } from './append-duplicates.js'
import { toldBy } from './deferred-pages.js'
import type { JobScheduler } from './job-scheduler.js'
import { writeNote } from './restore-job.js'
import { createRenderingPredictor } from './predict-rendering.js'

/** Parts of a job that its work is done with. */
export interface JobParts {
  readonly id: string
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly scheduler: JobScheduler
  readonly lifecycle: JobLifecycle
  /** Hooks of the features that the job asks for, in order. */
  readonly hooks: readonly JobHooks[]
  readonly stream: DocumentStream
  readonly log: Deliveries | undefined
  readonly events: JobEmitter<Document>
  /** Undefined where nobody is told of the job. */
  readonly reporters: JobReporters | undefined
  /** True when the ledger outlives the process, so that another one may resume the job. */
  readonly isKept: boolean
  /** True when an earlier process began the job. */
  readonly isResumed: boolean
  /** Aborted when the job is cancelled or fails, and when it is parked without waiting for its pages. */
  readonly cancelled: AbortSignal
  /** Returns true while URLs are being appended. */
  readonly isAppending: () => boolean
  /** Makes the pool ask for work again. */
  wake(): void
}

const REWRITTEN_URLS =
  'URLs that contain data which is removed from pages, for example those of sitemaps, were left out: they are neither requested nor recorded.'

/**
 * The record of a job that runs: admits URLs and ends rows in the ledger, then tells listeners, readers and reporters. It is the
 * {@link JobContext} of the strategy. The loop extends it, and is its one form.
 */
export abstract class JobRecorder implements JobContext {
  readonly id: string
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly workerTools: JobTools
  readonly ledger: JobLedger<Document>
  readonly scheduler: JobScheduler
  readonly budgetTracker: BudgetTracker
  readonly tracer: JobTracer
  readonly hooks: readonly JobHooks[]
  readonly rendering = createRenderingPredictor()
  readonly learntRules = new LearntRules()
  readonly background: BackgroundTasks
  readonly signal: AbortSignal
  readonly saveErrorSnapshot: SaveErrorSnapshot
  protected readonly parts: JobParts
  /** Aborted when the job ends: no task goes on then, and the signal of its cancellation, which is kept, no longer leads here. */
  protected readonly ended = new AbortController()
  /** Closed while the job is stopped: background tasks then neither fetch nor write. */
  protected readonly gate = new PauseGate()

  constructor(parts: JobParts) {
    const { id, strategy, tools, lifecycle } = parts
    this.parts = parts
    this.id = id
    this.strategy = strategy
    this.tools = tools
    this.ledger = parts.ledger
    this.scheduler = parts.scheduler
    this.budgetTracker = lifecycle.budgetTracker
    this.tracer = lifecycle.tracer
    this.hooks = parts.hooks
    this.signal = this.ended.signal
    const fail = (error: unknown): void => {
      if (!this.signal.aborted) lifecycle.warn(toTrawlError(error).message)
    }
    this.background = new BackgroundTasks(fail, parts.wake)
    const { zeroDataRetention, digest } = strategy.plan.page
    // A picture of a page has what is rewritten in its texts.
    this.saveErrorSnapshot = zeroDataRetention || digest.rewrite ? async () => undefined : createErrorSnapshots(tools)
    this.workerTools = tools.places ? { ...tools, scrape: tools.places.open(this) } : tools
  }

  abstract awaitCapacity(): Promise<void>

  warn(message: string): void {
    this.parts.lifecycle.warn(message)
  }

  saveGeneratedOptions(generated: object): void {
    this.parts.lifecycle.saveGeneratedOptions(generated)
  }

  setCrawlDelay(site: string, crawlDelayMs: number): void {
    this.tools.politeness.setCrawlDelay(site, crawlDelayMs)
    const seconds = crawlDelayMs / 1000
    this.warn(`The robots.txt of ${site} asks for a pause of ${seconds} s between pages, which the crawl observes.`)
  }

  permitFurther(row: LedgerRow, permit: JobPermit): FurtherRequests {
    return new FurtherPages(this, row, permit)
  }

  readonly getFile: GetSiteFile = async (url, signal, maxBytes) => {
    if (!this.gate.isOpen) await this.gate.waitUntilOpen(this.signal)
    const { tools, scheduler, budgetTracker, tracer } = this
    const { page } = this.strategy.plan
    const site = siteOf(new URL(url))
    await scheduler.awaitRequest(site, signal)
    const startedAtMs = tools.waitNow()
    let statusCode: number | undefined
    let retryAfterMs: number | undefined
    try {
      refuseSuspendedSite(url, tools)
      const file = await tools.getFile(url, page, signal, { maxBytes, meter: budgetTracker.meter, span: tracer.span })
      ;({ statusCode } = file)
      const asked = parseRetryAfter(file.headers?.['retry-after'], tools.now())
      // Pages may be had where a sitemap is not: a longer wish, said twice, would suspend the site.
      retryAfterMs = asked && Math.min(asked, MAX_PAUSE_MS)
      return file
    } finally {
      scheduler.endRequest(site, { latencyMs: tools.waitNow() - startedAtMs, statusCode, retryAfterMs })
    }
  }

  /** @param mayWait false to admit also while the job is stopped, as for appended URLs */
  async admit(candidates: readonly UrlCandidate[], mayWait = true): Promise<readonly LedgerRow[]> {
    if (mayWait && !this.gate.isOpen) await this.gate.waitUntilOpen(this.signal)
    const { ledger, tools, tracer, strategy } = this
    const { rewrite } = strategy.plan.page.digest
    const wanted = rewrite ? await this.#leaveOutRewritten(candidates, rewrite) : candidates
    const added = await tracer.write('admit', () => ledger.admit(wanted, tools.now()))
    this.#tellSkipped(added)
    return added
  }

  /** Leaves out URLs that have what is rewritten, of sitemaps and redirects for example: they must not be recorded. */
  async #leaveOutRewritten(
    candidates: readonly UrlCandidate[],
    rewrite: RewritePlan,
  ): Promise<readonly UrlCandidate[]> {
    const found = candidates.filter(({ via }) => via !== 'seed')
    const [first] = found
    if (!first) return candidates
    const rewriter = await this.tools.features.openRewriter(rewrite, { url: first.url })
    const leftOut = new Set(found.filter(({ url }) => rewriter.rewrite(url) !== url))
    if (leftOut.size > 0) this.warn(REWRITTEN_URLS)
    return candidates.filter((candidate) => !leftOut.has(candidate))
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim> {
    if (!this.gate.isOpen) await this.gate.waitUntilOpen(this.signal)
    const { ledger, tools, tracer } = this
    const claim = await tracer.write('claim', () => ledger.claim(candidate, tools.now()))
    if (claim.outcome !== 'added') return claim
    tracer.endSkipped([claim.row])
    // For a row that was refused before, the event was emitted at that time.
    this.parts.events.emitSafely('skipped', { url: candidate.url, ...candidate.refused })
    return claim
  }

  /** Appends pages to a batch. Resolves when they are written: a process that dies afterwards loses none. */
  async append(candidates: readonly UrlCandidate[]): Promise<void> {
    const { stream, events, reporters } = this.parts
    const { ledger, strategy } = this
    await appendDuplicates(
      candidates,
      { ledger, strategy, reporters },
      (fresh) => this.admit(fresh, false),
      ({ documents, bytes, ended }) => {
        stream.push(documents, bytes, this.#isObserved)
        for (const document of documents) events.emitSafely('document', document)
        if (ended) this.#tellWithoutDocument(ended)
      },
    )
    reporters?.flush()
    await ledger.written()
  }

  /** Records an attempt after which the page is tried again. */
  protected async recordRetry(row: LedgerRow, attempt: Attempt): Promise<void> {
    const { ledger, tracer, budgetTracker } = this
    ledger.recordUse(budgetTracker.use)
    // A ledger in memory adds the attempt to this very row.
    const number = row.attempts.length + 1
    await tracer.write('retry', () => ledger.retry(row.key, attempt))
    tracer.noteRetry(row.url, number, attempt)
  }

  /** Records the end of a page. */
  protected async recordEnding(row: LedgerRow, result: EndedRow): Promise<void> {
    const { ledger, tools, strategy, hooks, tracer, budgetTracker } = this
    const { reporters, isKept, stream } = this.parts
    const { attempt, finalUrl, duplicateOf } = result
    const note = isKept ? writeNote({ page: result.note, ...toldBy(result) }) : undefined
    // Features first: after a crash they have at least what the ledger has.
    let taken = result.ending
    for (const hook of hooks) taken = (await hook.ended?.(row, taken)) ?? taken
    const ending = row.sources ? addMissingCopies(taken, row, strategy) : taken
    const reports = reporters?.take(row, ending, attempt !== undefined || row.attempts.length > 0)
    const warning = ending.outcome === 'done' ? ending.documents[0]?.warning : undefined
    const rowEnd = {
      nowMs: tools.now(),
      note,
      attempt,
      finalUrl,
      duplicateOf,
      reports,
      // A warning may quote the page.
      warning:
        warning === undefined ? undefined : strategy.plan.page.zeroDataRetention ? UNKEPT_WARNING : cutWarning(warning),
    }
    ledger.recordUse(budgetTracker.use)
    const kept = stream.isTransient ? withoutDocuments(ending) : ending
    const ended = await tracer.write('end', () => ledger.end(row.key, kept, rowEnd))
    tracer.endPage(row, ending)
    await this.#tellEnding(ended, ending)
    reporters?.flush()
  }

  /** Skips all remaining rows. @param reason recorded for rows for which the strategy has no reason of its own */
  async skipRemaining(reason: Refusal): Promise<void> {
    const { ledger, tools, tracer, strategy } = this
    // Pages that were given up because the engine was closed: the job was cancelled after that.
    for (const { key } of await ledger.rows({ outcome: 'active' })) await ledger.putBack(key)
    const decide = async (row: LedgerRow): Promise<Refusal> =>
      (await strategy.crawl?.refuseRemaining(row, this)) ?? reason
    this.#tellSkipped(await tracer.write('skip', () => ledger.skipQueued(decide, tools.now())))
  }

  /** True when a listener or a reporter receives each document as soon as it is recorded. */
  get #isObserved(): boolean {
    const { events, reporters } = this.parts
    return events.listenerCount('document') > 0 || reporters?.reportPages === true
  }

  #tellSkipped(rows: readonly LedgerRow[]): void {
    this.tracer.endSkipped(rows)
    if (this.parts.events.listenerCount('skipped') === 0) return
    for (const row of rows) if (row.refusal) this.#tellWithoutDocument(row)
  }

  /** Emits the events of a page that ended without a document: one for each of its positions in the list. */
  #tellWithoutDocument(row: LedgerRow): void {
    const { events } = this.parts
    const { outcome, failure, refusal, attempts } = row
    for (const url of urlsOf(row)) {
      if (outcome === 'failed' && failure) events.emitSafely('failed', { url, ...failure, attempts: attempts.length })
      else if (refusal) events.emitSafely('skipped', { url, ...refusal })
    }
  }

  async #tellEnding(row: LedgerRow, ending: Ending<Document>): Promise<void> {
    const { stream, events, log } = this.parts
    if (ending.outcome === 'done') {
      stream.push(ending.documents, ending.bytes, this.#isObserved)
      for (const document of ending.documents) events.emitSafely('document', document)
      const isTaken = events.listenerCount('document') > 0 || this.hooks.some(({ keepsPages }) => keepsPages)
      if (isTaken) log?.addGiven(ending.documents)
    } else this.#tellWithoutDocument(row)
    if (events.listenerCount('progress') === 0) return
    const { done, queued, active, failed, skipped } = await this.ledger.counts()
    events.emitSafely('progress', { completed: done, queued, active, failed, skipped })
  }
}

/** The URLs of a row in the spelling of its job: one for each time that a batch lists the page, as the counters count it. */
const urlsOf = ({ url, sources }: LedgerRow): readonly string[] =>
  sources === undefined || sources.length === 0 ? [url] : sources.map((source) => source.url)

/** A job that decides about further requests for its pages. */
interface RequestingJob extends JobContext {
  readonly strategy: JobStrategy
  readonly scheduler: JobScheduler
}

/**
 * Permission for the further requests of features for a page, each of which counts as a page of its site: robots.txt, the
 * budget of the job, its delay, and politeness.
 */
class FurtherPages implements FurtherRequests {
  readonly #job: RequestingJob
  readonly #row: LedgerRow
  readonly #permit: JobPermit
  readonly #site: string
  /** Response of the last request to the site of the row, which the permit has begun. */
  #response = NO_RESPONSE

  constructor(job: RequestingJob, row: LedgerRow, permit: JobPermit) {
    this.#job = job
    this.#row = row
    this.#permit = permit
    this.#site = siteOf(new URL(row.url))
  }

  async begin(url: string, signal: AbortSignal): Promise<string | undefined> {
    const { strategy, tools, scheduler, budgetTracker } = this.#job
    const permit = this.#permit
    if (budgetTracker.stoppedBy) return 'The budget of the job is used up.'
    const refusal = await strategy.refuse?.({ ...this.#row, url }, this.#job)
    if (refusal) return `${url}: ${refusal.message}`
    refuseSuspendedSite(url, tools)
    const site = siteOf(new URL(url))
    const awaitTurn = (): Promise<void> => scheduler.awaitRequest(site, signal)
    // The page itself has a request to its site, which may allow only one at a time.
    if (site === this.#site) await permit.wait(scheduler.renewRequest(permit, this.#response, awaitTurn), { signal })
    else await permit.wait(awaitTurn(), { signal })
    return undefined
  }

  end(url: string, response = NO_RESPONSE): void {
    const site = siteOf(new URL(url))
    if (site === this.#site) this.#response = response
    else this.#job.scheduler.endRequest(site, response)
  }
}
