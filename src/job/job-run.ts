import type { Document } from '../document.js'
import { TrawlError, toTrawlError } from '../errors.js'
import { untilAborted } from '../fetch/until-aborted.js'
import type { Frontier } from '../frontier/frontier.js'
import type { JobLedger, LedgerRow } from '../ledger/ledger.js'
import { loadCrawlee } from '../frontier/load-crawlee.js'
import { DeliveryDesk, type Desk } from './delivery.js'
import { explainUrl } from './explain-url.js'
import type { Job, JobErrors, JobState, JobStatus, StartResponse, UndeliveredReport, UnseenUrl } from './job.js'
import { JobIdentity } from './job-identity.js'
import { JobLoop } from './job-loop.js'
import type { JobOrigin } from './job-origin.js'
import { JobRecord } from './job-record.js'
import type { JobScript } from './job-script.js'
import type { JobTools } from './job-tools.js'
import { LateUrls } from './late-urls.js'
import { openDesk } from './open-desk.js'
import { Pace } from './pace.js'
import { Receipts } from './receipts.js'
import { refuseRest } from './refuse-rest.js'
import { describeJob, listErrors } from './status.js'
import { Webhook } from './webhook.js'

/** A job: its life from start to end, and the handle that the caller holds. */
export class JobRun extends JobIdentity implements Job<Document> {
  /** What tells others of the job. */
  readonly webhook: Webhook
  readonly #late: LateUrls
  readonly #script: JobScript
  readonly #tools: JobTools
  readonly #origin: JobOrigin
  readonly #abort = new AbortController()
  readonly #ledger: Promise<JobLedger<Document>>
  readonly #receipts: Receipts
  readonly #desk: Desk<Document>
  readonly #ended: Promise<void>
  readonly #pace: Pace
  readonly #wake = (): void => this.#frontier?.wake()
  readonly #record: JobRecord
  /** Whether documents are not to be kept once they were handed out. */
  readonly #forgets: boolean
  #parking: 'drain' | 'drop' | undefined
  /** Set when the job has stopped before its end, for another process to go on. */
  #parked: TrawlError | undefined
  #frontier: Frontier | undefined
  #state: JobState = 'scraping'
  #completedAtMs: number | undefined
  /** From when on this process is at it, and how many pages were done by then. */
  #since: { readonly startedAtMs: number; readonly done: number }
  #error: TrawlError | undefined

