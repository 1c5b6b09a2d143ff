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
}

const NEVER = new AbortController().signal

/** Makes a function that calls another one, and rejects in time, whether that one answers or not. */
export function boundCalls({ signal = NEVER, timeoutMs, name = 'the store' }: StoreBounds) {
  const late = () => new Error(`${name} took longer than ${timeoutMs} ms`)
  return async <T>(call: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    using limit = withTimeout(signal, timeoutMs, late)
    return await untilAborted(call(), limit.signal)
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
    ...(update && { update: (key, change) => bound(async () => update.call(store, key, change)) }),
    close: () => store.close(),
  }
}
