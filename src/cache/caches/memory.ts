import { numberInRange, checkOptions } from '../../runtime/check-options.js'
import { LRUCache } from 'lru-cache'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { PageCache } from '../cache.js'

/** Estimated size of a stored page without its body: headers and the entry itself. Bytes. */
const OVERHEAD_BYTES = 2048

/**
 * Makes a cache in the memory of this process. The least recently used pages are evicted first.
 *
 * @param options.maxBytes maximum size. @default 67108864 (64 MiB)
 * @throws TypeError for options that are not allowed
 * @example createEngine({ cache: memoryCache({ maxBytes: 512 * 1024 * 1024 }) })
 */
export function memoryCache(options: { maxBytes?: number } = {}): PageCache {
  checkOptions('memoryCache', options, { maxBytes: numberInRange('bytes', 1, Number.MAX_SAFE_INTEGER) })
  const { maxBytes = 64 * 1024 * 1024 } = options
  const pages = new LRUCache<string, FetchedPage>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: (page, key) =>
      page.body.byteLength + (page.captures?.screenshot?.bytes.byteLength ?? 0) + 2 * key.length + OVERHEAD_BYTES,
  })
  return {
    get: async (key) => pages.get(key),
    set: async (key, page) => {
      // A copy of just the page's bytes: a view would keep the whole buffer behind it alive, uncounted.
      pages.set(key, { ...page, body: new Uint8Array(page.body) })
    },
    delete: async (key) => {
      pages.delete(key)
    },
    close: async () => pages.clear(),
  }
}
