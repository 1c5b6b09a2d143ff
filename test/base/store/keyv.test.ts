import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyvCache } from '../../../src/kernel/cache/caches/index.js'
import { keyvStore, type KeyvLike } from '../../../src/base/store/stores/keyv.js'
import { cacheContract, fetchedPage } from '../../contracts/cache.contract.js'
import { noise, storeContract } from '../../contracts/store.contract.js'
import { missing, type RedisServer, startRedis } from './redis-server.js'

describe('a store in a Keyv', () => {
  storeContract({ make: () => keyvStore(new Keyv()), isBounded: false })

  it('passes `ttlMs` and prefixed keys to the Keyv', async () => {
    const set = vi.fn(async () => true)
    const keyv: KeyvLike = { get: async () => undefined, set, delete: async () => true }
    await keyvStore(keyv, { prefix: 'pages:', ttlMs: 5000 }).set('a', { facts: 1 })
    expect(set).toHaveBeenCalledWith(expect.stringMatching(/^pages:[0-9a-f]{64}$/), expect.any(String), 5000)
  })

  it('treats damaged and foreign values as missing', async () => {
    const values = new Map<string, unknown>()
    const store = keyvStore({
      get: async (key) => values.get(key),
      set: async (key, value) => values.set(key, value),
      delete: async (key) => values.delete(key),
    })
    await store.set('a', { facts: 1, bodies: { page: noise(3000, 1) } })
    const [name = ''] = values.keys()
    const whole = String(values.get(name))
    const damaged = [
      null,
      7,
      '',
      ' ',
      'hello',
      whole.slice(0, -1000),
      whole.slice(0, 20),
      whole.replace(/ .*/, ''),
      whole.replace(/.{50}$/, 'A'.repeat(50)),
      { value: whole },
    ]
    for (const other of damaged) {
      values.set(name, other)
      expect(await store.get('a')).toBeUndefined()
    }
    values.set(name, whole)
    expect(await store.get('a')).toEqual({ facts: 1, bodies: { page: noise(3000, 1) } })
  })

  it('rejects when the Keyv cannot be reached', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('connection lost'))
    const store = keyvStore({ get: broken, set: broken, delete: broken })
    await expect(store.get('a')).rejects.toThrow('connection lost')
    await expect(store.set('a', { facts: 1 })).rejects.toThrow('connection lost')
  })
})

describe.skipIf(missing !== undefined)(
  `a cache in Redis${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: RedisServer
    let keyv: Keyv

    beforeAll(async () => {
      server = await startRedis('--maxmemory', '8mb', '--maxmemory-policy', 'allkeys-lru')
      keyv = new Keyv(new KeyvRedis(server.url))
    })
    afterAll(async () => {
      await keyv.disconnect()
      await server.close()
    })

    let count = 0
    const prefix = (): string => `test ${(count += 1)}:`
    storeContract({ make: () => keyvStore(keyv, { prefix: prefix() }), isBounded: false })
    cacheContract(() => keyvCache(keyv, { prefix: prefix() }), { isBounded: false })

    it('is shared by all its users, and forgets entries after `ttlMs`', async () => {
      const other = new Keyv(new KeyvRedis(server.url))
      await keyvCache(keyv, { ttlMs: 200 }).set('a', fetchedPage())
      expect(await keyvCache(other).get('a')).toEqual(fetchedPage())
      await vi.waitUntil(async () => (await keyvCache(other).get('a')) === undefined, 5000)
      await other.disconnect()
    })

    it('treats entries evicted by Redis as missing', async () => {
      const store = keyvStore(keyv, { prefix: prefix() })
      for (let i = 0; i < 100; i++) await store.set(`k${i}`, { facts: i, bodies: { page: noise(200_000, i) } })
      const held = await Promise.all(Array.from({ length: 100 }, (_, i) => store.get(`k${i}`)))
      expect(held.filter(Boolean).length).toBeLessThan(60)
      expect(held.every((entry, i) => entry === undefined || entry.facts === i)).toBe(true)
    })
  },
)
