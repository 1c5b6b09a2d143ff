import type { RangeOptions } from '../../kernel/job/range-options.js'
import type { Document } from '../../kernel/page/document.js'
import { toTrawlError } from '../../base/errors.js'
import type { Ending, JobLedger, LedgerRow } from '../../kernel/ledger/ledger.js'
import { MAX_REPORT_WAIT_MS, type Outbox, type WebhookReport, type ReportEvent } from '../../kernel/ledger/outbox.js'
import type { WebhookPlan } from '../../kernel/plan/job-plan.js'
import { PendingReportDocuments } from './pending-report-documents.js'
import type { JobState, UndeliveredReport } from '../../kernel/job/job.js'
import type { JobLifecycle } from '../../kernel/job/lifecycle/job-lifecycle.js'
import type { JobRecord } from '../../kernel/job/lifecycle/job-record.js'
import type { JobStrategy } from '../../kernel/job/job-strategy.js'
import type { JobTools } from '../../kernel/job/job-tools.js'
import type { Acknowledgements } from '../../kernel/job/delivery/acknowledgements.js'
import { isDenial } from '../../kernel/job/lifecycle/status.js'
import { listUndelivered } from './list-undelivered.js'
import { type ReportContext, writeReport } from './write-report.js'

/** Parts of a job that its webhook reports on. */
interface WebhookReporterOptions {
  readonly id: string
  readonly strategy: Pick<JobStrategy, 'kind' | 'webhook' | 'zeroDataRetention' | 'dropsDocuments'>
  readonly tools: Pick<JobTools, 'now' | 'postReport' | 'setTimer'>
  readonly ledger: Promise<JobLedger<Document>>
  readonly acknowledgements: Pick<Acknowledgements, 'present'>
  /** Called when nothing is left to send. */
  onSettled(): void
  /** State of the job. */
  readonly lifecycle: Pick<JobLifecycle, 'error' | 'stoppedBy'> & {
    readonly record: Pick<JobRecord, 'warnings' | 'markReported' | 'release'>
  }
}

/** Delays before the second, third and fourth attempt at a report. Milliseconds. @see docs/compatibility.md#webhooks */
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000]
/** Reports of one job that are sent at once. */
const MAX_CONCURRENCY = 4
/** Poll interval, because an injected clock may jump. */
const POLL_MS = 1000
/** Longest time that closing waits for due reports. */
const DRAIN_TIMEOUT_MS = 10_000

const GIVEN_UP = 'Reports to the webhook could not be delivered: see `job.undelivered()`.'

/**
 * Sends reports about a job to its webhook. Reports are recorded in the ledger first and sent in the background; the
 * job never waits for
 * them.
 */
export class WebhookReporter {
  readonly #job: WebhookReporterOptions
  readonly #plan: WebhookPlan | undefined
  readonly #pending = new PendingReportDocuments()
  readonly #stop = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #outbox: Outbox | undefined
  #reporting: ReportContext | undefined
  #hasEnded = false
  #isSettled = false
  #sending: Promise<void> | undefined
  #isFlushRequested = false
  #cancelTimer: (() => void) | undefined

  constructor(job: WebhookReporterOptions) {
    this.#job = job
    this.#plan = job.strategy.webhook
  }

  /** True when the webhook receives each document. */
  get reportsPages(): boolean {
    return this.#wants('page')
  }

  /** True when nothing is left to send, now or later. */
  get isOver(): boolean {
    return !this.#plan || (this.#underWay.size === 0 && (this.#isSettled || this.#stop.signal.aborted))
  }

