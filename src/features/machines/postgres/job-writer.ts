import type { TrawlError } from '../../../base/errors.js'
import type { Counts } from '../../../kernel/ledger/ledger.js'
import type { IndexedRow } from '../../../kernel/ledger/rows/new-row.js'
import type { IndexedReport } from '../../../kernel/ledger/rows/outbox-index.js'
import type { JobFence } from './job-fence.js'
import { countGroup, isEmptyGroup, type JobGroup, newGroup } from './write-group.js'

/** The writes of one job. Those that are scheduled while others are under way make the next group. */
export class JobWriter {
  readonly job: number
  readonly fence: JobFence
  readonly #schedule: () => void
  #group = newGroup()
  /** Time of its first write, on the clock of `performance.now()`. */
  #sinceMs = 0
  /** Resolves when the last group that was sent is written, or has failed. */
  #written: Promise<void> = Promise.resolve()
  /** Callers that wait for what is scheduled. */
  readonly #waiting: (() => void)[] = []
  readonly #flush: () => void
  #describe: (() => Counts) | undefined
  #isSettled = false

  /** @param job number of the job in the database */
  constructor(job: number, fence: JobFence, { schedule, flush }: { schedule: () => void; flush: () => void }) {
    this.job = job
    this.fence = fence
    this.#schedule = schedule
    this.#flush = flush
  }

  /** Sets the source of the numbers of rows by outcome, which are written with the rows. */
  countWith(describe: () => Counts): void {
    this.#describe = describe
  }

  /** Lets go of the rows of a job that has ended for good. What is still written of it, such as acknowledgements, changes no numbers. */
  settle(): void {
    this.#isSettled = true
    if (this.size === 0) this.#describe = undefined
  }

  /** True when the job has ended for good: its ledger may be opened again. */
  get isSettled(): boolean {
    return this.#isSettled
  }

  /** Schedules writes after all earlier ones. A later write of the same row replaces an earlier one. */
  write(change: (group: JobGroup) => void): void {
    if (this.fence.fault) return
    if (isEmptyGroup(this.#group)) this.#sinceMs = performance.now()
    change(this.#group)
    this.#schedule()
  }

  writeRow(row: IndexedRow): void {
    this.write(({ pages }) => pages.set(row.number, row))
  }

  writeReport(report: IndexedReport, isDelivered: boolean): void {
    this.write(({ reports }) => reports.set(report.number, { report, isDelivered }))
  }

  /** Resolves when all scheduled writes are in the database. @throws TrawlError `LEDGER_ERROR`, `JOB_HELD` */
  async flushed(): Promise<void> {
    if (isEmptyGroup(this.#group)) await this.#written
    else {
      this.#flush()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.fence.fault) throw this.fence.fault
  }

  /** Takes what is scheduled; undefined when nothing is. @param written resolves when it is written, or has failed */
  take(written: Promise<void>): JobGroup | undefined {
    if (isEmptyGroup(this.#group)) return undefined
    const group = this.#group
    this.#group = newGroup()
    this.#written = written
    if (group.pages.size + group.abridged.size > 0 && this.#describe) group.counts = JSON.stringify(this.#describe())
    this.#wake(written)
    return group
  }

  fail(error: TrawlError): void {
    this.fence.fail(error)
    this.#group = newGroup()
    this.#wake(this.#written)
  }

  /** Number of rows that wait to be sent. */
  get size(): number {
    return this.#group.pages.size + this.#group.abridged.size
  }

  /** Number of writes that wait to be sent, and the time of the first one, on the clock of `performance.now()`. */
  get waiting(): { readonly count: number; readonly sinceMs: number } {
    return { count: countGroup(this.#group), sinceMs: this.#sinceMs }
  }

  get isIdle(): boolean {
    return isEmptyGroup(this.#group)
  }

  #wake(written: Promise<void>): void {
    const waiting = this.#waiting.splice(0)
    void written.then(() => waiting.forEach((resolve) => resolve()))
  }
}
