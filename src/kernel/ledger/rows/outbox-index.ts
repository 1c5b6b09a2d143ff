import type { Mutable } from '../../../base/collections/mutable.js'
import type { LedgerRow } from '../ledger.js'
import {
  type JobReport,
  type Outbox,
  REPORT_MOMENTS,
  type ReportedPage,
  type ReportEvent,
  type ReportMoment,
  type RowReports,
} from '../outbox.js'
import { PriorityQueue } from '../../../base/collections/priority-queue.js'

/** A report in the index, mutable. */
export type IndexedReport = Mutable<JobReport>

/** Durable storage for the reports of a job. */
interface ReportStorage {
  /** Saves a new or changed report. It need not be durable before `flush` resolves. */
  save(report: IndexedReport, isDelivered: boolean): void
  /** Resolves when everything saved so far is durable. */
  flush(): Promise<void>
}

const NO_STORAGE: ReportStorage = { save: () => undefined, flush: async () => undefined }

/** The outboxes of one job in memory, one for each feature that reports. Ledgers share it, whatever their storage. */
export class OutboxIndex {
  readonly #storage: ReportStorage
  readonly #queues = new Map<string, ReportQueue>()
  /** Feature whose outbox was asked for first: it has the reports of earlier versions, which name none. */
  #first: string | undefined
  /** Such reports, until an outbox is asked for. */
  readonly #unnamed: { readonly report: IndexedReport; readonly isDelivered: boolean }[] = []
  #next = 0

  constructor(storage: ReportStorage = NO_STORAGE) {
    this.#storage = storage
  }

