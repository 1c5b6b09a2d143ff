import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { storeCache } from '../../../src/kernel/cache/store-cache.js'
import { storeProfiles } from '../../../src/features/browser/profiles/store-profiles.js'
import { postgresStore } from '../../../src/base/store/stores/postgres.js'
import type { Store } from '../../../src/base/store/store.js'
import { cacheContract } from '../../contracts/cache.contract.js'
import { profileStoreContract } from '../../features/browser/profile-store.contract.js'
import { noise, storeContract } from '../../contracts/store.contract.js'
import { storeUpdateContract } from '../../contracts/store-update.contract.js'
import { missing, type PostgresServer, startPostgres } from './postgres-server.js'

interface Pool {
  readonly totalCount: number
  readonly options: object
  query(text: string): Promise<unknown>
  end(): Promise<void>
}

const openPool = (settings: object): Pool => {
  const { Pool: PgPool } = createRequire(import.meta.url)('pg') as { Pool: new (given: object) => Pool }
  return new PgPool(settings)
}

describe.skipIf(missing !== undefined)(`a store in PostgreSQL${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: PostgresServer
  const opened: Store[] = []
  let tables = 0

  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server.close(), 30_000)
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  const open = (options: { table?: string; schema?: string; ttlMs?: number; database?: string } = {}): Store => {
    const { database = 'postgres', ...rest } = options
    const store = postgresStore({ connectionString: server.url({ database }), table: `t ${(tables += 1)}`, ...rest })
    opened.push(store)
    return store
  }

  storeContract({ make: () => open(), isBounded: false })
  cacheContract(() => storeCache(open()), { isBounded: false })
  profileStoreContract(async () => storeProfiles(open()))
  storeUpdateContract(async () => {
    const table = `shared ${(tables += 1)}`
    return [open({ table }), open({ table })]
  })

  it('makes its schema and its table once when many processes start at once', async () => {
    const names = { schema: `a "new" 'schema' $trawl$ ${(tables += 1)}`, table: `it's "mine"` }
    const stores = Array.from({ length: 8 }, () => open(names))
    await Promise.all(stores.map((store, n) => store.set(`k${n}`, { facts: n })))
    for (const [n, store] of stores.entries()) expect((await store.get(`k${7 - n}`))?.facts).toBe(7 - n)
    await expect(open({ ...names, table: 'other' }).get('k0')).resolves.toBeUndefined()
  })

  it('refuses a table of another program, and of a later version', async () => {
    await server.query('CREATE SCHEMA theirs; CREATE TABLE theirs.rows (key text)')
    await expect(open({ schema: 'theirs', table: 'rows' }).get('a')).rejects.toThrow(
      /"theirs"\."rows" was not made by trawl: `table` needs another name/,
    )
    const store = open({ schema: 'later', table: 'rows' })
    await store.set('a', { facts: 1 })
    await server.query(`COMMENT ON TABLE later.rows IS 'trawl store 99'`)
    await expect(open({ schema: 'later', table: 'rows' }).get('a')).rejects.toThrow(
      'was written by a later version of trawl: it has version 99, this one supports 1',
    )
  })

  it('makes its table again after it was dropped', async () => {
    const store = open({ schema: 'dropped', table: 'rows' })
    await store.set('a', { facts: 1 })
    await server.query('DROP SCHEMA dropped CASCADE')
    await expect(store.get('a')).rejects.toThrow(/does not exist \(42P01\)$/)
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', { facts: 2 })
    expect((await store.get('a'))?.facts).toBe(2)
  })

  it('keeps bodies outside of the row', async () => {
    const store = open({ schema: 'sizes', table: 'rows' })
    await store.set('a', { facts: 1, bodies: { page: noise(3_000_000, 1) } })
    const read = (await store.get('a'))?.bodies?.['page'] ?? new Uint8Array()
    expect(Buffer.compare(read, noise(3_000_000, 1))).toBe(0)
    const [row] = await server.query(`SELECT pg_relation_size('sizes.rows')::int AS row`)
    expect(Number(row?.['row'])).toBeLessThan(20_000)
  })

  it('counts a damaged entry, and that of another key, as missing', async () => {
    const store = open({ schema: 'damage', table: 'rows' })
    await store.set('a', { facts: 1, bodies: { page: noise(3000, 1) } })
    for (const damage of [
      'substr(entry, 1, 500)',
      `''::bytea`,
      'set_byte(entry, length(entry) - 9, 255 - get_byte(entry, length(entry) - 9))',
      `'\\xffffffffffffffff'::bytea`,
    ]) {
      await server.query(`CREATE TABLE damage.kept AS TABLE damage.rows; UPDATE damage.rows SET entry = ${damage}`)
      expect(await store.get('a')).toBeUndefined()
      await server.query(`UPDATE damage.rows SET entry = (SELECT entry FROM damage.kept); DROP TABLE damage.kept`)
    }
    expect((await store.get('a'))?.facts).toBe(1)
  })

  it('returns no expired entry, and deletes expired rows in the background, some at a time', async () => {
    const names = { schema: 'expiry', table: 'rows' }
    const first = open({ ...names, ttlMs: 3_600_000 })
    await first.set('alive', { facts: 1 })
    await open({ ...names, ttlMs: 0 }).set('dead', { facts: 1 })
    expect(await first.get('dead')).toBeUndefined()
    await first.update?.('dead', (entry) => ({ facts: entry ? 'changed' : 'new' }))
    expect((await first.get('dead'))?.facts).toBe('new')
    await server.query(
      `INSERT INTO expiry.rows SELECT sha256(n::text::bytea), '', now() - interval '1 s' FROM generate_series(1, 1000) n`,
    )
    await open({ ...names, ttlMs: 3_600_000 }).set('new', { facts: 1 })
    const count = async (): Promise<unknown> =>
      (await server.query('SELECT count(*)::int AS n FROM expiry.rows'))[0]?.['n']
    await vi.waitUntil(async () => (await count()) === 3, 10_000)
    await open(names).set('alive', { facts: 'for ever' })
    expect(await server.query('SELECT 1 FROM expiry.rows WHERE expires_at IS NULL')).toHaveLength(1)
  })

  it('uses a pool of the caller, and leaves it open', async () => {
    const pool = openPool({ connectionString: server.url(), max: 2 })
    const store = postgresStore({ pool, table: 'pooled' })
    await Promise.all(Array.from({ length: 10 }, (_, n) => store.set(`k${n}`, { facts: n })))
    expect(pool.totalCount).toBe(2)
    await store.close()
    await expect(pool.query('SELECT 1')).resolves.toBeDefined()
    await pool.end()
    await expect(store.get('k1')).rejects.toThrow('is closed')
  })

  it('takes the settings of a pool', async () => {
    const pool = { host: '127.0.0.1', port: server.port, user: 'trawl', password: 'the password', database: 'postgres' }
    // `pg` hides the password of these.
    const { options } = openPool(pool)
    for (const settings of [pool, options]) {
      const store = postgresStore({ pool: settings, table: 'settings' })
      opened.push(store)
      await store.set('a', { facts: 1 })
      expect((await store.get('a'))?.facts).toBe(1)
    }
  })

  it('connects on first use only, and leaves no connection behind', async () => {
    const name = 'idle'
    await server.query(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'the password'`)
    const sessions = () => server.query(`SELECT pid FROM pg_stat_activity WHERE usename = '${name}'`)
    const store = postgresStore({ connectionString: server.url({ user: name }), table: 'idle' })
    expect(await sessions()).toEqual([])
    await store.set('a', { facts: 1 })
    expect(await sessions()).not.toEqual([])
    await store.close()
    await vi.waitUntil(async () => (await sessions()).length === 0, 10_000)
  })

  it('goes on after a restart of the server', async () => {
    const store = open({ table: 'restarted' })
    await store.set('a', { facts: 1 })
    await server.crash()
    const reading = store.get('a')
    await server.start()
    expect((await reading)?.facts).toBe(1)
  }, 60_000)
})
