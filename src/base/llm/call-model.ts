import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../concurrency/deadline.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import { ModelError, toModelError } from './llm.js'

/** Maximum delay before a retry. */
const MAX_BACKOFF_MS = 30_000
/** Maximum delay that a model may ask for. After a longer one the page would be over, and other requests wait for this one. */
const MAX_RETRY_AFTER_MS = 60_000

/** Settings for retries. */
interface RetrySettings {
  /** Attempts after the first one. */
  readonly maxRetries: number
  /** Delay before the first retry, doubled before each further one. Milliseconds. */
  readonly backoffMs: number
}

/**
 * Calls a model, and retries errors that may be temporary, unless the model asks to wait long.
 *
 * @throws ModelError; the reason of the signal
 */
export async function retryModelCall<T>(
  attempt: () => Promise<T>,
  { maxRetries, backoffMs }: RetrySettings,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (thrown) {
      signal.throwIfAborted()
      const error = toModelError(thrown)
      if (!error.isTransient || failures >= maxRetries) throw error
      const { retryAfterMs, statusCode } = error
      if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
        const asked = `it asks to wait ${Math.ceil(retryAfterMs / 1000)} s, and at most ${MAX_RETRY_AFTER_MS / 1000} s are waited`
        throw new ModelError(`${error.message}: ${asked}`, { statusCode, retryAfterMs, isTransient: true })
      }
      const randomBackoffMs = (backoffMs * 2 ** failures * (1 + Math.random())) / 2
      const delayMs = retryAfterMs ?? Math.min(randomBackoffMs, MAX_BACKOFF_MS)
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** The time for a call of a model. */
interface CallLimit {
  /** Name of the function in messages. */
  readonly name: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Calls a function of the host with a time limit. The function may ignore its signal.
 *
 * @throws ModelError after the time limit; the reason of the signal; the error of the function
 */
export async function callWithin<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { name, timeoutMs, signal }: CallLimit,
): Promise<T> {
  const makeReason = () => new ModelError(`${name} took longer than ${timeoutMs} ms`, { isTransient: true })
  using attempt = withTimeout(signal, timeoutMs, makeReason)
  try {
    return await untilAborted(Promise.resolve(call(attempt.signal)), attempt.signal)
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error
  }
}
