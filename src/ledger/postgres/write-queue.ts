import { TrawlError } from '../../errors.js'
import type { Counts } from '../ledger.js'
import type { IndexedRow } from '../memory/new-row.js'
import type { IndexedReport } from '../memory/outbox-index.js'
import { isLostConnection, type PgDatabase } from './database.js'
import { type JobFence, takenOver } from './job-fence.js'
import {
  type FencedGroup,
  isAcknowledgement,
  isEmptyGroup,
  type JobGroup,
  newGroup,
  toStatement,
} from './write-group.js'
import type { PgStatement } from './protocol.js'

/** Maximum delay of a write that nobody waits for. Milliseconds. */
const WRITE_DELAY_MS = 20

/**
 * Size of the documents of several jobs in one statement, which has a time to arrive at the server. A job with more has a
 * statement of its own.
 */
const MAX_GROUP_BYTES = 2 ** 24

/** The writes of one job. Those that are scheduled while others are under way make the next group. */
export class JobWriter {
  readonly job: number
  readonly fence: JobFence
  readonly #schedule: () => void
  #group = newGroup()
  /** Resolves when the last group that was sent is written, or has failed. */
  #written: Promise<void> = Promise.resolve()
  /** Callers that wait for what is scheduled. */
  readonly #waiting: (() => void)[] = []
  readonly #flush: () => void
  #describe: (() => Counts) | undefined

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

  /** Schedules writes after all earlier ones. A later write of the same row replaces an earlier one. */
  write(change: (group: JobGroup) => void): void {
    if (this.fence.fault) return
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
  readonly #fences = new Map<string, JobFence>()
  #timer: NodeJS.Timeout | undefined
  #isFlushScheduled = false
  #underWay = 0
  #waits = false
  #lastGroup: Promise<void> = Promise.resolve()
  #isClosing = false
  /** The first error of a write during the close. Earlier ones are those of their jobs. */
  #failure: TrawlError | undefined

  constructor(database: PgDatabase) {
    this.#database = database
  }

  /** Opens the writes of a job. Those of an earlier handle of it fail. */
  open(id: string, job: number, known: JobFence): JobWriter {
    const earlier = this.#writers.get(id)
    const fence = earlier?.fence === known ? known.copy() : known
    earlier?.fail(takenOver())
    this.#fences.set(id, fence)
    const writer = new JobWriter(job, fence, {
      schedule: () => (this.#timer ??= setTimeout(() => this.#flushSoon(), WRITE_DELAY_MS)),
      flush: () => this.#flushSoon(),
    })
    this.#writers.set(id, writer)
    return writer
  }

  /** The right to write a job that this engine has acquired or read. */
  fenceOf(id: string): JobFence | undefined {
    return this.#fences.get(id)
  }

  setFence(id: string, fence: JobFence): void {
    this.#fences.set(id, fence)
  }

  /** The ids of the jobs that this engine owns and runs. */
  listOwned(): readonly string[] {
    return [...this.#fences].flatMap(([id, fence]) => (fence.isOwned ? [id] : []))
  }

  forget(id: string): void {
    if (this.#writers.get(id)?.isIdle === false) return
    this.#writers.delete(id)
    this.#fences.delete(id)
  }

  /** Ends the writes of a job that could not be written, and releases it, so that it can be resumed from its last write. */
  fail(id: string, fence: JobFence, error: unknown): void {
    const failure = error instanceof TrawlError ? error : this.#database.createError(String(error))
    const writer = this.#writers.get(id)
    if (this.#isClosing) this.#failure ??= failure
    const isNew = fence.fault === undefined
    fence.fail(failure)
    if (writer?.fence === fence) writer.fail(failure)
    if (isNew) this.release(id, fence.generation)
  }

  /**
   * Releases a job that this engine may own without running it, as soon as the server can be asked.
   *
   * @param connection that of the request that has failed, so that the request cannot come later
   */
  release(id: string, generation: number, connection: 'control' | 'writer' = 'writer'): void {
    const text = `UPDATE jobs SET owner = NULL, writes = writes + 1 WHERE id = $1 AND generation = $2 AND owner = $3`
    void this.repair(connection, () => ({ text, values: [id, generation, this.#database.owner] }))
  }

  /** Runs a statement that corrects the jobs after a failed request, until the server has answered. */
  async repair(connection: 'control' | 'writer', toRepair: () => PgStatement): Promise<void> {
    for (let isDone = false; !isDone;) {
      try {
        await this.#database.run(connection, [toRepair()])
        isDone = true
      } catch (error) {
        isDone = this.#isClosing || !isLostConnection(error)
      }
    }
  }

  /** Sends what is scheduled now, before another statement of the same connection. */
  send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isFlushScheduled = false
    this.#waits = false
    let settle: () => void = () => undefined
    const written = new Promise<void>((resolve) => (settle = resolve))
    const taken: SentGroup[] = []
    for (const [id, writer] of this.#writers) {
      const group = writer.take(written)
      if (!group) continue
      const { job, fence } = writer
      const write = isAcknowledgement(group) ? undefined : fence.count()
      taken.push({
        id,
        fence,
        job,
        generation: fence.generation,
        write: write ?? 0,
        group,
        isFenced: write !== undefined,
      })
    }
    if (taken.length === 0) return settle()
    this.#underWay += 1
    this.#lastGroup = written
    void Promise.all(divide(taken).map((part) => this.#write(part))).finally(() => {
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

  async #write(taken: readonly SentGroup[]): Promise<void> {
    try {
      const [rows = []] = await this.#database.run('writer', [toStatement(taken)])
      const found = new Map(rows.map(({ number, writes }) => [Number(number), Number(writes)]))
      for (const { id, fence, job, write, isFenced } of taken) {
        try {
          if (isFenced) fence.check(write, found.get(job))
        } catch (error) {
          this.fail(id, fence, error)
        }
      }
    } catch (error) {
      // One job may be the reason, by a value that the server refuses: the others do not fail with it.
      if (taken.length > 1 && !isLostConnection(error)) await Promise.all(taken.map((one) => this.#write([one])))
      else for (const { id, fence } of taken) this.fail(id, fence, error)
    }
  }
}

/** Divides the groups of jobs by the size of their documents, in order. */
function divide(taken: readonly SentGroup[]): readonly SentGroup[][] {
  const parts: SentGroup[][] = []
  let leftBytes = 0
  for (const one of taken) {
    const bytes = one.group.documents.reduce((sum, document) => sum + document.bytes, 0)
    if (parts.length === 0 || bytes > leftBytes) {
      parts.push([])
      leftBytes = MAX_GROUP_BYTES
    }
    parts.at(-1)?.push(one)
    leftBytes -= bytes
  }
  return parts
}

/** A group that was sent. */
interface SentGroup extends FencedGroup {
  readonly id: string
  readonly fence: JobFence
  /** False for acknowledgements only, which anybody may send. */
  readonly isFenced: boolean
}
