import { createPageClock } from '../../../base/concurrency/pausable-clock.js'
import { toTrawlError, TrawlError } from '../../../base/errors.js'
import type { Attempt } from '../../ledger/ledger.js'
import type { ScrapePlan } from '../../plan/scrape-plan.js'

/**
 * Time of a page of a job: its attempts, and the delays before its retries, together have the page's `timeout`, as in `scrape()`. What
 * the page waits for others does not count: a slot, the browser, its turn at the site.
 */
export class PageTime {
  /** Clock of the present attempt. */
  readonly clock = createPageClock()
  readonly #timeoutMs: number
  /** Time of earlier attempts, with the delays after them. Milliseconds. */
  readonly #earlierMs: number
  readonly #startedAtMs = performance.now()

  /** @param attempts those before the present one */
  constructor(attempts: readonly Attempt[], timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    this.#earlierMs = attempts.reduce((sum, attempt) => sum + timeOf(attempt), 0)
  }

  /** Time for which the attempt has waited for others. Milliseconds. */
  get waitedMs(): number {
    return Math.max(0, Math.round(this.clock.pausedMs))
  }

  /** Plans the attempt with the time that is left. */
  planRest(plan: ScrapePlan): ScrapePlan {
    if (this.#earlierMs === 0) return plan
    return { ...plan, fetch: { ...plan.fetch, timeoutMs: this.#leftMs } }
  }

  get #leftMs(): number {
    return Math.max(1, this.#timeoutMs - this.#earlierMs)
  }

  /** Tests whether time is left for a retry after a delay. @param delayMs undefined for a page that is not retried */
  allows(delayMs: number | undefined): boolean {
    const spentMs = performance.now() - this.#startedAtMs - this.clock.pausedMs
    return delayMs !== undefined && this.#earlierMs + spentMs + delayMs < this.#timeoutMs
  }

  /** Describes the error of an attempt that had less than the whole time. */
  describe(thrown: unknown): unknown {
    const error = toTrawlError(thrown)
    if (error.code !== 'SCRAPE_TIMEOUT' || this.#earlierMs === 0) return thrown
    const message = error.message.replace(`of ${this.#leftMs} ms`, `of ${this.#timeoutMs} ms with its earlier attempts`)
    return new TrawlError('SCRAPE_TIMEOUT', message, { url: error.url, cause: error })
  }
}

const timeOf = ({ startedAtMs, endedAtMs, retryAtMs = endedAtMs, waitedMs = 0 }: Attempt): number =>
  // The clock of the host may have been set back.
  Math.max(0, endedAtMs - startedAtMs - waitedMs) + Math.max(0, retryAtMs - endedAtMs)
