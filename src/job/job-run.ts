import type { Document } from '../document.js'
import { TrawlError, toTrawlError } from '../errors.js'
import type { Frontier } from '../frontier/frontier.js'
import type { JobLedger, LedgerRow } from '../ledger/ledger.js'
import { loadCrawlee } from '../frontier/load-crawlee.js'
import { DeliveryDesk, type Desk } from './delivery.js'
import type { Job, JobErrors, JobKind, JobState, JobStatus, StartResponse, UnseenUrl } from './job.js'
import { JobEmitter } from './job-emitter.js'
import { JobLoop } from './job-loop.js'
import type { JobScript } from './job-script.js'
import type { JobTools } from './job-tools.js'
import { OnceDesk } from './once-desk.js'
import { Pace } from './pace.js'
import { describeJob, listErrors } from './status.js'
import { withScheme } from '../url.js'
import { makeUuid } from '../uuid.js'

/** A job: its life from start to end, and the handle that the caller holds. */
export class JobRun extends JobEmitter<Document> implements Job<Document> {
  readonly id: string
  readonly url: string
  readonly kind: JobKind
  readonly invalidURLs: readonly string[] | undefined
  readonly #script: JobScript
  readonly #tools: JobTools
  readonly #createdAtMs: number
  readonly #abort = new AbortController()
  readonly #ledger: Promise<JobLedger<Document>>
  readonly #desk: Desk<Document>
  readonly #ended: Promise<void>
  readonly #pace: Pace
  readonly #wake = (): void => this.#frontier?.wake()
  readonly #warnings = new Set<string>()
  #frontier: Frontier | undefined
  #state: JobState = 'scraping'
  #completedAtMs: number | undefined
  #error: TrawlError | undefined

  constructor(script: JobScript, tools: JobTools) {
    super()
    this.#script = script
    this.#tools = tools
    this.#createdAtMs = tools.now()
    this.id = makeUuid(this.#createdAtMs)
    this.kind = script.kind
    this.invalidURLs = script.startFields.invalidURLs
    this.url = tools.jobUrl(script.kind, this.id)
    this.#ledger = tools.ledger.open<Document>(this.id, script.rules)
    const hasEnded = (): boolean => this.#state !== 'scraping'
    this.#desk = script.keepsNothing
      ? new OnceDesk(hasEnded, this.#wake)
      : new DeliveryDesk(
          { completed: async (from, limit) => (await this.#ledger).completed(from, limit), hasEnded },
          this.#wake,
        )
    this.#pace = new Pace(tools, script.pace.delayMs, this.#wake)
    this.#ended = this.#run()
  }

  /** Resolves when the job has ended, however it did. */
  get ended(): Promise<void> {
    return this.#ended
  }

  get state(): JobState {
    return this.#state
  }

  /** Whether a later crawl can go by what this job leaves. */
  get leavesRecord(): boolean {
    return this.#script.leavesRecord === true
  }

  /** When the engine may forget the job; undefined while it runs. */
  get expiresAtMs(): number | undefined {
    return this.#completedAtMs === undefined ? undefined : this.#completedAtMs + this.#tools.retentionMs
  }

  async status(options: { skip?: number; limit?: number } = {}): Promise<JobStatus<Document>> {
    const { rules, hint } = this.#script
    const times = { createdAtMs: this.#createdAtMs, completedAtMs: this.#completedAtMs }
    const expiresAtMs = this.expiresAtMs ?? this.#tools.now() + this.#tools.retentionMs
    const job = {
      url: this.url,
      state: this.#state,
      limit: rules.limit,
      hint,
      warnings: this.#warnings,
      error: this.#error,
      ...times,
      expiresAtMs,
    }
    return describeJob(await this.#ledger, job, options)
  }

  async errors(): Promise<JobErrors> {
    return listErrors(await this.#ledger, this.id)
  }

  async explain(url: string): Promise<LedgerRow | UnseenUrl | undefined> {
    const spelt = withScheme(url)
    if (!URL.canParse(spelt)) return undefined
    const asked = new URL(spelt)
    const row = await (await this.#ledger).row(this.#script.keyOf(asked))
    // A copy: the ledger's own row goes on, and is nobody's to change.
    if (row) return { ...row }
    const refusal = await this.#script.judge?.(asked, this.#tools.robots)
    return refusal ? { outcome: 'unseen', url, refusal } : { outcome: 'unseen', url }
  }

  async finished({ signal }: { signal?: AbortSignal } = {}): Promise<JobStatus<Document>> {
    signal?.throwIfAborted()
    if (!signal) await this.#ended
    else {
      let onAbort = (): void => undefined
      const aborted = new Promise<never>((_resolve, reject) => {
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
      })
      await Promise.race([this.#ended, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
    }
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
    if (this.#state !== 'scraping') return
    this.#abort.abort(new TrawlError('SCRAPE_JOB_CANCELLED', `job ${this.id} was cancelled`))
    this.#wake()
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
    return { success: true, id: this.id, url: this.url, ...this.#script.startFields }
  }

  async #run(): Promise<void> {
    let loop: JobLoop | undefined
    try {
      loop = new JobLoop({
        id: this.id,
        script: this.#script,
        tools: this.#tools,
        ledger: await this.#ledger,
        pace: this.#pace,
        desk: this.#desk,
        events: this,
        warnings: this.#warnings,
        signal: this.#abort.signal,
        wake: this.#wake,
      })
      await loop.begin()
      const drive = await loadCrawlee()
      this.#frontier = drive(loop, this.#script.pace.maxConcurrency)
      await this.#frontier.run()
    } catch (error) {
      this.#error = toTrawlError(error)
      this.#abort.abort(this.#error)
    }
    await loop?.end().catch((error: unknown) => {
      this.#error ??= toTrawlError(error)
    })
    await this.#close(loop)
  }

  async #close(loop: JobLoop | undefined): Promise<void> {
    this.#pace.close()
    let state: JobState = this.#error ? 'failed' : this.#abort.signal.aborted ? 'cancelled' : 'completed'
    const reason = state === 'completed' ? 'LIMIT' : 'CANCELLED'
    const message =
      state === 'completed' ? `\`limit\` of ${this.#script.rules.limit} was reached` : `the job was ${state}`
    try {
      await loop?.leaveRest({ reason, message })
    } catch (error) {
      this.#error ??= toTrawlError(error)
      state = 'failed'
    }
    await loop?.conclude()
    // What a job has learnt of its pages goes with its work.
    this.#frontier = undefined
    this.#completedAtMs = this.#tools.now()
    this.#state = state
    this.#desk.wake()
    if (this.listenerCount('finished') > 0) this.tell('finished', await this.status())
  }
}
