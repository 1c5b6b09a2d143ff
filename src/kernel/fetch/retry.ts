import { transientStatuses } from '../../base/http/statuses.js'
import { type ErrorCode, rowOf } from '../../base/errors.js'

/** Settings for retries after transient failures. */
export interface RetrySettings {
  /** Maximum number of retries. @default 2 */
  readonly maxRetries: number
  /** Delay before the first retry, doubled before each further one. Milliseconds. @default 500 */
  readonly backoffMs: number
  /**
   * Maximum delay, also for `Retry-After`. A whole site pauses for at most twice this, and never for more than a minute. With 0, nothing waits.
   * Milliseconds.
   * @default 30000
   */
  readonly maxBackoffMs: number
  /**
   * Statuses after which a page is tried again, 400 to 599, in place of those of the default; `[]` for none.
   * @default [408, 425, 429, 500, 502, 503, 504, 521, 522, 523, 524]
   */
  readonly statusCodes: readonly number[]
}

export const defaultRetrySettings: RetrySettings = {
  maxRetries: 2,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  statusCodes: [...transientStatuses],
}

/** The result of an attempt to fetch a page. */
export interface AttemptOutcome {
  /** Number of attempts so far, this one included: 1 after the first. */
  readonly attempt: number
  /** Code of the error, when there was no response. */
  readonly code?: ErrorCode
  /** HTTP status of the response. */
  readonly statusCode?: number
  /** The site's `Retry-After`. Milliseconds. */
  readonly retryAfterMs?: number
  /**
   * Maximum `Retry-After`; the page is not retried when the site requests a longer one. Milliseconds. @default no limit
   */
  readonly maxWaitMs?: number
}

/**
 * Calculates the delay before a retry; undefined when the page is not to be retried.
 *
 * The error table defines which errors are transient, and the settings which statuses. `Retry-After` takes precedence over the backoff. Half of the
 * backoff is random, so that pages that failed together are not retried together.
 *
 * @param random from 0 to 1
 * @returns milliseconds
 */
export function calculateRetryDelay(
  outcome: AttemptOutcome,
  random: number,
  settings: RetrySettings = defaultRetrySettings,
): number | undefined {
  const { attempt, code, statusCode, retryAfterMs, maxWaitMs = Infinity } = outcome
  const isTransient =
    code === undefined ? statusCode !== undefined && settings.statusCodes.includes(statusCode) : rowOf(code).retry
  if (!isTransient || attempt > settings.maxRetries || (retryAfterMs ?? 0) > maxWaitMs) return undefined
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, settings.maxBackoffMs)
  const backoffMs = Math.min(settings.backoffMs * 2 ** (attempt - 1), settings.maxBackoffMs)
  return Math.round((backoffMs * (1 + random)) / 2)
}
