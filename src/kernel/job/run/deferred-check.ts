import { toTrawlError, type TrawlError } from '../../../base/errors.js'
import type { DeferredPages } from './deferred-pages.js'
import type { JobRecorder } from './job-recorder.js'

/** Interval at which deferred pages are checked. */
const DEFERRED_CHECK_MS = 500

/** Parts that the check works with. */
interface DeferredCheckOptions {
  readonly deferred: DeferredPages
  readonly job: JobRecorder
  /** Makes the pool ask for work again. */
  wake(): void
  /** True while sitemaps are being read, which may have further pages. */
  isReadingAhead(): boolean
}

/** Checks deferred pages at an interval, because no event tells that a page has been waited for too long. */
export class DeferredCheck {
  readonly #options: DeferredCheckOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failure: TrawlError | undefined

  constructor(options: DeferredCheckOptions) {
    this.#options = options
  }

  /** Error of a check, to be thrown when the pool asks for work next. */
  get failure(): TrawlError | undefined {
    return this.#failure
  }

  /** Resolves when no check runs. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Starts the interval, unless it runs or is not needed. */
  schedule(): void {
    const { deferred, job, wake } = this.#options
    if (this.#timer || deferred.keys.size === 0 || job.signal.aborted) return
    this.#timer = setTimeout(() => {
      this.#running = this.check()
        .catch((error: unknown) => {
          this.#failure = toTrawlError(error)
        })
        .finally(() => {
          this.#timer = undefined
          this.schedule()
          wake()
        })
    }, DEFERRED_CHECK_MS)
  }

  /** Finishes deferred pages when no further sample is to come, now or before they have ended. */
  async check(): Promise<void> {
    const { deferred, job, isReadingAhead } = this.#options
    const { ledger, strategy, scheduler, tools, budgetTracker } = job
    if (deferred.keys.size === 0) return
    if (deferred.isAwaiting(tools.waitNow())) return deferred.release()
    const { done, active, queued } = await ledger.counts()
    const isAtLimit = done + active >= strategy.rules.limit
    const isAtEnd = queued === 0 && !isReadingAhead()
    if (isAtLimit || isAtEnd || scheduler.isPaused || budgetTracker.stoppedBy) await deferred.settle()
    else await deferred.release()
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
