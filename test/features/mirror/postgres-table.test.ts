import { createRequire } from 'node:module'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type MirrorTarget, type PostgresTableOptions, postgresTable } from '../../../src/index.js'
import {
  missing,
  type Network,
  type PostgresServer,
  startNetwork,
  startPostgres,
} from '../../base/store/postgres-server.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { mirrorTargetContract } from './mirror-target.contract.js'
import { expectOneAtATime } from './two-processes.js'

interface Pool {
  connect(): Promise<unknown>
  readonly totalCount: number
  readonly idleCount: number
  end(): Promise<void>
}
const { Pool: PgPool } = createRequire(import.meta.url)('pg') as { Pool: new (given: object) => Pool }

const toTexts = (rows: readonly Record<string, unknown>[]): Record<string, string> =>
  Object.fromEntries(rows.map((row) => [String(row['key']), JSON.stringify(row)]))

describe.skipIf(missing !== undefined)(`postgresTable()${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let network: Network
  beforeAll(async () => {
    server = await startPostgres()
    network = await startNetwork(server.port)
    await server.query('CREATE SCHEMA "a ""new"" schema?"')
  }, 60_000)
  afterAll(async () => {
    await network.close()
    await server.close()
  }, 30_000)
  const read = async (table: string): Promise<Record<string, string>> =>
    toTexts(await server.query(`SELECT * FROM ${table} ORDER BY key`))
  const nobodyIsConnected = (): Promise<void> =>
    expect
      .poll(() =>
        server.query(
          `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        ),
      )
      .toEqual([])
      .then(() => undefined)

  describe.each<[string, PostgresTableOptions]>([
    ['pages', {}],
    ['chunks', { unit: 'chunk' }],
  ])('a table of %s', (kind, options) => {
    const tableOf = (place: string): string => `${kind}-${place}?`
    mirrorTargetContract({
      make: (place) => postgresTable({ connectionString: server.url(), table: tableOf(place), ...options }),
      read: (place) => read(`"${tableOf(place)}"`),
    })
  })

  describe('a table in a schema, by a pool of the caller', () => {
    let pool: Pool
    beforeAll(() => {
      pool = new PgPool({ connectionString: server.url(), max: 2 })
    })
    afterAll(async () => {
      expect(pool.totalCount - pool.idleCount).toBe(0)
      await pool.end()
    })
    mirrorTargetContract({
      make: (place) => postgresTable({ pool, table: `a "new" schema?.${place}` }),
      read: (place) => read(`"a ""new"" schema?"."${place}"`),
    })
  })

  describe('a table of chunks with vectors, in PGlite', () => {
    let client: PGlite
    let embedded = 0
    beforeAll(async () => {
      client = await PGlite.create({ extensions: { vector } })
      await client.exec('CREATE EXTENSION vector')
    }, 60_000)
    afterAll(() => client.close())
    const embed = async (texts: readonly string[]): Promise<number[][]> => {
      embedded += texts.length
      return texts.map((text) => [text.length, 0.5])
    }
    mirrorTargetContract({
      make: (place) => postgresTable({ client, table: place, unit: 'chunk', embed }),
      read: async (place) => toTexts((await client.query<Record<string, unknown>>(`SELECT * FROM ${place}`)).rows),
    })
    it('embeds each text once', () => expect(embedded).toBeGreaterThan(0))
  })

  it('does not have its password in its name, and goes by its database', () => {
    const names = ['one', 'two'].map((database) => postgresTable({ connectionString: server.url({ database }) }).name)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(decodeURIComponent(name)).not.toContain('the password')
  })

  describe('a mirror of a site', () => {
    const on = useChangingSite()

    /** Opens a mirror of a site in a table of its own. */
    async function open(table: string, { port }: { port?: number } = {}) {
      const opened = await openChangingSite(on, { '/': ['/a', '/b'] })
      const target = (): MirrorTarget =>
        postgresTable({ connectionString: server.url({ ...(port !== undefined && { port }) }), table })
      return { ...opened, target, mirror: opened.engine.mirror({ url: opened.start }, target()) }
    }

    it('is filled by one process at a time', () =>
      expectOneAtATime(on, () => postgresTable({ connectionString: server.url(), table: 'shared' })))

    it('makes its tables once when many begin at once', async () => {
      const { engine, start } = await open('once')
      const target = () => postgresTable({ connectionString: server.url(), table: 'once' })
      const engines = Array.from({ length: 6 }, () => createEngine({ allowPrivateNetworks: true, threads: 0 }))
      const states = await Promise.all(engines.map((one) => one.mirror({ url: start }, target()).status()))
      for (const { pages } of states) expect(pages).toBe(0)
      await Promise.all(engines.map((one) => one.close()))
      expect(await engine.mirror({ url: start }, target()).sync()).toMatchObject({ new: 3 })
    })

    it('goes on after its connection was lost, and leaves none', async () => {
      const { mirror, pages } = await open('lost', { port: network.port })
      await mirror.sync()
      pages.set('/a', { links: [], text: 'New.' })
      await network.cut()
      await expect(mirror.sync()).rejects.toMatchObject({ code: 'LEDGER_ERROR' })
      await network.mend()
      // The row was committed, and its answer lost.
      await network.loseAnswer('COMMIT', 'mend')
      await mirror.sync().catch((error: unknown) => expect(error).toMatchObject({ code: 'LEDGER_ERROR' }))
      await mirror.sync()
      expect((await mirror.verify()).ok).toBe(true)
      expect(JSON.stringify(await read('lost'))).toContain('New.')
      await nobodyIsConnected()
    })

    it('says what the server says, without the password', async () => {
      const { engine, start } = await open('refused')
      for (const [connectionString, text] of [
        [server.url({ password: 'a wrong one' }), 'password authentication failed'],
        [server.url({ database: 'nowhere' }), 'does not exist'],
      ] as const) {
        const status = engine.mirror({ url: start }, postgresTable({ connectionString })).status()
        await expect(status).rejects.toThrow(text)
        await expect(status).rejects.not.toThrow(/a wrong one|the password/)
      }
      await nobodyIsConnected()
    })
  })
})
