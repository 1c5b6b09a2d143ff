import { numberInRange, checkOptions } from '../../runtime/check-options.js'
import { LRUCache } from 'lru-cache'
import { bodiesOf } from '../entry-text.js'
import type { Store, StoredEntry } from '../store.js'

/** Approximate memory of an entry besides its content. Bytes. */
const OVERHEAD_BYTES = 512

/**
 * Stores entries in this process's memory.
 *
 * @param options.maxBytes maximum size, by deleting the least recently used entries; `Infinity` for no limit.
 * @default Infinity
 * @throws TypeError for invalid options
 */
export function memoryStore(options: { maxBytes?: number } = {}): Store {
  checkOptions('memoryStore', options, { maxBytes: numberInRange('bytes', 1) })
  const { maxBytes = Infinity } = options
  const sizeOf = (entry: StoredEntry, key: string): number =>
    OVERHEAD_BYTES +
    2 * key.length +
    2 * JSON.stringify(entry.facts).length +
    bodiesOf(entry).reduce((sum, [, body]) => sum + body.byteLength, 0)
  const entries =
    maxBytes === Infinity
      ? new Map<string, StoredEntry>()
      : new LRUCache<string, StoredEntry>({ maxSize: Math.floor(maxBytes), sizeCalculation: sizeOf })
  const store: Store = {
    get: async (key) => {
      const entry = entries.get(key)
      return entry && copy(entry)
    },
    set: async (key, entry) => void entries.set(key, copy(entry)),
    delete: async (key) => void entries.delete(key),
    close: async () => entries.clear(),
  }
  inMemory.add(store)
  return store
}

/** Stores of this kind. */
const inMemory = new WeakSet<Store>()

/** Tests for a store whose entries end with this process. */
export const isInMemory = (store: Store): boolean => inMemory.has(store)

/** Copies an entry, because callers may change theirs, and because a view would keep its whole buffer alive. */
function copy(entry: StoredEntry): StoredEntry {
  const bodies = Object.fromEntries(bodiesOf(entry).map(([name, body]) => [name, new Uint8Array(body)]))
  return { facts: structuredClone(entry.facts), bodies }
}
