import { execFile } from 'node:child_process'
import { inspect, promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore, postgresStore, type PostgresStoreOptions } from '../../../src/base/store/stores/postgres.js'
import type { Store } from '../../../src/base/store/store.js'
import { storeContract } from '../../contracts/store.contract.js'
import { storeUpdateContract } from '../../contracts/store-update.contract.js'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from './pg-bouncer.js'
import { missing, type PostgresServer, startNetwork, startPostgres } from './postgres-server.js'
import { findFreePort } from '../../site/find-free-port.js'

const QUICK = { connectMs: 2000, statementMs: 500 }

describe.skipIf(missing !== undefined)(
  `a store in a PostgreSQL that fails${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let server: PostgresServer
    const opened: Store[] = []
    let tables = 0

    beforeAll(async () => {
      server = await startPostgres()
      await server.query(`CREATE ROLE guest LOGIN PASSWORD 'the password'; CREATE ROLE reader LOGIN PASSWORD 'the password';
        GRANT pg_read_all_data TO reader; ALTER ROLE reader SET default_transaction_read_only = on`)
    }, 60_000)
    afterAll(() => server.close(), 30_000)
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    const open = (options: PostgresStoreOptions): Store => {
      const store = openPostgresStore({ table: `t ${(tables += 1)}`, ...options }, QUICK)
      opened.push(store)
      return store
    }

    /** The error of a call, printed with its causes as `console.log` does. */
    const failureOf = async (call: Promise<unknown>): Promise<string> => {
      const error: unknown = await call.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(inspect(error, { depth: 10 })).not.toMatch(/the password|the%20password|s3cret/)
      return error instanceof Error ? error.message : 'no failure'
    }

    it('says in its errors what is wrong, without secrets', async () => {
      const port = await findFreePort()
      const get = (options: PostgresStoreOptions): Promise<string> => failureOf(open(options).get('a'))
      const place = `the store postgres://127.0.0.1:${server.port}`
      expect(await get({ connectionString: server.url({ port }) })).toMatch(/^the store .*ECONNREFUSED/)
      expect(await get({ connectionString: server.url({ password: 's3cret' }) })).toBe(
        `${place}/postgres: password authentication failed for user "trawl" (28P01)`,
      )
      expect(await get({ connectionString: server.url({ database: 'none' }) })).toBe(
        `${place}/none: database "none" does not exist (3D000)`,
      )
      expect(await get({ connectionString: server.url({ user: 'guest' }) })).toBe(
        `${place}/postgres: permission denied for database postgres (42501)`,
      )
      expect(await get({ connectionString: server.url({ user: 'reader' }) })).toMatch(
        /read-only transaction \(25006\)$/,
      )
      expect(await get({ connectionString: 'postgres://trawl:s3cret@[::1/x' })).toBe(
        '`connectionString` is not the address of a PostgreSQL database',
      )
    })

    it('reads from a read-only session, and says why it does not write', async () => {
      await open({ connectionString: server.url(), table: 'read only' }).set('a', { facts: 1 })
      const reader = open({ connectionString: server.url({ user: 'reader' }), table: 'read only' })
      expect((await reader.get('a'))?.facts).toBe(1)
      expect(await failureOf(reader.set('a', { facts: 2 }))).toMatch(/read-only transaction \(25006\)$/)
    })

    it('says that the disk is full, keeps the earlier entry, and goes on when there is room', async () => {
      const store = open({ connectionString: server.url(), schema: 'full', table: 'rows' })
      await store.set('a', { facts: 1 })
      await server.query(
        `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON "full".rows FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      )
      expect(await failureOf(store.set('a', { facts: 2 }))).toMatch(/No space left on device \(53100\)$/)
      expect((await store.get('a'))?.facts).toBe(1)
      await server.query('DROP TRIGGER full_disk ON "full".rows')
      await store.set('a', { facts: 3 })
      expect((await store.get('a'))?.facts).toBe(3)
    })

    it('tries again at the next call when the first one could not make its table', async () => {
      const store = open({ connectionString: server.url({ user: 'guest' }), schema: 'granted', table: 'rows' })
      await expect(store.get('a')).rejects.toThrow('permission denied')
      await server.query('CREATE SCHEMA granted AUTHORIZATION guest')
      await store.set('a', { facts: 1 })
      expect((await store.get('a'))?.facts).toBe(1)
    })

    it('fails in a limited time in a network that is silent, and goes on in one that is back', async () => {
      const network = await startNetwork(server.port)
      const store = open({ connectionString: server.url({ port: network.port }) })
      await store.set('a', { facts: 1 })
      await network.freeze()
      await expect(store.get('a')).rejects.toThrow(/timeout/)
      await network.mend()
      expect((await store.get('a'))?.facts).toBe(1)
      await network.cut()
      const reading = store.get('a')
      await network.mend()
      expect((await reading)?.facts).toBe(1)
      await network.freeze()
      await expect(store.get('a')).rejects.toThrow(/timeout/)
      await store.close()
      await network.close()
    })

    it('does not keep the process alive', async () => {
      const script = `
        import { postgresStore } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
        const store = postgresStore({ connectionString: process.argv[1] })
        await store.set('a', { facts: 'stored' })
        console.log((await store.get('a')).facts)`
      const args = ['--input-type=module', '-e', script, server.url()]
      // Its pool closes idle connections after ten seconds, which this ends before.
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 9000 })
      expect(stdout).toBe('stored\n')
    })

    it('refuses an option that is not allowed', () => {
      const make = postgresStore as (options: unknown) => unknown
      expect(() => make({})).toThrow('`postgresStore`: one of `connectionString` and `pool` is needed')
      expect(() => make({ connectionString: 'x', pool: {} })).toThrow('one of `connectionString` and `pool`')
      expect(() => make({ pool: 5 })).toThrow('`postgresStore({ pool })`: 5 is not a `Pool`')
      expect(() => make({ pool: {}, schema: '' })).toThrow('"" is not the name of a schema, of at most 63 bytes')
      expect(() => make({ pool: {}, table: 'ü'.repeat(32) })).toThrow('is not the name of a table')
      expect(() => make({ pool: {}, ttlMs: -1 })).toThrow('-1 is not a number of milliseconds')
    })

    describe.skipIf(!hasPgBouncer)(
      `behind PgBouncer in transaction mode${hasPgBouncer ? '' : ' (it is not installed: apt-get install pgbouncer)'}`,
      () => {
        let bouncer: PgBouncer
        beforeAll(async () => {
          bouncer = await startPgBouncer(server.port, 'transaction')
        })
        afterAll(() => bouncer.close())
        const openBehind = (table?: string): Store =>
          postgresStore({ connectionString: server.url({ port: bouncer.port }), ...(table && { table }) })
        storeContract({ make: () => openBehind(`b ${(tables += 1)}`), isBounded: false })
        storeUpdateContract(async () => {
          const table = `b ${(tables += 1)}`
          return [openBehind(table), openBehind(table)]
        })
      },
    )
  },
)
