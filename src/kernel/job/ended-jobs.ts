import { boundDelay } from '../../base/concurrency/timer-limit.js'
import type { KeptJobs } from '../ledger/ledger.js'
import { expiryOf } from './delivery/open-delivery.js'
import type { JobTools } from './job-tools.js'
import type { EndedHandle } from './job-origin.js'

/** Settings of {@link EndedJobs}. */
interface EndedJobsOptions {
  readonly tools: JobTools
  /** Bounds of the ledger; undefined for one that is not in memory. */
  readonly bounds: KeptJobs | undefined
  /** Deletes what the engine and its ledgers have of a job. */
  forget(id: string): void
}

/**
 * Delay of the search for expired jobs after one has expired: a call reads the status of a job after its end, however short its
 * retention. Milliseconds.
 */
const SEARCH_DELAY_MS = 1000

/** The jobs of an engine that have ended, until they expire, or exceed the bounds of the ledger. */
export class EndedJobs {
  readonly #options: EndedJobsOptions
  /** In the order in which they have ended, which is mostly that in which they expire. */
  readonly #jobs = new Map<string, EndedHandle>()
  /** True while a job may expire before those that ended before it. */
  #isUnordered = false
  #lastExpiresAtMs = -Infinity
  #cancelTimer: (() => void) | undefined
  /** Number of jobs that the bounds of the ledger have cost. */
  #dropped = 0

  constructor(options: EndedJobsOptions) {
    this.#options = options
  }

  /** Number of jobs that were forgotten before they expired; undefined where the ledger has no bounds. */
  get dropped(): number | undefined {
    return this.#options.bounds && this.#dropped
  }

  /** Tells the jobs of the engine that they may be forgotten before they expire; undefined until one was. */
  get warning(): string | undefined {
    const { bounds } = this.#options
    if (!bounds || this.#dropped === 0) return undefined
    const { maxJobs, maxBytes } = bounds
    return `\`memoryLedger()\` keeps \`maxJobs\` of ${maxJobs} ended jobs and \`maxTotalBytes\` of ${maxBytes}: the engine has forgotten ${this.#dropped} before their \`expiresAt\`, those that ended first, and this job may follow.`
  }

  /** Adds a job that has ended, for now or for good. */
  add(job: EndedHandle): void {
    const { expiresAtMs } = job
    if (expiresAtMs === undefined) return
    this.#isUnordered ||= expiresAtMs < this.#lastExpiresAtMs
    this.#lastExpiresAtMs = Math.max(this.#lastExpiresAtMs, expiresAtMs)
    this.#jobs.delete(job.id)
    this.#jobs.set(job.id, job)
    this.#keepBounds()
    this.#startTimer()
  }

  /** Forgets the jobs that have expired. */
  forgetExpired(nowMs: number): void {
    for (const job of this.#jobs.values()) {
      const { expiresAtMs } = job
      // It goes on, and is added again at its next end.
      if (expiresAtMs === undefined) this.#jobs.delete(job.id)
      else if (expiresAtMs <= nowMs) this.#forget(job, expiryOf(job.id))
      else if (!this.#isUnordered) return
    }
    if (this.#jobs.size > 0) return
    this.#isUnordered = false
    this.#lastExpiresAtMs = -Infinity
  }

  /** Lets go of all jobs: their handles stay readable for those that have them. */
  clear(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#jobs.clear()
  }

  #forget(job: EndedHandle, reason: string): void {
    this.#jobs.delete(job.id)
    job.forget(reason)
    this.#options.forget(job.id)
  }

  /** Forgets the jobs that ended first while there are more than the ledger keeps, but none whose documents are being read. */
  #keepBounds(): void {
    const { bounds } = this.#options
    if (!bounds) return
    const { maxJobs, maxBytes } = bounds
    for (const job of this.#jobs.values()) {
      const exceeded =
        this.#jobs.size > maxJobs
          ? `\`maxJobs\` of ${maxJobs} ended jobs`
          : bounds.heldBytes > maxBytes
            ? `\`maxTotalBytes\` of ${maxBytes}`
            : undefined
      if (exceeded === undefined) return
      if (job.isRead) continue
      this.#dropped += 1
      const reason = `job ${job.id} was forgotten before its time: \`memoryLedger()\` has a ${exceeded}, and later jobs have ended since`
      this.#forget(job, reason)
    }
  }

  /** Searches for expired jobs where nobody calls the engine. */
  #startTimer(): void {
    const [first] = this.#jobs.values()
    if (this.#cancelTimer || !first) return
    const { now, setTimer } = this.#options.tools
    const leftMs = (first.expiresAtMs ?? 0) - now()
    this.#cancelTimer = setTimer(boundDelay(leftMs + SEARCH_DELAY_MS), () => {
      this.#cancelTimer = undefined
      this.forgetExpired(now())
      this.#startTimer()
    })
  }
}
