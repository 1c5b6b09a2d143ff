import type { RangeOptions, JobErrors, JobKind, JobStatus, UnseenUrl } from '../../../kernel/job/job.js'
import { EventEmitter } from 'node:events'
import type { JobBudget } from '../../../base/accounting/budget.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import type { SharedJob, StoredJob } from '../../../kernel/ledger/job-store.js'
import type { Counts, Ledger, LedgerRow } from '../../../kernel/ledger/ledger.js'
import type { JobCommand, JobNews, RemoteLedger } from '../../../kernel/ledger/shared-jobs.js'
import type { Document } from '../../../kernel/page/document.js'
import { planResuming, planWaiting } from '../../../kernel/plan/job-methods.js'
import type { RowQuery } from '../../../kernel/plan/row-query.js'
import { urlToString, type UrlLike } from '../../../base/url.js'
import type { Deliveries } from '../../../kernel/job/delivery/deliveries.js'
import { LedgerStream } from '../../../kernel/job/delivery/document-stream.js'
import { deliversOnce, expiryOf, jobNotFound } from '../../../kernel/job/delivery/open-delivery.js'
import type { ElsewhereParts, JobElsewhere } from '../../../kernel/job/registry-options.js'
import type { JobStrategy } from '../../../kernel/job/job-strategy.js'
import type { JobTools } from '../../../kernel/job/job-tools.js'
import { JobLifecycle } from '../../../kernel/job/lifecycle/job-lifecycle.js'
import { describeJob, listErrors } from '../../../kernel/job/lifecycle/status.js'
import { BaseJob } from '../../../kernel/job/handle/base-job.js'
import { explainUrl } from '../../../kernel/job/handle/explain-url.js'
import { listRows } from '../../../kernel/job/handle/list-rows.js'
import { RemoteFollower } from './remote-follower.js'

/** Parts of an engine that a job of another one is used with. */
interface RemoteParts extends ElsewhereParts {
  readonly tools: JobTools
  readonly ledger: Ledger
}

/** Events of a job that another process runs. */
const LISTENED = ['progress', 'finished'] as const

/** A job that another process runs: it is read from the ledger, and controlled by commands to that process. */
export class RemoteJob extends BaseJob implements JobElsewhere {
  readonly url: string
  readonly kind: JobKind
  readonly createdAt: string
  readonly request: object
  readonly #parts: RemoteParts
  readonly stored: StoredJob
  readonly #stream: LedgerStream
  readonly #log: Deliveries | undefined
  #wasRead = false
  readonly #follower: RemoteFollower
  readonly #warnings = new Set<string>()
  protected strategy: JobStrategy
  #generated: string | undefined
  #opening: Promise<RemoteLedger<Document>> | undefined
  #progress = ''
  #toldEnd: number | StoredJob['state'] | undefined
  /** True when the options generated from the prompt are stored. */
  #isGenerated = false

