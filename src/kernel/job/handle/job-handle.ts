import type {
  RangeOptions,
  FeatureJobStatus,
  Job,
  JobErrors,
  JobKind,
  JobState,
  JobStatus,
  UnseenUrl,
  PageActivity,
} from '../job.js'
import type { JobBudget } from '../../../base/accounting/budget.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import type { Counts, JobLedger, LedgerRow } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import { planResuming, planWaiting } from '../../plan/job-methods.js'
import type { RowQuery } from '../../plan/row-query.js'
import type { UrlLike } from '../../../base/url.js'
import type { OpenBudget } from '../job-hooks.js'
import type { JobStrategy } from '../job-strategy.js'
import type { StartKind } from '../stored-request.js'
import type { JobTools } from '../job-tools.js'
import { jobNotFound } from '../delivery/open-delivery.js'
import type { JobOrigin } from '../job-origin.js'
import { describeJob, listErrors } from '../lifecycle/status.js'
import { JobRunner } from '../run/job-runner.js'
import { readNote } from '../run/restore-job.js'
import { BaseJob } from './base-job.js'
import { type EndedJob, takeRecord } from './ended-job.js'
import { explainUrl } from './explain-url.js'
import { listRows } from './list-rows.js'

/** Counts of a job whose ledger never opened. */
const NO_COUNTS: Counts = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0, skippedByReason: {}, credits: 0 }

/** The job as its caller sees it: identity, results, events and control. Its {@link JobRunner} does the work. */
export class JobHandle extends BaseJob implements Job<Document> {
  readonly kind: JobKind
  readonly createdAt: string
  readonly request: object
  readonly #tools: JobTools
  readonly #startKind: StartKind
  readonly #bounds: JobOrigin['bounds']
  #guided: FeatureJobStatus | undefined
  #wasRead = false
  /** The job at work; undefined once it has ended for good. */
  #live: JobRunner | undefined
  #origin: JobOrigin | undefined
  #ledger: JobLedger<Document> | undefined
  /** The job after its end. */
  #ended: EndedJob | undefined
  /** Its working form after its end, for as long as something uses it. */
  #last: JobRunner | WeakRef<JobRunner> | undefined
  /** Reason why nothing of the job is kept any more. */
  #forgotten: string | undefined

  constructor(strategy: JobStrategy, tools: JobTools, origin: JobOrigin) {
    const { id, createdAtMs, request } = origin
    super(id, strategy, tools)
    this.#startKind = origin.plan?.kind ?? strategy.kind
    this.kind = strategy.kind
    this.createdAt = new Date(createdAtMs).toISOString()
    this.request = request
    this.#tools = tools
    this.#bounds = origin.bounds
    this.#origin = origin
    this.#live = new JobRunner(strategy, tools, origin, this)
    void this.#live.ledger.then(
      (opened) => (this.#ledger = this.#origin && opened),
      () => undefined,
    )
  }

  get url(): string {
    return this.#tools.jobUrl(this.#startKind, this.id)
  }

  /** @internal for the job registry */
  get runner(): JobRunner {
    return this.#use()
  }

  protected get strategy(): JobStrategy {
    return this.#use().strategy
  }

  get state(): JobState {
    return this.#ended?.state ?? this.runner.lifecycle.state
  }

  /** True when the job has ended for good: neither this engine nor another one goes on with it. */
  get hasSettled(): boolean {
    return this.#ended !== undefined
  }

  /** Time at which the engine may forget the job; undefined while it runs. Milliseconds since the epoch. */
  get expiresAtMs(): number | undefined {
    return this.#ended ? this.#ended.expiresAtMs : this.runner.lifecycle.expiresAtMs
  }

  /** True when a later crawl can compare with this one. */
  get leavesRecord(): boolean {
    return this.#ended?.leavesRecord ?? this.strategy.crawl?.memory !== undefined
  }

  override get invalidURLs(): readonly string[] | undefined {
    return this.#ended ? this.#ended.invalidURLs : super.invalidURLs
  }

  get wasRead(): boolean {
    return this.#wasRead
  }

  /** Tests for a loop over the documents that has not come to its end. */
  get isRead(): boolean {
    return this.#known?.stream.isRead ?? false
  }