  /** Returns the outbox of a feature. */
  of(feature: string): Outbox {
    this.#first ??= feature
    for (const { report, isDelivered } of this.#unnamed.splice(0)) this.restore(report, isDelivered)
    return this.#queueOf(feature)
  }

  /** Adds a report of an earlier process. One that was leased then is leased again. */
  restore(report: IndexedReport, isDelivered: boolean): void {
    this.continueNumberingAt(report.number + 1)
    const { feature = this.#first } = report
    if (feature === undefined) this.#unnamed.push({ report, isDelivered })
    else this.#queueOf(feature).restore(report, isDelivered)
  }

  /** Sets the number of the next report, after those of an earlier process. */
  continueNumberingAt(number: number): void {
    this.#next = Math.max(this.#next, number)
  }

  /**
   * Creates the reports of a row that ends, which are saved at once and leased only after `enqueue`: the row must be durable first.
   *
   * @param sequences sequence numbers of its documents, in the order of its sources; empty when it has none
   * @param from index of the first source to report. @default 0
   */
  createPageReports(
    row: LedgerRow,
    sequences: readonly number[],
    { features, dueAtMs }: RowReports,
    from?: number,
  ): readonly IndexedReport[] {
    const pages = reportedPagesOf(row, sequences, from)
    return features.flatMap((feature) => {
      const queue = this.#queueOf(feature)
      return pages.map((page) => queue.create({ event: 'page', page, dueAtMs }))
    })
  }

  /** Creates the reports of sources that were added to a row after its end; none for a row that has not ended. */
  createReportsOfAddedSources(
    row: LedgerRow,
    added: readonly unknown[],
    sequences: readonly number[],
    reports: RowReports,
  ): readonly IndexedReport[] {
    const hasEnded = row.outcome === 'done' || row.outcome === 'failed'
    const { sources = [] } = row
    return hasEnded ? this.createPageReports(row, sequences, reports, sources.length - added.length) : []
  }

  enqueue(reports: readonly IndexedReport[]): void {
    for (const report of reports) if (report.feature !== undefined) this.#queueOf(report.feature).enqueue(report)
  }

  #queueOf(feature: string): ReportQueue {
    const known = this.#queues.get(feature)
    if (known) return known
    const queue = new ReportQueue(feature, this.#storage, () => this.#next++)
    this.#queues.set(feature, queue)
    return queue
  }
}

/** The reports of one job by one feature, in the order in which they are sent. */
class ReportQueue implements Outbox {
  readonly #feature: string
  readonly #storage: ReportStorage
  readonly #takeNumber: () => number
  /** Undelivered reports by number. */
  readonly #undelivered = new Map<number, IndexedReport>()
  /** Waiting reports during the job, by due time. */
  readonly #during = new PriorityQueue<IndexedReport>(() => false)
  readonly #leased = new Set<number>()
  #started: IndexedReport | undefined
  #ended: IndexedReport | undefined
  /** Moments of the reports of the job itself. */
  readonly #posted = new Set<ReportMoment>()

  constructor(feature: string, storage: ReportStorage, takeNumber: () => number) {
    this.#feature = feature
    this.#storage = storage
    this.#takeNumber = takeNumber
  }

  restore(report: IndexedReport, isDelivered: boolean): void {
    this.#posted.add(momentOf(report.event))
    if (isDelivered) return
    this.#undelivered.set(report.number, report)
    this.enqueue(report)
  }

  async post(event: Exclude<ReportEvent, 'page'>, nowMs: number): Promise<void> {
    const moment = momentOf(event)
    if (moment !== 'during' && this.#posted.has(moment)) return
    this.#posted.add(moment)
    const report = this.create({ event, dueAtMs: nowMs })
    await this.#storage.flush()
    this.enqueue(report)
  }

  async lease(nowMs: number): Promise<JobReport | undefined> {
    const report = this.#first()
    if (report?.dueAtMs === undefined || report.dueAtMs > nowMs) return undefined
    if (momentOf(report.event) === 'during') this.#during.pop()
    this.#leased.add(report.number)
    return report
  }

  async nextAtMs(): Promise<number | undefined> {
    return this.#first()?.dueAtMs
  }

  async putBack(number: number): Promise<void> {
    this.enqueue(this.#release(number))
  }

  async delivered(number: number): Promise<void> {
    const report = this.#release(number)
    this.#undelivered.delete(number)
    this.#settle(report)
    this.#storage.save(report, true)
  }

  async failed(number: number, error: string, retryAtMs?: number): Promise<void> {
    const report = this.#release(number)
    report.attempts += 1
    report.error = error
    if (retryAtMs === undefined) delete report.dueAtMs
    else report.dueAtMs = retryAtMs
    this.enqueue(report)
    this.#storage.save(report, false)
  }

  async undelivered({ skip = 0, limit = Infinity } = {}): Promise<readonly JobReport[]> {
    return [...this.#undelivered.values()].slice(skip, skip + limit).map((report) => ({ ...report }))
  }

  /** The next report, due or not. */
  #first(): IndexedReport | undefined {
    if (this.#started) return this.#leased.has(this.#started.number) ? undefined : this.#started
    const during = this.#during.peek()?.item
    return during ?? (this.#leased.size === 0 ? this.#ended : undefined)
  }

  create(given: {
    readonly event: ReportEvent
    readonly page?: ReportedPage
    readonly dueAtMs?: number
  }): IndexedReport {
    const report: IndexedReport = { number: this.#takeNumber(), feature: this.#feature, attempts: 0, ...given }
    this.#undelivered.set(report.number, report)
    this.#storage.save(report, false)
    return report
  }

  enqueue(report: IndexedReport): void {
    if (report.dueAtMs === undefined) return this.#settle(report)
    switch (momentOf(report.event)) {
      case 'start':
        this.#started = report
        return
      case 'during':
        this.#during.push(report, [report.dueAtMs, report.number])
        return
      case 'end':
        this.#ended = report
    }
  }

  /** Removes a report of the start or end from the queue, so that others no longer wait for it. */
  #settle(report: IndexedReport): void {
    if (report === this.#started) this.#started = undefined
    if (report === this.#ended) this.#ended = undefined
  }

  #release(number: number): IndexedReport {
    const report = this.#undelivered.get(number)
    if (!report || !this.#leased.delete(number)) throw new Error(`ledger: report ${number} is not leased`)
    return report
  }
}

const momentOf = (event: JobReport['event']): ReportMoment => REPORT_MOMENTS[event]

/** Lists the reported pages of a row that has ended: one for each of its sources. */
function reportedPagesOf({ key, sources }: LedgerRow, sequences: readonly number[], from = 0): ReportedPage[] {
  return Array.from({ length: (sources?.length ?? 1) - from }, (_, index) => {
    const sequence = sequences[index]
    return { key, at: from + index, sequence }
  })
}
