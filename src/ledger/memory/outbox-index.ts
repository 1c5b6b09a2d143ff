import type { LedgerRow } from '../ledger.js'
import type { Outbox, Report, ReportedPage, ReportEvent } from '../outbox.js'
import { PriorityQueue } from './priority-queue.js'

/** A report as the book keeps it. */
export type BookReport = { -readonly [K in keyof Report]: Report[K] }

/** Where a book's reports are kept beside memory. */
export interface ReportKeeping {
  /** Told of every report that is new, or no longer what it was. */
  changed(report: BookReport, isDelivered: boolean): void
  /** Resolves when all that was told stands where it is kept. */
  written(): Promise<void>
}

const NOWHERE: ReportKeeping = { changed: () => undefined, written: async () => undefined }

/** The reports of one job in memory, and which of them is next: what ledgers have in common, wherever they keep them. */
export class OutboxIndex implements Outbox {
  readonly #keeping: ReportKeeping
  /** Those that are not delivered. */
  readonly #left = new Map<number, BookReport>()
  /** Reports of pages that wait, by when they are due. */
  readonly #line = new PriorityQueue<BookReport>(() => false)
  readonly #underWay = new Set<number>()
  #started: BookReport | undefined
  #ended: BookReport | undefined
  readonly #posted = new Set<'start' | 'end'>()
  #next = 0

  constructor(keeping: ReportKeeping = NOWHERE) {
    this.#keeping = keeping
  }

  /** Takes in a report of an earlier process. One that was under way then is handed out again. */
  restore(report: BookReport, isDelivered: boolean): void {
    this.#next = Math.max(this.#next, report.number + 1)
    if (report.event !== 'page') this.#posted.add(sideOf(report.event))
    if (isDelivered) return
    this.#left.set(report.number, report)
    this.#enqueue(report)
  }

  /** Says that so many reports have come in an earlier process. */
  goOnFrom(number: number): void {
    this.#next = Math.max(this.#next, number)
  }

  /** Reports of pages, which stand where they are kept once that is written, and are handed out after `open`. */
  make(pages: readonly ReportedPage[], dueAtMs: number): readonly BookReport[] {
    return pages.map((page) => this.#make({ event: 'page', page, dueAtMs }))
  }

  /** As `make`, of sources that a row that has ended was given afterwards. */
  makeAgain(
    row: LedgerRow,
    added: readonly unknown[],
    sequences: readonly number[],
    dueAtMs: number,
  ): readonly BookReport[] {
    const hasEnded = row.outcome === 'done' || row.outcome === 'failed'
    const { sources = [] } = row
    return hasEnded ? this.make(pagesOf(row, sequences, sources.length - added.length), dueAtMs) : []
  }

  open(reports: readonly BookReport[]): void {
    for (const report of reports) this.#enqueue(report)
  }

  async post(event: Exclude<ReportEvent, 'page'>, nowMs: number): Promise<void> {
    const side = sideOf(event)
    if (this.#posted.has(side)) return
    this.#posted.add(side)
    const report = this.#make({ event, dueAtMs: nowMs })
    await this.#keeping.written()
    this.#enqueue(report)
  }

  async lease(nowMs: number): Promise<Report | undefined> {
    const report = this.#first()
    if (report?.dueAtMs === undefined || report.dueAtMs > nowMs) return undefined
    if (report.event === 'page') this.#line.pop()
    this.#underWay.add(report.number)
    return report
  }

  async nextAtMs(): Promise<number | undefined> {
    return this.#first()?.dueAtMs
  }

  async putBack(number: number): Promise<void> {
    this.#enqueue(this.#release(number))
  }

  async delivered(number: number): Promise<void> {
    const report = this.#release(number)
    this.#left.delete(number)
    this.#settle(report)
    this.#keeping.changed(report, true)
  }

  async failed(number: number, error: string, retryAtMs?: number): Promise<void> {
    const report = this.#release(number)
    report.attempts += 1
    report.error = error
    if (retryAtMs === undefined) delete report.dueAtMs
    else report.dueAtMs = retryAtMs
    this.#enqueue(report)
    this.#keeping.changed(report, false)
  }

  async undelivered({ skip = 0, limit = Infinity } = {}): Promise<readonly Report[]> {
    return [...this.#left.values()].slice(skip, skip + limit).map((report) => ({ ...report }))
  }

  /** What is next, due or not. */
  #first(): BookReport | undefined {
    if (this.#started) return this.#underWay.has(this.#started.number) ? undefined : this.#started
    const page = this.#line.peek()?.item
    return page ?? (this.#underWay.size === 0 ? this.#ended : undefined)
  }

  #make(given: Pick<Report, 'event' | 'page' | 'dueAtMs'>): BookReport {
    const report: BookReport = { number: this.#next++, attempts: 0, ...given }
    this.#left.set(report.number, report)
    this.#keeping.changed(report, false)
    return report
  }

  #enqueue(report: BookReport): void {
    if (report.dueAtMs === undefined) this.#settle(report)
    else if (report.event === 'page') this.#line.push(report, [report.dueAtMs, report.number])
    else if (report.event === 'started') this.#started = report
    else this.#ended = report
  }

  /** Nothing waits for it any more. */
  #settle(report: BookReport): void {
    if (report === this.#started) this.#started = undefined
    if (report === this.#ended) this.#ended = undefined
  }

  #release(number: number): BookReport {
    const report = this.#left.get(number)
    if (!report || !this.#underWay.delete(number)) throw new Error(`ledger: report ${number} is not under way`)
    return report
  }
}

const sideOf = (event: ReportEvent): 'start' | 'end' => (event === 'started' ? 'start' : 'end')

/**
 * What is reported of a row that has ended: each place that a batch names it in by itself.
 *
 * @param sequences of its documents, in the order of its sources; empty when it gave none
 * @param from the first of its sources that is meant
 */
export function pagesOf({ key, sources }: LedgerRow, sequences: readonly number[], from = 0): ReportedPage[] {
  return Array.from({ length: (sources?.length ?? 1) - from }, (_, index) => {
    const sequence = sequences[index]
    return { key, at: from + index, ...(sequence !== undefined && { sequence }) }
  })
}
