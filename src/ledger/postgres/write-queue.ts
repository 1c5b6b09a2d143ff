import { TrawlError } from '../../errors.js'
import type { IndexedRow } from '../memory/new-row.js'
import type { IndexedReport } from '../memory/outbox-index.js'
import { isLostConnection, type PgDatabase } from './database.js'
import { isEmptyGroup, type JobGroup, newGroup, toStatement } from './write-group.js'

/** Maximum delay of a write that nobody waits for. Milliseconds. */
const WRITE_DELAY_MS = 20

/** The writes of one job. Those that are scheduled while others are under way make the next group. */
export class JobWriter {
  readonly job: number
  readonly #schedule: () => void
  #group = newGroup()
  /** The error after which nothing more of the job is written: the server then has the job as of its last group. */
  #fault: TrawlError | undefined
  /** Resolves when the last group that was sent is written, or has failed. */
  #written: Promise<void> = Promise.resolve()
  /** Callers that wait for what is scheduled. */
  readonly #waiting: (() => void)[] = []
  readonly #flush: () => void

  /** @param job number of the job in the database */
  constructor(job: number, schedule: () => void, flush: () => void) {
    this.job = job
    this.#schedule = schedule
    this.#flush = flush
  }

  get fault(): TrawlError | undefined {
    return this.#fault
  }

  /** Schedules writes after all earlier ones. A later write of the same row replaces an earlier one. */
  write(change: (group: JobGroup) => void): void {
    if (this.#fault) return
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
    if (this.#fault) throw this.#fault
  }

  /** Takes what is scheduled; undefined when nothing is. @param written resolves when it is written, or has failed */
  take(written: Promise<void>): JobGroup | undefined {
    if (isEmptyGroup(this.#group)) return undefined
    const group = this.#group
    this.#group = newGroup()
    this.#written = written
    this.#wake(written)
    return group
  }

  fail(error: TrawlError): void {
    this.#fault ??= error
    this.#group = newGroup()
    this.#wake(this.#written)
  }

  /** Number of rows that wait to be sent. */
  get size(): number {
    return this.#group.pages.size + this.#group.abridged.size
  }

  get isIdle(): boolean {
    return isEmptyGroup(this.#group)
  }

  #wake(written: Promise<void>): void {
    const waiting = this.#waiting.splice(0)
    void written.then(() => waiting.forEach((resolve) => resolve()))
  }
}

/**
 * Gathers the writes of all jobs of an engine, and sends them in groups. A group is one statement, so that it is whole in
 * the database or absent, and takes one way to the server and back. It is written only for the jobs that this engine still
 * owns: another one may have taken a job over while the connection was lost.
 */
export class PgWriteQueue {
  readonly #database: PgDatabase
  readonly #writers = new Map<string, JobWriter>()
  #timer: NodeJS.Timeout | undefined
  #isFlushScheduled = false
  #underWay = 0
  #waits = false
  #sequel = 0
  #lastGroup: Promise<void> = Promise.resolve()
  #isClosing = false
  #failure: TrawlError | undefined

  constructor(database: PgDatabase) {
    this.#database = database
  }

  /** Opens the writes of a job. Those of an earlier handle of it, which has failed, are dropped. */
  open(id: string, job: number): JobWriter {
    const writer = new JobWriter(
      job,
      () => (this.#timer ??= setTimeout(() => this.#flushSoon(), WRITE_DELAY_MS)),
      () => this.#flushSoon(),
    )
    this.#writers.set(id, writer)
    return writer
  }

  forget(id: string): void {
    if (this.#writers.get(id)?.isIdle) this.#writers.delete(id)
  }

  /** The error after which nothing more of a job is written. */
  faultOf(id: string): TrawlError | undefined {
    return this.#writers.get(id)?.fault
  }

  /** Sends what is scheduled now, before a request for which the host's thread waits. */
  send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isFlushScheduled = false
    this.#waits = false
    let settle: () => void = () => undefined
    const written = new Promise<void>((resolve) => (settle = resolve))
    const taken: { writer: JobWriter; group: JobGroup }[] = []
    for (const writer of this.#writers.values()) {
      const group = writer.take(written)
      if (group) taken.push({ writer, group })
    }
    if (taken.length === 0) return settle()
    this.#underWay += 1
    this.#lastGroup = written
    void this.#write(taken).finally(() => {
      settle()
      this.#underWay -= 1
      if (this.#waits) this.#flushSoon()
    })
  }

  /** Writes what is left. @throws TrawlError `LEDGER_ERROR` when something could not be written */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#database.hurry()
    this.send()
    await this.#lastGroup
    if (this.#failure) throw this.#failure
  }

  /** Sends after the present turn of the event loop; while a group is under way, after it. */
  #flushSoon(): void {
    this.#waits = true
    if (this.#isFlushScheduled || this.#underWay > 0) return
    this.#isFlushScheduled = true
    setImmediate(() => this.send())
  }

  async #write(taken: readonly { writer: JobWriter; group: JobGroup }[]): Promise<void> {
    try {
      const jobs = taken.map(({ writer, group }) => ({ job: writer.job, group }))
      const statement = toStatement(jobs, this.#database.owner)
      const [rows = []] = await this.#database.run('writer', [statement], { sequel: this.#sequel })
      const held = new Set(rows.map(({ number }) => Number(number)))
      for (const { writer } of taken) if (!held.has(writer.job)) writer.fail(takenOver(writer.job))
    } catch (error) {
      const failure = error instanceof TrawlError ? error : this.#database.createError(String(error))
      this.#failure = failure
      this.#sequel += 1
      for (const { writer } of taken) {
        writer.fail(failure)
        void this.#release(writer.job)
      }
    }
  }

  /** Releases a job that could not be written, so that it can be resumed from its last group. */
  async #release(job: number): Promise<void> {
    const text = 'UPDATE jobs SET owner = NULL WHERE number = $1 AND owner = $2'
    for (let isDone = false; !isDone && !this.#isClosing;) {
      try {
        await this.#database.run('writer', [{ text, values: [job, this.#database.owner] }])
        isDone = true
      } catch (error) {
        isDone = !isLostConnection(error)
      }
    }
  }
}

const takenOver = (job: number): TrawlError =>
  new TrawlError(
    'JOB_HELD',
    `another engine has taken the job over, or deleted it, while this one was cut off from the database (number ${job})`,
  )
