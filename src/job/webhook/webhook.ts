import type { Document } from '../../page/document.js'
import { toTrawlError } from '../../errors.js'
import type { Ending, JobLedger, LedgerRow } from '../../ledger/ledger.js'
import type { Outbox, WebhookReport, ReportEvent } from '../../ledger/outbox.js'
import type { WebhookPlan } from '../../plan/crawl-plan.js'
import { PendingReportDocuments } from './pending-report-documents.js'
import type { JobState, UndeliveredReport } from '../job.js'
import type { JobLifecycle } from '../lifecycle/job-lifecycle.js'
import type { JobRecord } from '../lifecycle/job-record.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { Acknowledgements } from '../delivery/acknowledgements.js'
import { checkRange, isDenial } from '../lifecycle/status.js'
import { findSource, type ReportContext, reportTypeOf, webhookIdOf, writeReport } from './write-report.js'

/** What a webhook has of its job. */
export interface WebhookOptions {
  readonly id: string
  readonly strategy: Pick<JobStrategy, 'kind' | 'webhook' | 'keepsNothing' | 'forgetsDocuments'>
  readonly tools: Pick<JobTools, 'now' | 'postReport' | 'setTimer'>
  readonly ledger: Promise<JobLedger<Document>>
  readonly acknowledgements: Pick<Acknowledgements, 'present'>
  /** Where the job stands. */
  readonly lifecycle: Pick<JobLifecycle, 'error' | 'stoppedBy'> & {
    readonly record: Pick<JobRecord, 'warnings' | 'markReported' | 'release'>
  }
}

/** When a report that was not taken is sent again, after each try. @see docs/compatibility.md#webhooks */
const RETRY_MS = [60_000, 300_000, 900_000]
/** Reports of one job on their way at once. */
const AT_ONCE = 4
/** A clock may be set, or be a test's own: what waits for it is looked at so often. */
const LOOK_MS = 1000
/** How long a job that is closed may take to send what is due. */
const DRAIN_MS = 10_000

const GIVEN_UP = 'Reports to the webhook could not be delivered: see `job.undelivered()`.'

/**
 * Tells a job's webhook what happens in it. What is to be told stands in the ledger first, and is sent beside the job, which
 * never waits for it.
 */
export class Webhook {
  readonly #job: WebhookOptions
  readonly #plan: WebhookPlan | undefined
  readonly #held = new PendingReportDocuments()
  readonly #stop = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #outbox: Outbox | undefined
  #reporting: ReportContext | undefined
  #hasEnded = false
  #isSettled = false
  #looking: Promise<void> | undefined
  #isAskedAgain = false
  #silence: (() => void) | undefined

  constructor(job: WebhookOptions) {
    this.#job = job
    this.#plan = job.strategy.webhook
  }

  /** Whether each document is told, so that this is a delivery. */
  get reportsPages(): boolean {
    return this.#wants('page')
  }

