import { TrawlError } from '../../../base/errors.js'

/**
 * The right of this engine to write a job. The server has two counters for each job, and compares both with each write:
 * `generation` is another number each time that an engine takes the job, and `writes` counts the writes of its owner. So a
 * write does nothing when another engine has taken the job meanwhile, when an earlier write is missing, and when it comes
 * late or again.
 */
export class JobFence {
  #generation: number
  #isOwned: boolean
  #writes: number
  #fault: TrawlError | undefined

  /**
   * @param isOwned false for a job that has ended, and has nothing to send: its writes are not counted, because several
   *   engines may skip the rows left in it
   */
  constructor({ generation, writes, isOwned }: { generation: number; writes: number; isOwned: boolean }) {
    this.#generation = generation
    this.#writes = writes
    this.#isOwned = isOwned
  }

  get generation(): number {
    return this.#generation
  }

  /** True while this engine owns the job. */
  get isOwned(): boolean {
    return this.#isOwned && this.#fault === undefined
  }

  /** The error after which nothing more of the job is written: the server then has the job as of its last write. */
  get fault(): TrawlError | undefined {
    return this.#fault
  }

  /** Counts a write, which must be sent before the next one is counted. @returns its number; 0 when it is not counted */
  count(): number {
    return this.#isOwned ? ++this.#writes : 0
  }

  /**
   * Compares the answer to a write.
   *
   * @param found writes that the server had counted before this one; undefined when it has no job of this generation
   * @throws TrawlError `JOB_HELD`; `LEDGER_ERROR` when an earlier write is missing
   */
  check(write: number, found: number | undefined): void {
    if (this.#fault) throw this.#fault
    if (found === undefined) throw takenOver()
    if (found < write - 1) {
      const message = `the server has lost writes of the job: ${write - 1 - found} of ${write - 1} are missing (a failover to a replica that was behind?)`
      throw new TrawlError('LEDGER_ERROR', message)
    }
  }

  /** Records that this engine has taken the job again. */
  renew(generation: number, writes: number): void {
    this.#generation = generation
    this.#writes = writes
    this.#isOwned = true
    this.#fault = undefined
  }

  fail(error: TrawlError): void {
    this.#fault ??= error
  }

  /** Records that this engine has given the job back. */
  release(): void {
    this.#isOwned = false
  }

  copy(): JobFence {
    return new JobFence({ generation: this.#generation, writes: this.#writes, isOwned: this.#isOwned })
  }
}

/** The error of a job that this engine no longer owns. */
export const takenOver = (): TrawlError =>
  new TrawlError(
    'JOB_HELD',
    'another engine has taken the job over, or deleted it, while this one was cut off from the database: `engine.job(id)` returns another handle of it',
  )