  /** Lets go of everything but the record of the job, if it has ended for good. Called when it has ended, for now or for good. */
  settle(): void {
    if (!this.#live || !this.#origin) return
    const { onEnd } = this.#origin
    const ended = takeRecord(this.#live, this.#origin, this.#ledger)
    if (ended) {
      const { guide } = this.#live.strategy.crawl ?? {}
      this.#ended = ended
      // What its pages have told is in no ledger in memory.
      if (guide?.hasRead) this.#guided = guide.status
      this.#keep(this.#live)
      this.#live = this.#origin = this.#ledger = undefined
    }
    onEnd?.(this)
  }

  /** Called when the engine keeps nothing of the job any more. @param reason thrown to whoever asks for something of it */
  forget(reason: string): void {
    this.#forgotten = reason
    this.#ended?.forget(reason)
    const live = this.#known
    live?.lifecycle.forget(reason)
    void live?.reporters?.close(false)
  }

  /** The job in its working form, which is made anew when it has ended, and nothing has used it for a while. */
  #use(): JobRunner {
    const known = this.#known
    if (known) return known
    if (!this.#ended) throw new Error(`job ${this.id} is not made yet`)
    const { strategy, origin } = this.#ended.reopen()
    const made = new JobRunner(strategy, this.#tools, origin, this)
    if (this.#forgotten !== undefined) made.lifecycle.forget(this.#forgotten)
    this.#keep(made)
    return made
  }

  /** The job in its working form, which others find for as long as the caller keeps it. */
  #useForLong(): JobRunner {
    const runner = this.#use()
    if (this.#ended) this.#last = new WeakRef(runner)
    return runner
  }

  /** The job in its working form, if it is there. */
  get #known(): JobRunner | undefined {
    return this.#live ?? (this.#last instanceof WeakRef ? this.#last.deref() : this.#last)
  }

  /** Keeps the working form of a job that has ended for those that use it at the moment. */
  #keep(runner: JobRunner): void {
    this.#last = runner
    setImmediate(() => this.#rest(runner))
  }

  /**
   * Lets go of the working form of a job that has ended. A weak reference stays where a loop reads its documents, or where its ledger
   * may be closed first: what was read of it is all that is left then. Not otherwise: V8 moves what a weak reference leads to into its
   * old space, which thousands of small jobs would fill.
   */
  #rest(runner: JobRunner): void {
    const isUsed = this.#ended?.isStored === true || runner.stream.isRead
    if (this.#last === runner) this.#last = isUsed ? new WeakRef(runner) : undefined
  }

  async prepared(): Promise<void> {
    await this.runner.added
    await Promise.race([this.strategy.crawl?.prompt?.resolved, this.runner.ended])
  }

  async status(options: RangeOptions = {}): Promise<JobStatus<Document>> {
    return this.#deliver(await this.#describe(options))
  }

  /** Takes note that the caller has the documents of a job that completed: those of other ones may have come too early. */
  async #deliver(status: JobStatus<Document>): Promise<JobStatus<Document>> {
    const { log } = this.runner
    if (!log || status.status !== 'completed' || status.data.length === 0) return status
    log.addGiven(status.data)
    await log.settle()
    return status
  }

  async #describe(options: RangeOptions): Promise<JobStatus<Document>> {
    const { stream, lifecycle } = this.runner
    const ledger = await this.#openLedger()
    const strategy = this.strategy
    // A long list is added to the ledger in slices: before all of it is there, `total` would be too small.
    if (this.kind === 'batch-scrape') await Promise.race([this.runner.appended?.begun, this.runner.ended])
    const { facts } = lifecycle
    const warning = this.#bounds?.warning
    const job = {
      url: this.url,
      limit: strategy.rules.limit,
      hint: strategy.crawl?.hint,
      guided: await this.#readGuided(),
      ...facts,
      warnings: warning === undefined ? facts.warnings : new Set([...facts.warnings, warning]),
    }
    return describeJob(ledger, job, options, (document) => stream.present(document))
  }

  /** Opens the ledger of the job. @throws TrawlError `JOB_NOT_FOUND` when the job has expired, and nothing of it is kept */
  async #openLedger(): Promise<JobLedger<Document>> {
    const { runner } = this
    if (this.#forgotten !== undefined) throw jobNotFound(this.#forgotten)
    // A job that is made anew learns from its first row where its start URL has led.
    if (this.#ended) await runner.ended
    return runner.ledger
  }

  /** Part of the guide of a crawl. That of a job that has ended in another process is computed once, from its notes. */
  async #readGuided(): Promise<FeatureJobStatus | undefined> {
    const { guide } = this.strategy.crawl ?? {}
    if (!guide || guide.hasRead || this.state === 'scraping') return guide?.status
    return (this.#guided ??= await guide.statusOf(readNotes(await this.runner.ledger)))
  }

  /**
   * Reads the closing status of a job that has ended, and the status without documents of any other one. Never rejects: when the ledger
   * cannot be read, documents are missing.
   */
  async #readNow(): Promise<JobStatus<Document>> {
    const { ledger, lifecycle } = this.runner
    try {
      return await this.#describe(this.state === 'scraping' ? { limit: 0 } : {})
    } catch (error) {
      const counts = await ledger.then((opened) => opened.counts()).catch(() => NO_COUNTS)
      const unread = `The documents cannot be read: ${toTrawlError(error).message}.`
      const facts = { ...lifecycle.facts, warnings: new Set([...lifecycle.facts.warnings, unread]) }
      const job = { url: this.url, limit: this.strategy.rules.limit, hint: undefined, ...facts }
      const counting = { counts: async () => counts, documents: async () => [] }
      return describeJob(counting, job, {}, ({ document }) => document)
    }
  }

  async errors(): Promise<JobErrors> {
    return listErrors(await this.#openLedger(), this.id)
  }

  urls(query?: RowQuery): AsyncIterableIterator<LedgerRow> {
    return listRows(query, () => this.#openLedger(), this.strategy, this.#tools.features.skipReasons)
  }

  async explain(url: UrlLike): Promise<LedgerRow | UnseenUrl | undefined> {
    const job = { strategy: this.strategy, startUrl: this.startUrl }
    return explainUrl(url, await this.#openLedger(), job, this.#tools)
  }

  override async activity(): Promise<readonly PageActivity[]> {
    return this.runner.scheduler.activity()
  }

  override openLedger(): Promise<JobLedger<Document>> {
    return this.runner.ledger
  }

  acknowledge(document: Document | number | string): Promise<void> {
    return this.runner.stream.acknowledge(document)
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Document> {
    this.#wasRead = true
    return this.#useForLong().stream.read()
  }

  async append(urls: Iterable<UrlLike>): Promise<void> {
    if (this.runner.isParking) {
      const message = `job ${this.id} was parked when its engine was closed: add the URLs when \`engine.resume()\` of another engine has resumed it`
      throw new TrawlError('ENGINE_CLOSED', message)
    }
    await this.runner.append(urls)
  }

  async finished(options?: { signal?: AbortSignal }): Promise<JobStatus<Document>> {
    const signal = planWaiting(options)
    let ended: Promise<void>
    // A stopped job may be cancelled or resumed before its callers hear that it has stopped.
    do {
      ended = this.runner.ended
      await this.runner.finished(signal)
    } while (!this.hasSettled && this.runner.ended !== ended)
    return this.#deliver(await this.#readNow())
  }

  pause(): Promise<JobStatus<Document>> {
    this.runner.pause()
    return this.#readNow()
  }

  resume(options?: { budget?: JobBudget }): Promise<JobStatus<Document>> {
    const budget = planResuming(options)
    const { isEnding, ended } = this.runner
    const status = isEnding ? ended.then(() => this.resume({ budget })) : this.#readWritten(this.runner.resume(budget))
    // As for `cancel()`: a listener that resumes a job which another process has resumed must not end this one.
    status.catch(() => undefined)
    return status
  }

  /** Reads the status when what a call has changed in the record of the job is stored. A failure to store it ends the job. */
  async #readWritten(changed: Promise<void> | undefined): Promise<JobStatus<Document>> {
    await changed
    await this.runner.lifecycle.written()
    return this.#readNow()
  }

  cancel(): Promise<JobStatus<Document>> {
    const closing = this.#cancel()
    // A `response.on('close', () => job.cancel())` must not end the process when the job was parked; a caller that awaits gets the error.
    closing.catch(() => undefined)
    return closing
  }

  override openBudget(): OpenBudget {
    const { ledger, lifecycle, keepUse } = this.#useForLong()
    const { budgetTracker } = lifecycle
    const record = async (): Promise<void> => {
      keepUse?.(budgetTracker.use)
      ;(await ledger).recordUse(budgetTracker.use)
    }
    return { spending: budgetTracker.spending, record }
  }

  async #cancel(): Promise<JobStatus<Document>> {
    if (this.runner.isEnding) await this.runner.ended
    await this.runner.cancel()
    return this.finished()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // One that another process has resumed meanwhile is not cancelled here.
    if (this.runner.isRunning) await this.runner.cancel().catch(() => undefined)
    await this.runner.ended
  }
}

async function* readNotes(ledger: JobLedger<Document>): AsyncGenerator<{ row: LedgerRow; note: unknown }> {
  for await (const { row, note } of ledger.notes()) yield { row, note: readNote(note).page }
}
