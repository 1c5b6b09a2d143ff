import { keyvStore, type KeyvLike, type KeyvStoreOptions } from '../../store/stores/keyv.js'
import type { PageCache } from '../cache.js'
import { storeCache } from '../store-cache.js'

/**
 * Remembers pages in a Keyv, and so in Redis, Memcached, PostgreSQL, …, where several machines share them. What may be
 * held there is for what lies underneath to bound: give `ttlMs`, or set up eviction there.
 *
 * @example createEngine({ cache: keyvCache(new Keyv(new KeyvRedis('redis://localhost:6379')), { ttlMs: 604_800_000 }) })
 */
export const keyvCache = (keyv: KeyvLike, options?: KeyvStoreOptions): PageCache => storeCache(keyvStore(keyv, options))
