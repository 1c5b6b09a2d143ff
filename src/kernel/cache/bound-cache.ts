import { boundCalls, boundStore, StoreOutage } from '../../base/store/bound-store.js'
import type { AskedCache, PageCache } from './cache.js'

/**
 * Time for which a cache that gave no answer is not asked. Each page asks it at least twice: without a pause, 20 pages took 206 seconds
 * behind a Redis that was gone, two at a time with a timeout of ten seconds; with it, they take 15, and the next 20 take 2. Milliseconds.
 */
const PAUSE_MS = 10_000

/**
 * A view of a cache whose calls reject in time, whether the cache answers or not. While it answers no call, further calls reject at
 * once: a page that could come from the cache is fetched. Pages that may not be fetched wait for the cache, or all of them would fail
 * within a moment. Closing the view closes the cache.
 *
 * @param timeoutMs timeout of one call, for which a page may set a shorter one. Milliseconds
 */
export function boundCache(cache: PageCache, timeoutMs: number): AskedCache {
  const outage = new StoreOutage(PAUSE_MS)
  const bound = boundCalls({ timeoutMs, name: 'it', outage })
  const patient = boundCalls({ timeoutMs, name: 'it', outage, isPatient: true })
  const { derived } = cache
  return {
    get: (key, maxMs) => bound(async () => cache.get(key), maxMs),
    getPatiently: (key, maxMs) => patient(async () => cache.get(key), maxMs),
    set: (key, page, maxMs) => bound(async () => cache.set(key, page), maxMs),
    delete: (key, maxMs) => bound(async () => cache.delete(key), maxMs),
    close: () => cache.close(),
    derived: derived && boundStore(derived, { timeoutMs, outage }),
  }
}
