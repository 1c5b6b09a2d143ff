import { boundCalls, boundStore } from '../store/bound-store.js'
import type { PageCache } from './cache.js'

/**
 * A view of a cache whose calls reject in time, whether the cache answers or not. Closing it closes the cache.
 *
 * @param timeoutMs timeout of one call. Milliseconds
 */
export function boundCache(cache: PageCache, timeoutMs: number): PageCache {
  const bound = boundCalls({ timeoutMs, name: 'it' })
  const { derived } = cache
  return {
    get: (key) => bound(async () => cache.get(key)),
    set: (key, page) => bound(async () => cache.set(key, page)),
    delete: (key) => bound(async () => cache.delete(key)),
    close: () => cache.close(),
    ...(derived && { derived: boundStore(derived, { timeoutMs }) }),
  }
}
