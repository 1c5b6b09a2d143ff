import { withTimeout } from '../concurrency/deadline.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import type { Store } from './store.js'

/** Limits of waiting for a store. */
interface StoreBounds {
  /** Ends the waiting for calls under way, and refuses further ones. @default never aborted */
  readonly signal?: AbortSignal
  /** Timeout of one call. Milliseconds. */
  readonly timeoutMs: number
}

const NEVER = new AbortController().signal

/** A view of a store whose calls reject in time, whether the store answers or not. Closing it closes the store. */
export function boundStore(store: Store, { signal = NEVER, timeoutMs }: StoreBounds): Store {
  async function bound<T>(call: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const late = () => new Error(`the store took longer than ${timeoutMs} ms`)
    using limit = withTimeout(signal, timeoutMs, late)
    return await untilAborted(call(), limit.signal)
  }
  const { update } = store
  return {
    get: (key) => bound(async () => store.get(key)),
    set: (key, entry) => bound(async () => store.set(key, entry)),
    delete: (key) => bound(async () => store.delete(key)),
    ...(update && { update: (key, change) => bound(async () => update.call(store, key, change)) }),
    close: () => store.close(),
  }
}
