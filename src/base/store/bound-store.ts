import { withTimeout } from '../concurrency/deadline.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import type { Store } from './store.js'

/** Limits of waiting for a store. */
interface StoreBounds {
  /** Ends the waiting for calls under way, and refuses further ones. @default never aborted */
  readonly signal?: AbortSignal
  /** Timeout of one call. Milliseconds. */
  readonly timeoutMs: number
  /** Name of the store in messages. @default 'the store' */
  readonly name?: string
  /** Refuses calls while the store gives no answer. @default every call waits for its own timeout */
  readonly outage?: StoreOutage
  /** True to call the store during an outage as well, and only note whether it answers. @default false */
  readonly isPatient?: boolean
}

const NEVER = new AbortController().signal

/**
 * Remembers that a store gives no answer, so that not every call waits for its timeout. After a call that got none, while no other call
 * got one either, calls are refused for a while. Then a single call is let through to find out whether the store answers again.
 */
export class StoreOutage {
  readonly #pauseMs: number
  /** Time of the last answer. On the clock of `performance.now()`, as the other times are. */
  #answeredAtMs = -Infinity
  /** End of the time in which calls are refused; undefined while the store answers. */
  #untilMs: number | undefined

  /** @param pauseMs time without calls after one that got no answer. Milliseconds */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  /** Tests whether a call may be made. The one that is let through after a pause gets `timeoutMs` before there is another one. */
  mayCall(timeoutMs: number): boolean {
    if (this.#untilMs === undefined) return true
    if (performance.now() < this.#untilMs) return false
    this.#untilMs = performance.now() + timeoutMs
    return true
  }

  noteAnswer(): void {
    this.#answeredAtMs = performance.now()
    this.#untilMs = undefined
  }

  /** Records that a call got no answer. @param sinceMs time of that call */
  noteSilence(sinceMs: number): void {
    if (this.#answeredAtMs < sinceMs) this.#untilMs = performance.now() + this.#pauseMs
  }
}

/** Time after which a call without an answer says something about the store. Callers may wait less. Milliseconds. */
const MIN_SILENCE_MS = 500

/** Makes a function that calls another one, and rejects in time, whether that one answers or not. */
export function boundCalls({ signal = NEVER, timeoutMs, name = 'the store', outage, isPatient = false }: StoreBounds) {
  const late = new WeakSet<Error>()
  let lateMs = timeoutMs
  const makeLate = (limitMs: number): Error => {
    lateMs = limitMs
    const error = new Error(`${name} took longer than ${limitMs} ms`)
    if (limitMs >= Math.min(timeoutMs, MIN_SILENCE_MS)) late.add(error)
    return error
  }
  /** @param maxMs maximum time for this call, if it is less than that of all calls. Milliseconds */
  return async <T>(call: () => Promise<T>, maxMs = timeoutMs): Promise<T> => {
    signal.throwIfAborted()
    const limitMs = Math.round(Math.min(timeoutMs, maxMs))
    if (!isPatient && outage?.mayCall(limitMs) === false)
      throw new Error(`${name} took longer than ${lateMs} ms for an earlier call, and is not asked for a moment`)
    const sinceMs = performance.now()
    using limit = withTimeout(signal, limitMs, () => makeLate(limitMs))
    try {
      const answer = await untilAborted(call(), limit.signal)
      outage?.noteAnswer()
      return answer
    } catch (error) {
      if (error instanceof Error && late.has(error)) outage?.noteSilence(sinceMs)
      else if (!signal.aborted) outage?.noteAnswer()
      throw error
    }
  }
}

/** A view of a store whose calls reject in time, whether the store answers or not. Closing it closes the store. */
export function boundStore(store: Store, bounds: StoreBounds): Store {
  const bound = boundCalls(bounds)
  const { update } = store
  return {
    get: (key) => bound(async () => store.get(key)),
    set: (key, entry) => bound(async () => store.set(key, entry)),
    delete: (key) => bound(async () => store.delete(key)),
    update: update && ((key, change) => bound(async () => update.call(store, key, change))),
    close: () => store.close(),
  }
}
