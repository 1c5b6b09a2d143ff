import { checkKeyv, keyvStore, type KeyvLike, type KeyvStoreOptions } from '../../../base/store/stores/keyv.js'
import type { PageCache } from '../cache.js'
import { storeCache } from '../store-cache.js'

/**
 * Makes a cache in a Keyv, and so in Redis, Memcached, PostgreSQL, …, where several machines share it. The database must bound its
 * size: give `ttlMs`, or configure eviction there.
 *
 * @throws TypeError for what is no Keyv, and for options that are not allowed
 * @example createEngine({ cache: keyvCache(new Keyv(new KeyvRedis('redis://localhost:6379')), { ttlMs: 604_800_000 }) })
 */
export function keyvCache(keyv: KeyvLike, options: KeyvStoreOptions = {}): PageCache {
  checkKeyv('keyvCache', keyv, options)
  return storeCache(keyvStore(keyv, options))
}
