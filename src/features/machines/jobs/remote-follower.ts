import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../../base/errors.js'
import type { StoredJob } from '../../../kernel/ledger/job-store.js'
import type { JobNews, JobWatch, SharedJobs } from '../../../kernel/ledger/shared-jobs.js'

/** A handle that follows its job. */
interface Follower {
  readonly id: string
  readonly shared: SharedJobs
  /** Sequence number of the next document of its slowest reader; undefined when it has none. */
  position(): number | undefined
  /** True when somebody wants the news, even if nobody waits. */
  isNeeded(): boolean
  /** Receives news. */
  hear(news: JobNews): void
  /** Called when the job has ended, or cannot be followed any more. */
  end(ended: StoredJob | undefined): void
}

/** Follows a job that another process runs, as long as anybody uses what is known of it. */
export class RemoteFollower {
  readonly #job: Follower
  readonly #wakers = new Set<() => void>()
  #watch: JobWatch | undefined
  #waiting = 0
  #ended: StoredJob | undefined
  #fault: unknown
  /** True while the end of the job is read. */
  #isConcluding = false

  constructor(job: Follower) {
    this.#job = job
  }

  /** The job as it has ended; undefined while it runs. @throws the error after which it cannot be followed */
  get ended(): StoredJob | undefined {
    if (this.#fault !== undefined) throw this.#fault
    return this.#ended
  }

  /** Begins to follow the job, anew when it was not followed: a stopped job may have been resumed. */
  begin(): void {
    if (this.#watch || this.#isConcluding) return
    const { id, shared, position } = this.#job
    if (this.#waiting === 0 && position() === undefined) [this.#ended, this.#fault] = [undefined, undefined]
    if (this.#ended !== undefined || this.#fault !== undefined) return
    const waiting = (): boolean => this.#waiting > 0
    this.#watch = shared.watch(id, {
      get isWaiting() {
        return waiting()
      },
      get position() {
        return position()
      },
      tell: (news) => this.#hear(news),
      fail: (error) => this.#fail(error),
    })
  }

  /** Follows the job during a task, which keeps the process alive. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.begin()
    this.#waiting += 1
    if (this.#waiting === 1) this.#watch?.hurry()
    try {
      return await task()
    } finally {
      this.#waiting -= 1
      this.release()
    }
  }

  /** Waits until news pass a test, or the job has ended. @throws the signal's reason */
  async until(isEnough: () => boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.begin()
    await this.during(async () => {
      while (this.ended === undefined && !isEnough()) {
        const news = new Promise<void>((resolve) => this.#wakers.add(resolve))
        await (signal ? untilAborted(news, signal) : news)
      }
    })
  }

  /** Asks for news now. */
  hurry(): void {
    this.#watch?.hurry()
  }

  /** Stops following the job when nobody uses what is known of it any more. */
  release(): void {
    if (this.#waiting > 0 || this.#job.isNeeded()) return
    this.#stop()
  }

  #stop(): void {
    this.#watch?.stop()
    this.#watch = undefined
  }

  #hear(news: JobNews | undefined): void {
    if (!news) return this.#fail(new TrawlError('JOB_NOT_FOUND', `job ${this.#job.id} has expired`))
    this.#job.hear(news)
    if (news.hasEnded) void this.#conclude().catch((error: unknown) => this.#fail(error))
    this.#wake()
  }

  async #conclude(): Promise<void> {
    this.#stop()
    this.#isConcluding = true
    const found = await this.#job.shared.read(this.#job.id).finally(() => (this.#isConcluding = false))
    if (!found) return this.#hear(undefined)
    // Resumed in between: it goes on.
    if (found.stored.state === 'scraping') return this.begin()
    this.#ended = found.stored
    this.#job.end(found.stored)
    this.#wake()
  }

  #fail(error: unknown): void {
    this.#stop()
    this.#fault = error
    this.#job.end(undefined)
    this.#wake()
  }

  #wake(): void {
    const wakers = [...this.#wakers]
    this.#wakers.clear()
    for (const wake of wakers) wake()
  }
}
