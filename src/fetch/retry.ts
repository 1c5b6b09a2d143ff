import { transientStatuses } from '../http/statuses.js'
import { type ErrorCode, errorTable } from '../errors.js'

/** How often and how patiently a page that failed in passing is tried again. */
export interface RetrySettings {
  /** Attempts after the first one. @default 2 */
  readonly maxRetries: number
  /** Delay before the first retry, doubled before each further one. Milliseconds. @default 500 */
  readonly backoffMs: number
  /** No delay is longer than this, whatever the site asks for. Milliseconds. @default 30000 */
  readonly maxBackoffMs: number
}

export const defaultRetrySettings: RetrySettings = { maxRetries: 2, backoffMs: 500, maxBackoffMs: 30_000 }

/** How an attempt to get a page ended. */
export interface AttemptOutcome {
  /** Attempts made so far, this one included: 1 after the first. */
  readonly attempt: number
  /** The error's code, when no page came. */
  readonly code?: ErrorCode
  /** The page's HTTP status, when one came. */
  readonly statusCode?: number
  /** How long the site asked to be left alone (`Retry-After`). Milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** A page whose site asks for more than this is not waited for. Milliseconds. @default any time is waited for */
  readonly maxWaitMs?: number
}

/**
 * How long to wait before the page is tried again; undefined when it is not to be.
 *
 * Which errors pass is the error table's word. The site's own `Retry-After` wins over the back-off. The back-off is
 * half fixed and half drawn, so that pages that failed together do not come back together.
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
    code === undefined ? statusCode !== undefined && transientStatuses.has(statusCode) : errorTable[code].retry
  if (!isTransient || attempt > settings.maxRetries || (retryAfterMs ?? 0) > maxWaitMs) return undefined
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, settings.maxBackoffMs)
  const backoffMs = Math.min(settings.backoffMs * 2 ** (attempt - 1), settings.maxBackoffMs)
  return Math.round((backoffMs * (1 + random)) / 2)
}
