import { toTrawlError } from '../../base/errors.js'
import type { ReportPoster } from '../../base/http/post-report.js'
import type { EndState, JobReporter, ReporterJob } from '../../kernel/job/job-reporter.js'
import type { JobTools } from '../../kernel/job/job-tools.js'
import { isDenial } from '../../kernel/job/lifecycle/status.js'
import type { Ending, LedgerRow } from '../../kernel/ledger/ledger.js'
import { type JobReport, MAX_REPORT_WAIT_MS, type Outbox, type ReportEvent } from '../../kernel/ledger/outbox.js'
import type { Document } from '../../kernel/page/document.js'
import { PendingReportDocuments } from './pending-report-documents.js'
import type { WebhookPlan } from './webhook-options.js'
import { NAME, type ReportContext, writeReport } from './write-report.js'

/** Services of an engine for its webhooks. */
interface WebhookTools {
  readonly now: JobTools['now']
  readonly setTimer: JobTools['setTimer']
  readonly post: ReportPoster['post']
}

/** Delays before the second, third and fourth attempt at a report. Milliseconds. @see docs/compatibility/jobs.md#webhooks */
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000]
/** Reports of one job that are sent at once. */
const MAX_CONCURRENCY = 4
/** Poll interval, because an injected clock may jump. */
const POLL_MS = 1000
/** Longest time that closing waits for due reports. */
const DRAIN_TIMEOUT_MS = 10_000

const GIVEN_UP = 'Reports to the webhook could not be delivered: see `job.undelivered()`.'

/** Sends reports about a job to its webhook. */
export class WebhookReporter implements JobReporter {
  readonly #job: ReporterJob<WebhookPlan>
  readonly #tools: WebhookTools
  readonly #plan: WebhookPlan
  readonly #pending = new PendingReportDocuments()
  readonly #stop = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #outbox: Outbox | undefined
  #reporting: ReportContext | undefined
  /** State of the job. The end of one that has ended is in the outbox. */
  #state: 'running' | 'stopped' | 'ended' = 'running'
  #sending: Promise<void> | undefined
  #isFlushRequested = false
  #cancelTimer: (() => void) | undefined

  constructor(job: ReporterJob<WebhookPlan>, tools: WebhookTools) {
    this.#job = job
    this.#tools = tools
    this.#plan = job.slice
  }

  get reportsPages(): boolean {
    return this.#wants('page')
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted && this.#underWay.size === 0
  }

  async begin(): Promise<void> {
    this.#state = 'running'
    await this.#open()
    await this.#post('started')
    this.flush()
  }