  /** Starts sending. Must be awaited before anything else happens in the job. */
  async begin(): Promise<void> {
    if (!this.#plan) return
    await this.#open()
    await this.#post('started')
    this.flush()
  }

  /**
   * Reports the end of the job, after its status was set. An error becomes a warning of the job. The end of a stopped
   * job is reported
   * later, when it has been resumed and ends.
   */
  async end(event: JobState): Promise<void> {
    if (!this.#plan || event === 'scraping') return
    if (this.#job.lifecycle.stoppedBy) return this.flush()
    try {
      await this.#open()
      await this.#post(event)
      this.#hasEnded = true
      this.flush()
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Sends the reports that an earlier process left for an ended job. `started` is posted again, and ignored if it was
   * before.
   */
  async resume(event: JobState): Promise<void> {
    await this.begin()
    await this.end(event)
  }

  /** Time from which the report of a page is due; undefined when pages are not reported. */
  get pageReportAtMs(): number | undefined {
    return this.reportsPages ? this.#job.tools.now() : undefined
  }

  /**
   * Time from which the report of a row's ending is due: of a document, or of an entry of `job.errors()` (a failed
   * page, or one that was fetched and then refused); undefined for any other row.
   */
  endingReportAtMs({ linksOnly }: LedgerRow, ending: Ending<Document>, isTried: boolean): number | undefined {
    const isPage = ending.outcome !== 'skipped' || (isTried && isDenial(ending.refusal, linksOnly))
    return isPage ? this.pageReportAtMs : undefined
  }

  /** Holds documents that the ledger does not keep until they are reported. */
  holdDocuments(key: string, ending: Ending<Document>): void {
    const { zeroDataRetention = false, dropsDocuments = false } = this.#job.strategy
    if (!this.reportsPages || ending.outcome !== 'done' || !(zeroDataRetention || dropsDocuments)) return
    this.#pending.add(key, ending.documents, ending.bytes)
  }

  /** Sends all due reports. */
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

  /**
   * Stops sending. Resolves when no report is being sent.
   *
   * @param drain sends due reports first, for ten seconds at most
   */
  async close(drain: boolean): Promise<void> {
    if (drain) await this.#drain()
    this.#stop.abort(new Error('the webhook was closed'))
    this.#cancelTimer?.()
    await this.#sending
    await Promise.all(this.#underWay)
    this.#pending.clear()
  }

  /** @throws InvalidRequestError */
  async undelivered(range: RangeOptions): Promise<readonly UndeliveredReport[]> {
    const { id, strategy } = this.#job
    return listUndelivered(range, { id, kind: strategy.kind }, await this.#job.ledger)
  }

  async #post(event: Exclude<ReportEvent, 'page'>): Promise<void> {
    if (this.#wants(event)) await this.#outbox?.post(event, this.#job.tools.now())
  }

  #wants(event: ReportEvent): boolean {
    return this.#plan?.events.includes(event) ?? false
  }

  async #open(): Promise<void> {
    const { id, strategy, acknowledgements, lifecycle } = this.#job
    const ledger = await this.#job.ledger
    this.#reporting ??= {
      id,
      kind: strategy.kind,
      metadata: this.#plan?.metadata ?? {},
      ledger,
      error: () => lifecycle.error?.message,
      present: (delivery) => acknowledgements.present(delivery),
      findPending: (page) => this.#pending.find(page),
    }
    this.#outbox ??= ledger.outbox
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
    const waitMs = atMs - this.#job.tools.now()
    return waitMs <= 0 || waitMs > MAX_REPORT_WAIT_MS
  }

  get #hasRoom(): boolean {
    return this.#underWay.size < MAX_CONCURRENCY
  }

  /** Waits until the next report is due. @param nextAtMs undefined when none is left */
  #awaitNext(nextAtMs: number | undefined): void {
    const { now, setTimer } = this.#job.tools
    if (nextAtMs !== undefined && this.#hasRoom) {
      this.#cancelTimer = setTimer(Math.max(0, Math.min(nextAtMs - now(), POLL_MS)), () => this.flush())
    } else if (nextAtMs === undefined && this.#underWay.size === 0) {
      this.#release()
    }
  }

  /** Releases the job in the job store when no report is left to send, for now or for good. */
  #release(): void {
    const { record, stoppedBy } = this.#job.lifecycle
    if (stoppedBy) return record.release()
    if (!this.#hasEnded || this.#isSettled) return
    this.#isSettled = true
    record.markReported()
    this.#job.onSettled()
  }

  async #send(report: WebhookReport, outbox: Outbox): Promise<void> {
    const { tools } = this.#job
    const { number, attempts, page } = report
    if (!this.#plan || !this.#reporting) return
    const { url, headers } = this.#plan
    let fault: string | undefined
    try {
      const body = await writeReport(report, this.#reporting)
      fault = await tools.postReport({ url, headers, body }, this.#stop.signal)
    } catch (error) {
      if (this.#stop.signal.aborted) return outbox.putBack(number)
      fault = toTrawlError(error).message
    }
    const retryMs = RETRY_DELAYS_MS[attempts]
    if (fault === undefined) await outbox.delivered(number)
    else await outbox.failed(number, fault, retryMs === undefined ? undefined : tools.now() + retryMs)
    if (fault !== undefined && retryMs !== undefined) return
    if (page) this.#pending.remove(page)
    if (fault !== undefined) this.#job.lifecycle.record.warnings.add(GIVEN_UP)
  }

  async #drain(): Promise<void> {
    const { tools } = this.#job
    const isIdle = async (): Promise<boolean> => {
      // A report that is leased is under way soon.
      await this.#sending
      return this.#underWay.size === 0 && !this.#isDue(await this.#outbox?.nextAtMs())
    }
    const cancelTimeout = tools.setTimer(DRAIN_TIMEOUT_MS, () => this.#stop.abort(new Error('the webhook was closed')))
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
    this.#job.lifecycle.record.warnings.add(
      `Reports to the webhook are no longer sent: ${toTrawlError(error).message}.`,
    )
  }
}
