import type { JobBudget } from '../accounting/budget.js'
import type { Document } from '../page/document.js'
import { TrawlError } from '../errors.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import type { UrlLike } from '../url.js'
import type { Frontier } from '../frontier/frontier.js'
import type { JobLedger } from '../ledger/ledger.js'
import { loadCrawlee } from '../frontier/load-crawlee.js'
import { LedgerStream, type DocumentStream } from './delivery/document-stream.js'
import type { Job, JobStatus, UndeliveredReport } from './job.js'
import { JobLifecycle } from './lifecycle/job-lifecycle.js'
import { JobLoop } from './run/job-loop.js'
import type { JobOrigin } from './lifecycle/job-origin.js'
import { JobReader, type Reading } from './handle/job-reader.js'
import type { JobStrategy } from './job-strategy.js'
import type { JobTools } from './job-tools.js'
import { AppendedUrls } from './run/appended-urls.js'
import { openStream } from './delivery/open-stream.js'
import { JobScheduler } from './run/job-scheduler.js'
import type { Acknowledgements } from './delivery/acknowledgements.js'
import { Webhook } from './webhook/webhook.js'

/** A job: its life from start to end, and the handle that the caller holds. */
export class JobRun extends JobReader implements Job<Document> {
  /** What tells others of the job. */
  readonly webhook: Webhook
  readonly #late: AppendedUrls
  readonly #script: JobStrategy
  readonly #tools: JobTools
  readonly #origin: JobOrigin
  readonly #abort = new AbortController()
  readonly #ledger: Promise<JobLedger<Document>>
  readonly #receipts: Acknowledgements
  readonly #desk: DocumentStream<Document>
  #ended: Promise<void>
  readonly #pace: JobScheduler
  readonly #wake = (): void => this.#frontier?.wake()
  readonly #course: JobLifecycle
  /** Whether documents are not to be kept once they were handed out. */
  readonly #forgets: boolean
  #loop: JobLoop | undefined
  /** Whether the engine is being closed. */
  #isClosing = false
  #parking: 'drain' | 'drop' | undefined
  /** What cancelled the job, where that was not its own `cancel()`: the reason of a signal, or the engine's end. */
  #interruption: unknown
  /** Set when the job has stopped before its end, for another process to go on. */
  #parked: TrawlError | undefined
  #frontier: Frontier | undefined