  /** Begins to send; to be awaited before anything else happens in the job. */
  async begin(): Promise<void> {
    if (!this.#plan) return
    await this.#open()
    if (this.#wants('started')) await this.#outbox?.post('started', this.#job.tools.now())
    this.flush()
  }

  /**
   * The job has ended: its status says so already. What goes wrong becomes a warning of it. One that was stopped can be gone on
   * with: its end is told when it comes to it.
   */
  async end(event: JobState): Promise<void> {
    if (!this.#plan || event === 'scraping') return
    if (this.#job.lifecycle.stoppedBy) return this.flush()
    try {
      await this.#open()
      if (this.#wants(event)) await this.#outbox?.post(event, this.#job.tools.now())
      this.#hasEnded = true
      this.flush()
    } catch (error) {
      this.#give(error)
    }
  }

  /** Goes on with what an earlier process has left to tell of a job that has ended. */
  async resume(event: JobState): Promise<void> {
    await this.begin()
    await this.end(event)
  }

  /** From when on pages are reported; undefined when they are not. */
  get pageReportAtMs(): number | undefined {
    return this.reportsPages ? this.#job.tools.now() : undefined
  }

  /** From when on the end of a row is reported: with what it gave, or as one of `job.errors()`; undefined when it is not. */
  endingReportAtMs({ linksOnly }: LedgerRow, ending: Ending<Document>, isTried: boolean): number | undefined {
    const isPage = ending.outcome !== 'skipped' || (isTried && isDenial(ending.refusal, linksOnly))
    return isPage ? this.pageReportAtMs : undefined
  }

  /** Takes documents in that the ledger is not given, or may lose before they are reported. */
  holdDocuments(key: string, ending: Ending<Document>): void {
    const { keepsNothing = false, forgetsDocuments = false } = this.#job.strategy
    if (!this.reportsPages || ending.outcome !== 'done' || !(keepsNothing || forgetsDocuments)) return
    this.#held.add(key, ending.documents, ending.bytes)
  }

  /** Sends what is due. */
  flush(): void {
    if (!this.#outbox || this.#stop.signal.aborted) return
    if (this.#looking) {
      this.#isAskedAgain = true
      return
    }
    this.#silence?.()
    this.#looking = this.#sendDue(this.#outbox)
      .catch((error: unknown) => this.#give(error))
      .finally(() => {
        this.#looking = undefined
        if (this.#isAskedAgain) this.flush()
      })
  }

  /**
   * Stops sending; resolves when nothing is under way.
   *
   * @param drain whether what is due is sent first, for ten seconds at most
   */
  async close(drain: boolean): Promise<void> {
    if (drain) await this.#drain()
    this.#stop.abort(new Error('the webhook was closed'))
    this.#silence?.()
    await this.#looking
    await Promise.all(this.#underWay)
    this.#held.clear()
  }

  /** @throws InvalidRequestError */
  async undelivered(range: { skip?: number; limit?: number }): Promise<readonly UndeliveredReport[]> {
    const { id, strategy } = this.#job
    const ledger = await this.#job.ledger
    const reports = await ledger.outbox.undelivered(checkRange(range))
    return Promise.all(
      reports.map(async (report) => {
        const { event, page, attempts, error, dueAtMs } = report
        const url = page && (await findSource(page, ledger))
        return {
          webhookId: webhookIdOf(id, report),
          type: reportTypeOf(strategy.kind, event),
          ...(url !== undefined && { url }),
          attempts,
          ...(error !== undefined && { error }),
          ...(dueAtMs !== undefined && { nextAttemptAt: new Date(dueAtMs).toISOString() }),
        }
      }),
    )
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
      findPending: (page) => this.#held.find(page),
    }
    this.#outbox ??= ledger.outbox
  }

  async #sendDue(outbox: Outbox): Promise<void> {
    const { now, setTimer } = this.#job.tools
    for (;;) {
      this.#isAskedAgain = false
      const report = this.#underWay.size < AT_ONCE ? await outbox.lease(now()) : undefined
      if (report && this.#stop.signal.aborted) return outbox.putBack(report.number)
      if (!report) break
      const sending = this.#send(report, outbox)
        .catch((error: unknown) => this.#give(error))
        .finally(() => {
          this.#underWay.delete(sending)
          this.flush()
        })
      this.#underWay.add(sending)
    }
    const nextAtMs = await outbox.nextAtMs()
    if (this.#stop.signal.aborted) return
    if (nextAtMs !== undefined && this.#underWay.size < AT_ONCE) {
      this.#silence = setTimer(Math.max(0, Math.min(nextAtMs - now(), LOOK_MS)), () => this.flush())
    } else if (nextAtMs === undefined && this.#underWay.size === 0) {
      this.#leave()
    }
  }

  /** Nothing is left to send, for the time being or for good: then the job need not be this process's any more. */
  #leave(): void {
    const { record, stoppedBy } = this.#job.lifecycle
    if (stoppedBy) return record.release()
    if (!this.#hasEnded || this.#isSettled) return
    this.#isSettled = true
    record.markReported()
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
    const retryMs = RETRY_MS[attempts]
    if (fault === undefined) await outbox.delivered(number)
    else await outbox.failed(number, fault, retryMs === undefined ? undefined : tools.now() + retryMs)
    if (fault !== undefined && retryMs !== undefined) return
    if (page) this.#held.remove(page)
    if (fault !== undefined) this.#job.lifecycle.record.warnings.add(GIVEN_UP)
  }

  async #drain(): Promise<void> {
    const { tools } = this.#job
    const isIdle = async (): Promise<boolean> =>
      this.#underWay.size === 0 && ((await this.#outbox?.nextAtMs()) ?? Infinity) > tools.now()
    const silence = tools.setTimer(DRAIN_MS, () => this.#stop.abort(new Error('the webhook was closed')))
    while (!this.#stop.signal.aborted && !(await isIdle())) {
      this.flush()
      await this.#looking
      if (this.#underWay.size > 0) await Promise.race(this.#underWay)
    }
    silence()
  }

  /** The ledger does not take or give reports any more: nothing more is sent. */
  #give(error: unknown): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort(error)
    this.#job.lifecycle.record.warnings.add(
      `Reports to the webhook are no longer sent: ${toTrawlError(error).message}.`,
    )
  }
}