  note(event: 'paused'): void {
    this.#post(event).then(
      () => this.flush(),
      (error: unknown) => this.#fail(error),
    )
  }

  async end(state: EndState): Promise<void> {
    try {
      await this.#open()
      await this.#post(state)
      this.#state = 'ended'
      this.flush()
    } catch (error) {
      this.#fail(error)
    }
  }

  stop(): void {
    this.#state = 'stopped'
    this.flush()
  }

  /** Reports each document, and each entry of `job.errors()`: a failed page, or one that was fetched and then refused. */
  take({ key, linksOnly }: LedgerRow, ending: Ending<Document>, isTried: boolean): boolean {
    if (!this.reportsPages) return false
    if (ending.outcome === 'skipped') return isTried && isDenial(ending.refusal, linksOnly)
    if (ending.outcome === 'done' && this.#job.dropsDocuments) this.#pending.add(key, ending.documents, ending.bytes)
    return true
  }

  flush(): void {
    if (!this.#outbox || this.#stop.signal.aborted) return
    if (this.#sending) {
      this.#isFlushRequested = true
      return
    }
    this.#cancelTimer?.()
    this.#sending = this.#sendDue(this.#outbox)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#sending = undefined
        if (this.#isFlushRequested) this.flush()
      })
  }

  async close(drain: boolean): Promise<void> {
    if (drain) await this.#drain()
    this.#stop.abort(new Error('the webhook was closed'))
    this.#cancelTimer?.()
    await this.#sending
    await Promise.all(this.#underWay)
    this.#pending.clear()
  }

  async #post(event: Exclude<ReportEvent, 'page'>): Promise<void> {
    if (this.#wants(event)) await this.#outbox?.post(event, this.#tools.now())
  }

  #wants(event: ReportEvent): boolean {
    return this.#plan.events.includes(event)
  }

  async #open(): Promise<void> {
    const { id, kind, present, error } = this.#job
    const ledger = await this.#job.ledger
    this.#reporting ??= {
      id,
      kind,
      metadata: this.#plan.metadata,
      ledger,
      error,
      present,
      findPending: (page) => this.#pending.find(page),
    }
    this.#outbox ??= ledger.outbox(NAME)
  }

  async #sendDue(outbox: Outbox): Promise<void> {
    for (;;) {
      this.#isFlushRequested = false
      const nextAtMs = await outbox.nextAtMs()
      if (this.#stop.signal.aborted) return
      const report = this.#isDue(nextAtMs) && this.#hasRoom ? await outbox.lease(nextAtMs) : undefined
      if (report && this.#stop.signal.aborted) return outbox.putBack(report.number)
      if (!report) return this.#awaitNext(nextAtMs)
      const sending = this.#send(report, outbox)
        .catch((error: unknown) => this.#fail(error))
        .finally(() => {
          this.#underWay.delete(sending)
          this.flush()
        })
      this.#underWay.add(sending)
    }
  }

  /** Tests for a time that has come, or that was set before the clock was set back. */
  #isDue(atMs: number | undefined): atMs is number {
    if (atMs === undefined) return false
    const waitMs = atMs - this.#tools.now()
    return waitMs <= 0 || waitMs > MAX_REPORT_WAIT_MS
  }

  get #hasRoom(): boolean {
    return this.#underWay.size < MAX_CONCURRENCY
  }

  /** Waits until the next report is due. @param nextAtMs undefined when none is left */
  #awaitNext(nextAtMs: number | undefined): void {
    const { now, setTimer } = this.#tools
    if (nextAtMs !== undefined && this.#hasRoom) {
      this.#cancelTimer = setTimer(Math.max(0, Math.min(nextAtMs - now(), POLL_MS)), () => this.flush())
    } else if (nextAtMs === undefined && this.#underWay.size === 0 && this.#state !== 'running') {
      this.#job.settle()
    }
  }

  async #send(report: JobReport, outbox: Outbox): Promise<void> {
    const { number, attempts, page } = report
    if (!this.#reporting) return
    const { url, headers } = this.#plan
    let fault: string | undefined
    try {
      const body = await writeReport(report, this.#reporting)
      fault = await this.#tools.post({ url, headers, body }, this.#stop.signal)
    } catch (error) {
      if (this.#stop.signal.aborted) return outbox.putBack(number)
      fault = toTrawlError(error).message
    }
    const retryMs = RETRY_DELAYS_MS[attempts]
    if (fault === undefined && page) this.#job.delivered(page.key)
    if (fault === undefined) await outbox.delivered(number)
    else await outbox.failed(number, fault, retryMs === undefined ? undefined : this.#tools.now() + retryMs)
    if (fault !== undefined && retryMs !== undefined) return
    if (page) this.#pending.remove(page)
    if (fault !== undefined) this.#job.warn(GIVEN_UP)
  }

  async #drain(): Promise<void> {
    const isIdle = async (): Promise<boolean> => {
      // A report that is leased is under way soon.
      await this.#sending
      return this.#underWay.size === 0 && !this.#isDue(await this.#outbox?.nextAtMs())
    }
    const cancelTimeout = this.#tools.setTimer(DRAIN_TIMEOUT_MS, () =>
      this.#stop.abort(new Error('the webhook was closed')),
    )
    while (!this.#stop.signal.aborted && !(await isIdle())) {
      this.flush()
      await this.#sending
      if (this.#underWay.size > 0) await Promise.race(this.#underWay)
    }
    cancelTimeout()
  }

  /** Stops sending because the ledger failed to read or write reports. */
  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort(error)
    this.#job.warn(`Reports to the webhook are no longer sent: ${toTrawlError(error).message}.`)
  }
}
