import { setTimeout as sleep } from 'node:timers/promises'
import { TrawlError } from '../../../base/errors.js'
import type { WriteLag } from '../../../kernel/ledger/ledger-health.js'
import { isLostConnection, type PgDatabase } from './database.js'
import { type JobFence, takenOver } from './job-fence.js'
import { JobWriter } from './job-writer.js'
import { FIRST_DELAY_MS, MAX_DELAY_MS } from './session.js'
import { type FencedGroup, isAcknowledgement, toStatement } from './write-group.js'
import { OWNER, type PgStatement } from './statement.js'

/** Maximum delay of a write that nobody waits for. Milliseconds. */
const WRITE_DELAY_MS = 20

/**
 * Size of the documents of several jobs in one statement, which has a time to arrive at the server. A job with more has a
 * statement of its own.
 */
const MAX_GROUP_BYTES = 2 ** 24

/**
 * Gathers the writes of all jobs of an engine, and sends them in groups. A group is one statement, so that it is whole in
 * the database or absent, and takes one way to the server and back. It is written only for the jobs that this engine still
 * owns: another one may have taken a job over while the connection was lost.
 */
export class PgWriteQueue {
  readonly #database: PgDatabase
  readonly #writers = new Map<string, JobWriter>()
  readonly #fences = new Map<string, JobFence>()
  /** The last write that is repeated for a job whose group was refused because of another one. */
  readonly #repeats = new Map<JobFence, Promise<void>>()
  /** Writes that were sent and are not answered. */
  readonly #sent = new Set<JobWriter['waiting']>()
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

  /** Opens the writes of a job. Those of an earlier handle of it fail; those of a job that has ended for good are sent before. */
  open(id: string, job: number, known: JobFence): JobWriter {
    const earlier = this.#writers.get(id)
    const isReplaced = earlier?.isSettled === false
    const fence = isReplaced && earlier.fence === known ? known.copy() : known
    if (isReplaced) earlier.fail(takenOver())
    else if (earlier?.isIdle === false) this.send()
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
    void this.repair(connection, { text, values: [id, generation, OWNER] })
  }

  /** Runs a statement that corrects the jobs after a failed request, until the server has answered. */
  async repair(connection: 'control' | 'writer', repair: PgStatement): Promise<void> {
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        await this.#database.run(connection, [repair])
        return
      } catch (error) {
        if (this.#isClosing || !isLostConnection(error)) return
      }
      // A server that refuses connections does so at once.
      await sleep(delayMs, undefined, { ref: false })
    }
  }

  /**
   * Checks the answer to a write. One that came before an earlier write of its job, which is repeated because another job of
   * its group was refused, has done nothing: it is sent again.
   *
   * @param found writes that the server had counted before this one
   * @param again sends it again, and returns what is found then
   * @throws TrawlError `JOB_HELD`; `LEDGER_ERROR`
   */
  async check(
    { fence, write, found }: { fence: JobFence; write: number; found: number | undefined },
    again: () => Promise<number | undefined>,
  ): Promise<void> {
    const earlier = this.#repeats.get(fence)
    if (!earlier || found === undefined || found >= write - 1) return fence.check(write, found)
    const repeat = async (): Promise<void> => {
      await earlier
      if (fence.fault) throw fence.fault
      fence.check(write, await again())
    }
    await this.#keepRepeat(fence, repeat())
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
    const sent: JobWriter['waiting'][] = []
    for (const [id, writer] of this.#writers) {
      const { waiting } = writer
      const group = writer.take(written)
      if (!group) continue
      sent.push(waiting)
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
    for (const one of sent) this.#sent.add(one)
    void Promise.all(divide(taken).map((part) => this.#write(part))).finally(() => {
      settle()
      for (const one of sent) this.#sent.delete(one)
      this.#underWay -= 1
      if (this.#waits) this.#flushSoon()
    })
  }

  /** Measures what is not in the database yet. */
  readLag(): WriteLag {
    const scheduled = Array.from(this.#writers.values(), ({ waiting }) => waiting).filter(({ count }) => count > 0)
    const all = [...this.#sent, ...scheduled]
    const waitingWrites = all.reduce((sum, { count }) => sum + count, 0)
    const nowMs = performance.now()
    return { waitingWrites, lagMs: nowMs - Math.min(nowMs, ...all.map(({ sinceMs }) => sinceMs)) }
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
      const found = await this.#send(taken)
      await Promise.all(taken.map((one) => this.#check(one, found)))
    } catch (error) {
      // One job may be the reason, by a value that the server refuses: the others do not fail with it.
      if (taken.length > 1 && !isLostConnection(error)) {
        await Promise.all(taken.map((one) => this.#keepRepeat(one.fence, this.#write([one]))))
      } else for (const { id, fence } of taken) this.fail(id, fence, error)
    }
  }

  /** Sends groups. @returns the numbers of writes that the server had counted before, by job */
  async #send(taken: readonly SentGroup[]): Promise<ReadonlyMap<number, number>> {
    const [rows = []] = await this.#database.run('writer', [toStatement(taken)])
    return new Map(rows.map(({ number, writes }) => [Number(number), Number(writes)]))
  }

  async #check(one: SentGroup, found: ReadonlyMap<number, number>): Promise<void> {
    const { id, fence, job, write, isFenced } = one
    if (!isFenced) return
    // The job was restarted since: what is left of its earlier run is nothing that it goes on with.
    if (one.generation !== fence.generation) return
    try {
      await this.check({ fence, write, found: found.get(job) }, async () => (await this.#send([one])).get(job))
    } catch (error) {
      this.fail(id, fence, error)
    }
  }

  /** Makes later writes of the job wait for a repeated one. @throws the error of the repeated one */
  async #keepRepeat(fence: JobFence, repeat: Promise<void>): Promise<void> {
    // One that failed has ended the job: a later one finds its fault.
    const kept = repeat.catch(() => undefined)
    this.#repeats.set(fence, kept)
    await kept
    if (this.#repeats.get(fence) === kept) this.#repeats.delete(fence)
    await repeat
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