  constructor(stored: StoredJob, parts: RemoteParts) {
    const { id, createdAtMs, generated } = stored
    const { request, strategy } = parts.plan(generated)
    super(id, strategy, parts.tools)
    this.url = parts.tools.jobUrl(stored.kind, id)
    this.kind = strategy.kind
    this.createdAt = new Date(createdAtMs).toISOString()
    this.request = request
    this.#parts = parts
    this.stored = stored
    this.strategy = strategy
    this.#generated = generated
    const { snapshots } = parts.tools
    const { acknowledges } = stored
    const wasRead = (): boolean => this.#wasRead
    this.#log = strategy.crawl?.memory?.follow({ id, snapshots, acknowledges, wasRead, isReported: () => false })
    this.#stream = this.#createStream()
    this.#follower = new RemoteFollower({
      id,
      shared: parts.shared,
      position: () => this.#stream.position,
      isNeeded: () => this.#stream.position !== undefined || LISTENED.some((event) => this.listenerCount(event) > 0),
      hear: (news) => this.#hear(news),
      end: (ended) => void this.#end(ended),
    })
    const follow = (event: unknown): void => {
      if (LISTENED.some((listened) => listened === event)) this.#follower.begin()
    }
    // Events of every emitter, which the types of a job leave out.
    Reflect.apply(EventEmitter.prototype.on, this, ['newListener', follow])
    Reflect.apply(EventEmitter.prototype.on, this, ['removeListener', () => this.#follower.release()])
  }

  async prepared(): Promise<void> {
    if (!this.strategy.crawl?.prompt?.isPending) return
    await this.#follower.until(() => this.#isGenerated)
    await this.#read()
  }

  async status(options: RangeOptions = {}): Promise<JobStatus<Document>> {
    const { stored, isHeld } = await this.#read()
    const { facts } = this.#lifecycleOf(stored)
    const isInterrupted = stored.state === 'scraping' && !isHeld
    const warnings = new Set([...facts.warnings, ...this.#warnings])
    if (isInterrupted) warnings.add('No living engine runs the job: `engine.resume()` of any engine continues it.')
    const job = {
      ...facts,
      url: this.url,
      limit: this.strategy.rules.limit,
      hint: this.strategy.crawl?.hint,
      warnings,
      since: { startedAtMs: stored.createdAtMs, done: 0 },
      expiresAtMs: stored.expiresAtMs ?? facts.expiresAtMs,
    }
    const status = await describeJob(await this.#ledger, job, options, (found) => this.#stream.present(found))
    if (status.status === 'completed' && status.data.length > 0) {
      this.#log?.addGiven(status.data)
      await this.#log?.settle()
    }
    return isInterrupted ? { ...status, interrupted: true } : status
  }

  async errors(): Promise<JobErrors> {
    return listErrors(await this.#ledger, this.id)
  }

  urls(query?: RowQuery): AsyncIterableIterator<LedgerRow> {
    return listRows(query, () => this.#ledger, this.strategy, this.#parts.tools.features.skipReasons)
  }

  async explain(url: UrlLike): Promise<LedgerRow | UnseenUrl | undefined> {
    const job = { strategy: this.strategy, startUrl: this.startUrl }
    return explainUrl(url, await this.#ledger, job, this.#parts.tools)
  }

  override openLedger(): Promise<RemoteLedger<Document>> {
    return this.#ledger
  }

  acknowledge(document: Document | number | string): Promise<void> {
    return this.#stream.acknowledge(document)
  }

  /** @throws TrawlError `BAD_REQUEST` for a job whose documents are not kept */
  [Symbol.asyncIterator](): AsyncIterableIterator<Document> {
    if (deliversOnce(this.strategy, this.stored.acknowledges)) {
      const message = `job ${this.id} keeps no documents (\`retain: false\`): only the engine that runs it delivers them, unless it was started with \`acknowledge: true\``
      throw new TrawlError('BAD_REQUEST', message)
    }
    this.#wasRead = true
    this.#follower.begin()
    const reader = this.#stream.read()
    return {
      next: () => this.#follower.during(() => reader.next()),
      return: async () => (await reader.return?.()) ?? { done: true, value: undefined },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  async append(urls: Iterable<UrlLike>): Promise<void> {
    const given = Array.from(urls, urlToString)
    this.strategy.list?.append(given)
    await this.#send({ name: 'append', urls: given })
  }

  /** Checks URLs and appends them, and adds a warning to the status when that fails. @throws InvalidRequestError */
  appendInBackground(urls: readonly string[]): void {
    this.strategy.list?.append(urls)
    const warn = (error: unknown): unknown => this.#warnings.add(`URLs were not added: ${messageOf(error)}.`)
    this.#send({ name: 'append', urls }).catch(warn)
  }

  async finished(options?: { signal?: AbortSignal }): Promise<JobStatus<Document>> {
    await this.#follower.until(() => false, planWaiting(options))
    return this.status()
  }

  pause(): Promise<JobStatus<Document>> {
    return this.#control({ name: 'pause' }, () => this.status({ limit: 0 }))
  }

  resume(options?: { budget?: JobBudget }): Promise<JobStatus<Document>> {
    const budget = planResuming(options)
    const change = budget === undefined ? {} : { budget: this.#parts.tools.checkBudget(budget) }
    return this.#control({ name: 'resume', ...change }, () => this.status({ limit: 0 }))
  }

  cancel(): Promise<JobStatus<Document>> {
    return this.#control({ name: 'cancel' }, () => this.finished())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel()
  }

  get #ledger(): Promise<RemoteLedger<Document>> {
    if (this.#opening) return this.#opening
    const opening = this.#parts.shared.open<Document>(this.id)
    opening.catch(() => (this.#opening = undefined))
    return (this.#opening = opening)
  }

  #createStream(): LedgerStream {
    return new LedgerStream(
      {
        hasEnded: () => this.#follower.ended !== undefined,
        findFault: () => this.#follower.ended && this.#lifecycleOf(this.#follower.ended).error,
        id: this.id,
        acknowledges: this.stored.acknowledges,
        dropsDocuments: !this.strategy.plan.retain,
        ledger: () => this.#ledger,
        // The engine that runs the job may wait for this reader.
        onEmpty: () => this.#follower.hurry(),
        confirm: () => this.#read(),
        log: this.#log,
      },
      () => this.#follower.release(),
    )
  }

  /** Reads the job. @throws TrawlError `JOB_NOT_FOUND` when it has expired */
  async #read(): Promise<SharedJob> {
    const found = await this.#parts.shared.read(this.id)
    if (!found) throw jobNotFound(expiryOf(this.id))
    const { generated } = found.stored
    if (generated !== this.#generated) {
      this.#generated = generated
      this.strategy = this.#parts.plan(generated).strategy
    }
    return found
  }

  #lifecycleOf(stored: StoredJob): JobLifecycle {
    const { id, createdAtMs, acknowledges } = stored
    const { tools, ledger } = this.#parts
    const origin = { id, createdAtMs, acknowledges, request: this.request, ledger, jobStore: undefined, stored }
    return new JobLifecycle(this.strategy, tools, origin, () => undefined)
  }

  #hear({ delivered, counts, isGenerated }: JobNews): void {
    this.#isGenerated = isGenerated
    this.#stream.resumeFrom(delivered)
    const { done = 0, failed = 0, skipped = 0, queued = 0, active = 0 }: Partial<Counts> = counts ?? {}
    const progress = { completed: done, failed, skipped, queued, active }
    const text = JSON.stringify(progress)
    if (text === this.#progress) return
    this.#progress = text
    this.emitSafely('progress', progress)
  }

  async #end(ended: StoredJob | undefined): Promise<void> {
    this.#stream.wake()
    // Each stop is told once, and the last state.
    const end = ended?.stoppedBy === undefined ? ended?.state : ended.completedAtMs
    if (!ended || end === this.#toldEnd) return
    this.#toldEnd = end
    const status = this.listenerCount('finished') === 0 ? undefined : await this.status().catch(() => undefined)
    if (status) this.emitSafely('finished', status)
  }

  async #send(command: JobCommand): Promise<void> {
    await this.#follower.during(() => this.#parts.shared.send(this.id, command))
  }

  /** Sends a command that does nothing when the job has ended. A rejection that nobody handles does not end the process. */
  #control(command: JobCommand, read: () => Promise<JobStatus<Document>>): Promise<JobStatus<Document>> {
    const control = async (): Promise<JobStatus<Document>> => {
      try {
        await this.#send(command)
      } catch (error) {
        const hasEnded = error instanceof TrawlError && error.code === 'JOB_FINISHED'
        if (!hasEnded || 'budget' in command) throw error
      }
      return read()
    }
    const controlled = control()
    controlled.catch(() => undefined)
    return controlled
  }
}