  constructor(script: JobStrategy, tools: JobTools, origin: JobOrigin) {
    super(script, tools, origin)
    const { id, ledger } = origin
    this.#script = script
    this.#tools = tools
    this.#origin = origin
    this.#late = new AppendedUrls(script, this.#wake)
    this.#course = new JobLifecycle(script, tools, origin, this.#wake)
    this.#ledger = ledger.open<Document>(id, script.rules)
    const hasEnded = (): boolean => {
      if (this.#parked) throw this.#parked
      return this.state !== 'scraping'
    }
    const findFault = (): unknown => this.#course.error ?? this.#interruption
    const delivering = { script, origin, ledger: this.#ledger, hasEnded, findFault, wake: this.#wake }
    const { desk, receipts, forgets } = openStream(delivering)
    this.#desk = desk
    this.#receipts = receipts
    this.#forgets = forgets
    const reporting = { id, script, tools, course: this.#course, ledger: this.#ledger, receipts: this.#receipts }
    this.webhook = new Webhook(reporting)
    this.#pace = new JobScheduler(tools, script.pace, this.#wake)
    this.#ended = this.state === 'scraping' ? this.#run() : this.#reopen()
  }

  protected get reading(): Reading {
    return {
      script: this.#script,
      tools: this.#tools,
      ledger: this.#ledger,
      receipts: this.#receipts,
      course: this.#course,
    }
  }

  get invalidURLs(): readonly string[] | undefined {
    return this.#late.invalidURLs
  }

  /** Whether it is under way, and nothing has told it to stop. */
  get isRunning(): boolean {
    return this.state === 'scraping' && !this.#abort.signal.aborted && !this.#parking
  }

  /** Resolves when the job has ended, however it did. */
  get ended(): Promise<void> {
    return this.#ended
  }

  async undelivered(options: { skip?: number; limit?: number } = {}): Promise<readonly UndeliveredReport[]> {
    return this.webhook.undelivered(options)
  }

  async prepared(): Promise<void> {
    await Promise.race([this.#script.promptResolution?.settled, this.#ended])
  }

  async finished({ signal }: { signal?: AbortSignal } = {}): Promise<JobStatus<Document>> {
    signal?.throwIfAborted()
    await (signal ? untilAborted(this.#ended, signal) : this.#ended)
    if (this.#parked) throw this.#parked
    return this.readNow()
  }

  cancel(): Promise<JobStatus<Document>> {
    const closing = this.#cancel()
    // `response.on('close', () => job.cancel())` must not end the process where the job was parked; who awaits it is told.
    closing.catch(() => undefined)
    return closing
  }

  async #cancel(): Promise<JobStatus<Document>> {
    this.#stop()
    return this.finished()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) this.#stop()
    await this.#ended
  }

  /** Cancels the job, if it still runs; who reads its documents is told why. @throws TrawlError `JOB_HELD` */
  async interrupt(reason: unknown): Promise<void> {
    this.#stop(reason)
  }

  #stop(reason?: unknown): void {
    const { isStopped } = this
    if (isStopped) this.#course.revive()
    if (this.state !== 'scraping' || this.#parked) return
    if (!this.#abort.signal.aborted) this.#interruption = reason
    this.#parking = undefined
    // Also when the process does not live to see its end, the job is not taken up again.
    this.#course.record.end('cancelled')
    this.#abort.abort(new TrawlError('SCRAPE_JOB_CANCELLED', `job ${this.id} was cancelled`))
    // What was queued is still to be given up.
    if (isStopped) this.#ended = this.#ended.then(() => this.#run())
    this.#wake()
  }

  /**
   * Stops the job where it is, for another process to go on; one that is not kept beyond the process is cancelled.
   *
   * @param drain whether pages under way come to their end first; otherwise they are fetched once more later
   */
  park(drain: boolean): void {
    this.#isClosing = true
    if (this.isStopped) this.#ended = this.#ended.then(() => this.#loop?.end())
    else if (!this.#origin.shelf) {
      return this.#stop(new TrawlError('ENGINE_CLOSED', `job ${this.id} was cancelled when its engine was closed`))
    }
    if (this.state !== 'scraping' || this.#abort.signal.aborted) return
    this.#parking = drain ? 'drain' : 'drop'
    if (!drain || this.#script.promptResolution?.isOpen)
      this.#abort.abort(new TrawlError('ENGINE_CLOSED', `job ${this.id} was parked`))
    this.#wake()
  }

  async append(urls: Iterable<UrlLike>): Promise<void> {
    if (this.isRunning) return this.#late.add(urls, this.id)
    throw new TrawlError('JOB_FINISHED', `job ${this.id} has ended: start another batch for these URLs`)
  }

  pause(): Promise<JobStatus<Document>> {
    this.#pace.pause()
    return this.readNow()
  }

  resume({ budget }: { budget?: JobBudget | undefined } = {}): Promise<JobStatus<Document>> {
    const { isStopped } = this
    if (this.#isClosing && (isStopped || this.state === 'scraping'))
      throw new TrawlError('ENGINE_CLOSED', `job ${this.id} ended with its engine`)
    this.#course.resume(budget)
    this.#pace.resume()
    this.#loop?.goOn()
    if (isStopped) this.#ended = this.#ended.then(() => this.#run())
    return this.readNow()
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Document> {
    return this.#desk.read()
  }

  async #run(): Promise<void> {
    const known = this.#loop
    const { allowance, record } = this.#course
    let ledger: JobLedger<Document> | undefined
    allowance.begin()
    try {
      ledger = await this.#ledger
      const { past, shelf } = this.#origin
      if (past && !known) await this.#takeUp(ledger)
      await this.webhook.begin()
      const loop = (this.#loop ??= new JobLoop({
        id: this.id,
        script: this.#script,
        tools: this.#tools,
        ledger,
        isResumed: past !== undefined,
        isKept: shelf !== undefined,
        forgets: this.#forgets,
        parking: () => this.#parking,
        pace: this.#pace,
        allowance,
        desk: this.#desk,
        events: this,
        webhook: this.webhook,
        warnings: record.warnings,
        keepOptions: (generated) => record.keepOptions(generated),
        signal: this.#abort.signal,
        appending: () => this.#late.areComing,
        wake: this.#wake,
      }))
      // One that was stopped, and is now cancelled, begins nothing.
      if (!(known ?? past?.stoppedBy) || !this.#abort.signal.aborted) await loop.begin()
      this.#late.begin(loop)
      const drive = await loadCrawlee()
      this.#frontier = drive(loop, this.#script.pace.maxConcurrency)
      await this.#frontier.run()
      if (loop.stoppedBy && !this.#abort.signal.aborted && !this.#parking) {
        this.#halt(ledger)
        this.#course.rest(loop.stoppedBy)
        return await this.#announceEnd()
      }
      const failure = this.isRunning ? await this.#script.findFailure?.(ledger) : undefined
      if (failure) this.#course.fail(failure)
    } catch (error) {
      this.#course.fail(error)
      this.#abort.abort(this.#course.error)
    }
    const loop = this.#loop
    // When it came to nothing, nobody waits for a beginning any more.
    this.#late.begin(loop)
    await loop?.end().catch((error: unknown) => this.#course.fail(error))
    this.#halt(ledger)
    await this.#close(loop)
  }

  /** Stops the clocks, and notes what was taken up. */
  #halt(ledger: JobLedger<Document> | undefined): void {
    this.#pace.close()
    this.#frontier = undefined
    this.#course.halt(ledger)
  }

  /** What is there already came from an earlier process. */
  async #takeUp(ledger: JobLedger<Document>): Promise<void> {
    this.#course.takeUp((await ledger.counts()).done)
    if (this.#desk instanceof LedgerStream) this.#desk.goOnFrom(await ledger.delivered())
  }

  async #close(loop: JobLoop | undefined): Promise<void> {
    const course = this.#course
    if (this.#parking && !course.error) {
      await this.webhook.close(this.#parking === 'drain')
      // It goes on in another process: here nothing more is to come.
      this.#parked = course.leave()
      return this.#desk.wake()
    }
    const isAborted = this.#abort.signal.aborted
    const why = course.explainRest(isAborted, this.#script.rules.limit)
    await loop?.leaveRest(why).catch((error: unknown) => course.fail(error))
    await loop?.conclude()
    // What a job has learnt of its pages goes with its work.
    this.#loop = undefined
    course.end(isAborted)
    await this.#announceEnd()
  }

  async #announceEnd(): Promise<void> {
    this.#desk.wake()
    await this.webhook.end(this.state)
    if (this.listenerCount('finished') > 0) this.tell('finished', await this.status())
  }

  /** A job that has ended in another process; one that was cancelled there may not have come to its end. */
  async #reopen(): Promise<void> {
    // As it was left: it may be gone on with before the ledger is open.
    const { isStopped } = this
    try {
      const ledger = await this.#ledger
      await this.#takeUp(ledger)
      if (!isStopped) await this.#course.leaveRest(ledger)
      if (this.#origin.past?.reports) await this.webhook.goOn(this.state)
    } catch (error) {
      this.#course.fail(error)
    }
  }
}