  constructor(script: JobScript, tools: JobTools, origin: JobOrigin) {
    super(script, tools, origin)
    const { id, ledger, past, acknowledges } = origin
    this.#script = script
    this.#tools = tools
    this.#origin = origin
    this.#late = new LateUrls(script, this.#wake)
    this.#record = new JobRecord(origin, tools)
    this.#since = { startedAtMs: tools.now(), done: 0 }
    if (past) {
      this.#state = past.state
      this.#completedAtMs = past.completedAtMs
      this.#error = past.error === undefined ? undefined : new TrawlError('UNKNOWN_ERROR', past.error)
    }
    this.#ledger = ledger.open<Document>(id, script.rules)
    const drops = script.forgetsDocuments === true
    const forgets = script.keepsNothing === true || (drops && !acknowledges)
    this.#forgets = forgets
    this.#receipts = new Receipts({ jobId: id, isOn: acknowledges, drops, ledger: this.#ledger })
    const hasEnded = (): boolean => {
      if (this.#parked) throw this.#parked
      return this.#state !== 'scraping'
    }
    const delivering = { ledger: this.#ledger, receipts: this.#receipts, acknowledges, forgets }
    this.#desk = openDesk({ ...delivering, hasEnded, onTaken: this.#wake })
    const reporting = { id, script, tools, ledger: this.#ledger, receipts: this.#receipts, record: this.#record }
    this.webhook = new Webhook({ ...reporting, error: () => this.#error })
    this.#pace = new Pace(tools, script.pace.delayMs, this.#wake)
    this.#ended = this.#state === 'scraping' ? this.#run() : this.#reopen()
  }

  get invalidURLs(): readonly string[] | undefined {
    return this.#late.invalidURLs
  }

  /** Whether it is under way, and nothing has told it to stop. */
  get isRunning(): boolean {
    return this.#state === 'scraping' && !this.#abort.signal.aborted && !this.#parking
  }

  /** Resolves when the job has ended, however it did. */
  get ended(): Promise<void> {
    return this.#ended
  }

  get state(): JobState {
    return this.#state
  }

  /** When the engine may forget the job; undefined while it runs. */
  get expiresAtMs(): number | undefined {
    return this.#completedAtMs === undefined ? undefined : this.#completedAtMs + this.#tools.retentionMs
  }

  async status(options: { skip?: number; limit?: number } = {}): Promise<JobStatus<Document>> {
    const { rules, hint } = this.#script
    const nowMs = this.#tools.now()
    const job = {
      url: this.url,
      state: this.#state,
      limit: rules.limit,
      hint,
      warnings: this.#record.warnings,
      error: this.#error,
      since: this.#since,
      nowMs,
      createdAtMs: this.#origin.createdAtMs,
      completedAtMs: this.#completedAtMs,
      expiresAtMs: this.expiresAtMs ?? nowMs + this.#tools.retentionMs,
    }
    return describeJob(await this.#ledger, job, options, (delivery) => this.#receipts.present(delivery))
  }

  async errors(): Promise<JobErrors> {
    return listErrors(await this.#ledger, this.id)
  }

  async undelivered(options: { skip?: number; limit?: number } = {}): Promise<readonly UndeliveredReport[]> {
    return this.webhook.undelivered(options)
  }

  async explain(url: string): Promise<LedgerRow | UnseenUrl | undefined> {
    return explainUrl(url, await this.#ledger, this.#script, this.#tools)
  }

  async finished({ signal }: { signal?: AbortSignal } = {}): Promise<JobStatus<Document>> {
    signal?.throwIfAborted()
    await (signal ? untilAborted(this.#ended, signal) : this.#ended)
    if (this.#parked) throw this.#parked
    return this.status()
  }

  async cancel(): Promise<JobStatus<Document>> {
    if (this.#state === 'completed' || this.#state === 'failed') {
      throw new TrawlError('JOB_FINISHED', `job ${this.id} is ${this.#state} already and cannot be cancelled`)
    }
    this.stop()
    return this.finished()
  }

  /** Cancels the job, if it still runs, without waiting for its end. */
  stop(): void {
    if (this.#state !== 'scraping' || this.#parked) return
    this.#parking = undefined
    // Also when the process does not live to see its end, the job is not taken up again.
    this.#record.end('cancelled')
    this.#abort.abort(new TrawlError('SCRAPE_JOB_CANCELLED', `job ${this.id} was cancelled`))
    this.#wake()
  }

  /**
   * Stops the job where it is, for another process to go on; one that is not kept beyond the process is cancelled.
   *
   * @param drain whether pages under way come to their end first; otherwise they are fetched once more later
   */
  park(drain: boolean): void {
    if (!this.#origin.shelf) return this.stop()
    if (this.#state !== 'scraping' || this.#abort.signal.aborted) return
    this.#parking = drain ? 'drain' : 'drop'
    if (!drain) this.#abort.abort(new TrawlError('ENGINE_CLOSED', `job ${this.id} was parked`))
    this.#wake()
  }

  async append(urls: readonly string[]): Promise<void> {
    if (this.isRunning) return this.#late.add(urls, this.id)
    throw new TrawlError('JOB_FINISHED', `job ${this.id} has ended: start another batch for these URLs`)
  }

  /** Says with the status what went wrong beside the pages. */
  warn(warning: string): void {
    this.#record.warnings.add(warning)
  }

  acknowledge(document: Document | string): Promise<void> {
    return this.#receipts.acknowledge(document)
  }

  pause(): void {
    this.#pace.pause()
  }

  resume(): void {
    this.#pace.resume()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Document> {
    return this.#desk.read()
  }

  toJSON(): StartResponse {
    const { invalidURLs } = this
    return { success: true, id: this.id, url: this.url, ...(invalidURLs && { invalidURLs: [...invalidURLs] }) }
  }

  async #run(): Promise<void> {
    let loop: JobLoop | undefined
    try {
      const ledger = await this.#ledger
      const { past, shelf } = this.#origin
      if (past) await this.#takeUp(ledger)
      await this.webhook.begin()
      loop = new JobLoop({
        id: this.id,
        script: this.#script,
        tools: this.#tools,
        ledger,
        isResumed: past !== undefined,
        isKept: shelf !== undefined,
        forgets: this.#forgets,
        parking: () => this.#parking,
        pace: this.#pace,
        desk: this.#desk,
        events: this,
        webhook: this.webhook,
        warnings: this.#record.warnings,
        signal: this.#abort.signal,
        appending: () => this.#late.areComing,
        wake: this.#wake,
      })
      await loop.begin()
      this.#late.begin(loop)
      const drive = await loadCrawlee()
      this.#frontier = drive(loop, this.#script.pace.maxConcurrency)
      await this.#frontier.run()
    } catch (error) {
      this.#error = toTrawlError(error)
      this.#abort.abort(this.#error)
    }
    // When it came to nothing, nobody waits for a beginning any more.
    this.#late.begin(loop)
    await loop?.end().catch((error: unknown) => {
      this.#error ??= toTrawlError(error)
    })
    await this.#close(loop)
  }

  /** What is there already came from an earlier process. */
  async #takeUp(ledger: JobLedger<Document>): Promise<void> {
    this.#since = { ...this.#since, done: (await ledger.counts()).done }
    if (this.#desk instanceof DeliveryDesk) this.#desk.goOnFrom(await ledger.delivered())
  }

  async #close(loop: JobLoop | undefined): Promise<void> {
    this.#pace.close()
    if (this.#parking && !this.#error) return this.#leave()
    let state: JobState = this.#error ? 'failed' : this.#abort.signal.aborted ? 'cancelled' : 'completed'
    try {
      await loop?.leaveRest(refuseRest(state, this.#script.rules.limit))
    } catch (error) {
      this.#error ??= toTrawlError(error)
      state = 'failed'
    }
    await loop?.conclude()
    // What a job has learnt of its pages goes with its work.
    this.#frontier = undefined
    this.#completedAtMs = this.#record.end(state, this.#error)
    this.#error ??= this.#record.failure
    this.#state = this.#error ? 'failed' : state
    this.#desk.wake()
    await this.webhook.end(this.#state)
    if (this.listenerCount('finished') > 0) this.tell('finished', await this.status())
  }

  /** The job goes on in another process: here nothing more is to come. */
  async #leave(): Promise<void> {
    await this.webhook.close(this.#parking === 'drain')
    const message = `job ${this.id} was parked when its engine was closed: \`engine.resume()\` of the next one goes on with it`
    this.#parked = new TrawlError('ENGINE_CLOSED', message)
    this.#frontier = undefined
    this.#record.release()
    this.#desk.wake()
  }

  /** A job that has ended in another process; one that was cancelled there may not have come to its end. */
  async #reopen(): Promise<void> {
    try {
      const ledger = await this.#ledger
      await this.#takeUp(ledger)
      const refusal = refuseRest(this.#state, this.#script.rules.limit)
      await ledger.skipQueued(async () => refusal, this.#completedAtMs ?? this.#tools.now())
      if (this.#origin.past?.reports) await this.webhook.goOn(this.#state)
    } catch (error) {
      this.#error ??= toTrawlError(error)
    }
  }
}
