import { anObjectWith, anyText, aTime, checkArgument, checkOptions } from '../../runtime/check-options.js'
import { bodiesOf, readHead, writeHead } from '../entry-text.js'
import { pack, unpack, type Packing } from '../compress.js'
import { hashOf } from '../checksum.js'
import type { Store } from '../store.js'

/** What is used of a Keyv: any version from 4 on has it, with whatever it keeps its values in. */
export interface KeyvLike {
  get(key: string): Promise<unknown>
  set(key: string, value: string, ttlMs?: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** How entries are kept in a Keyv. */
export interface KeyvStoreOptions {
  /** Stands before each key. @default 'trawl:' */
  prefix?: string | undefined
  /** How long an entry is kept. Milliseconds. @default as the Keyv has it */
  ttlMs?: number | undefined
}

/** A body may come to this much. Bytes. */
const MAX_BODY_BYTES = 512 * 1024 * 1024

/**
 * Keeps entries in a Keyv, and so in whatever it has an adapter for: Redis, Memcached, PostgreSQL, … Each is one value, a
 * string. What is damaged there, or of another's making, is a miss. What may be held is for what lies underneath to bound.
 *
 * The Keyv stays the caller's: `close` leaves it open.
 *
 * @throws TypeError for what is no Keyv, and for options that are not allowed
 * @example keyvStore(new Keyv(new KeyvRedis('redis://localhost:6379')), { ttlMs: 7 * 24 * 60 * 60 * 1000 })
 */
export function keyvStore(keyv: KeyvLike, options: KeyvStoreOptions = {}): Store {
  checkKeyv('keyvStore', keyv, options)
  const { prefix = 'trawl:', ttlMs } = options
  // Some stores bound the length of a key, and what it may be made of.
  const nameOf = (key: string): string => `${prefix}${hashOf(key)}`

  return {
    async get(key) {
      const value = await keyv.get(nameOf(key))
      if (typeof value !== 'string') return undefined
      const [first = '', ...rest] = value.split(' ')
      try {
        const head = await readHead(Buffer.from(first, 'base64'), key)
        if (!head) return undefined
        const bodies: Record<string, Uint8Array> = {}
        for (const [name, { at, bytes }] of Object.entries(head.bodies)) {
          const [index, packing, hash] = at.split(' ')
          if (bytes > MAX_BODY_BYTES) return undefined
          const packed = Buffer.from(rest[Number(index)] ?? '', 'base64')
          const body = await unpack(packing as Packing, packed, bytes)
          if (hashOf(body) !== hash) return undefined
          bodies[name] = new Uint8Array(body)
        }
        return { facts: head.facts, bodies }
      } catch {
        // Damaged: as good as missing.
        return undefined
      }
    },
    async set(key, entry) {
      const places: Record<string, { at: string; bytes: number }> = {}
      const parts: string[] = []
      for (const [name, body] of bodiesOf(entry)) {
        const { packing, packed } = await pack(body)
        places[name] = { at: `${parts.length} ${packing} ${hashOf(body)}`, bytes: body.byteLength }
        parts.push(toBase64(packed))
      }
      const head = await writeHead({ key, facts: entry.facts, bodies: places })
      await keyv.set(nameOf(key), [toBase64(head), ...parts].join(' '), ttlMs)
    },
    delete: async (key) => void (await keyv.delete(nameOf(key))),
    close: async () => undefined,
  }
}

/** @throws TypeError */
export function checkKeyv(of: string, keyv: unknown, options: unknown): void {
  checkArgument(`${of}(keyv)`, keyv, anObjectWith('a Keyv', 'get', 'set', 'delete'))
  checkOptions(of, options, { prefix: anyText, ttlMs: aTime })
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
