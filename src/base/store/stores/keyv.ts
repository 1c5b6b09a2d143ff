import {
  objectWithMethods,
  anyString,
  numberInRange,
  checkArgument,
  checkOptions,
} from '../../runtime/check-options.js'
import { hashOf } from '../checksum.js'
import { decodeEntry, encodeEntry } from '../entry-codec.js'
import type { Store } from '../store.js'

/** The methods used of a Keyv, from version 4 on. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  set(key: string, value: string, ttlMs?: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** Options of `keyvStore`. */
export interface KeyvStoreOptions {
  /** Prefix of all keys. @default 'trawl:' */
  prefix?: string
  /** Time to live of an entry. Milliseconds. @default the Keyv's own */
  ttlMs?: number
}

/**
 * Stores entries in a Keyv, and thus in anything with a Keyv adapter: Redis, Memcached, PostgreSQL and others. Each
 * entry is one string. A damaged or foreign value counts as missing. The size is limited by the underlying storage
 * only.
 *
 * The Keyv belongs to the caller: `close` leaves it open.
 *
 * @throws TypeError for a value that is not a Keyv, and for invalid options
 * @example keyvStore(new Keyv(new KeyvRedis('redis://localhost:6379')), { ttlMs: 7 * 24 * 60 * 60 * 1000 })
 */
export function keyvStore(keyv: KeyvLike, options: KeyvStoreOptions = {}): Store {
  checkKeyv('keyvStore', keyv, options)
  const { prefix = 'trawl:', ttlMs } = options
  // Some storages limit the length and the characters of keys.
  const nameOf = (key: string): string => `${prefix}${hashOf(key)}`

  return {
    async get(key) {
      const value = await keyv.get(nameOf(key))
      if (typeof value !== 'string') return undefined
      const [head = Buffer.alloc(0), ...bodies] = value.split(' ').map((part) => Buffer.from(part, 'base64'))
      return await decodeEntry(key, { head, bodies })
    },
    async set(key, entry) {
      const { head, bodies } = await encodeEntry(key, entry)
      await keyv.set(nameOf(key), [head, ...bodies].map(toBase64).join(' '), ttlMs)
    },
    delete: async (key) => void (await keyv.delete(nameOf(key))),
    close: async () => undefined,
  }
}

/** @throws TypeError */
export function checkKeyv(of: string, keyv: unknown, options: unknown): void {
  checkArgument(`${of}(keyv)`, keyv, objectWithMethods('a Keyv', 'get', 'set', 'delete'))
  checkOptions(of, options, { prefix: anyString, ttlMs: numberInRange('milliseconds', 0) })
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
