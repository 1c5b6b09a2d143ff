import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { describe, expect, it } from 'vitest'
import {
  createEngine,
  type Engine,
  type EngineConfig,
  keyvCache,
  keyvStore,
  postgres,
  postgresStore,
  storeCache,
  storeProfiles,
  warc,
} from '../../../src/index.js'
import { missing as noPostgres, startPostgres } from '../../base/store/postgres-server.js'
import { missing as noRedis, startRedis } from '../../base/store/redis-server.js'
import { startReceiver } from '../../site/receiver.js'
import { type LoginSite, PASSWORD, SEED, startLoginSite, titlesOf, USER } from '../login/login-site.js'
import { findSecrets } from './find-secrets.js'

const LONG_MS = 120_000
const WRONG = 'wrong-password-4'
const settings: EngineConfig = {
  threads: 0,
  allowPrivateNetworks: true,
  fetcher: 'http',
  env: { SITE_PASSWORD: PASSWORD, SITE_WRONG: WRONG, SITE_SEED: SEED },
}

const unpack = (bytes: Buffer): string => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')

const secretsIn = (texts: readonly string[]): string[] => findSecrets([PASSWORD, SEED, WRONG], texts)

async function crawl(engine: Engine, site: LoginSite, isRight: boolean, webhook: string): Promise<string[]> {
  const login = {
    url: site.loginUrl,
    profile: 'team',
    fields: { username: USER },
    secrets: {
      password: { env: isRight ? 'SITE_PASSWORD' : 'SITE_WRONG' },
      ...(isRight && { code: { totp: { env: 'SITE_SEED' } } }),
    },
  }
  const job = engine.crawl({
    url: site.url,
    crawlEntireDomain: true,
    webhook,
    scrapeOptions: { login, formats: ['markdown', 'changeTracking'] },
  })
  const { data } = await job.finished()
  return data.map(({ metadata }) => metadata.title ?? '').toSorted((a, b) => (a < b ? -1 : 1))
}

/** Crawls a site whose session ends once on three machines, and then one with a wrong password. */
async function crawlOnMachines(engines: readonly Engine[]): Promise<{ logins: number; told: string }> {
  const receiver = await startReceiver()
  try {
    await using site = await startLoginSite('code', [5])
    const all = await Promise.all(engines.map((engine) => crawl(engine, site, true, receiver.url)))
    for (const titles of all) expect(titles).toEqual(titlesOf(site))
    expect(site.wrong()).toBe(0)
    await using other = await startLoginSite('form')
    const [engine] = engines
    expect(engine && (await crawl(engine, other, false, receiver.url))).toEqual([])
    expect(other.wrong()).toBeLessThanOrEqual(2)
    return { logins: site.logins(), told: JSON.stringify(receiver.received) }
  } finally {
    await receiver.close()
  }
}

describe.skipIf(noPostgres !== undefined)(`a login on machines that share PostgreSQL: ${noPostgres ?? ''}`, () => {
  it(
    'is done once for each end of a session, and no table, archive or message has a secret',
    async () => {
      const server = await startPostgres()
      const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
      const stores = Array.from({ length: 3 }, () => postgresStore({ connectionString: server.url() }))
      const engines = stores.map((store, at) =>
        createEngine({
          ...settings,
          ledger: postgres({ connectionString: server.url() }),
          cache: storeCache(store),
          snapshots: store,
          profiles: storeProfiles(store),
          archive: warc(join(folder, `${at}.warc.gz`)),
        }),
      )
      try {
        const { logins, told } = await crawlOnMachines(engines)
        expect(logins).toBeLessThanOrEqual(2)
        await Promise.all(engines.map((engine) => engine.close()))
        const tables = await server.query(
          "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
        )
        expect(tables.length).toBeGreaterThan(3)
        const texts = [told]
        let rows = 0
        for (const { name } of tables) {
          const found = await server.query(`SELECT one::text AS text FROM ${String(name)} AS one`)
          rows += found.length
          texts.push(...found.map(({ text }) => String(text)))
        }
        expect(rows).toBeGreaterThan(30)
        for (const file of await readdir(folder)) texts.push(unpack(await readFile(join(folder, file))))
        expect(texts.join('')).toContain('harbour')
        expect(secretsIn(texts)).toEqual([])
      } finally {
        await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
        await Promise.all(stores.map((store) => store.close()))
        await server.close()
        await rm(folder, { recursive: true })
      }
    },
    3 * LONG_MS,
  )
})

describe.skipIf(noRedis !== undefined)(`a login on machines that share Redis: ${noRedis ?? ''}`, () => {
  it(
    'is done once for each end of a session, and no value has a secret',
    async () => {
      const server = await startRedis()
      const connections = Array.from({ length: 3 }, () => new Keyv(new KeyvRedis(server.url)))
      const engines = connections.map((keyv) => {
        const store = keyvStore(keyv)
        const cache = keyvCache(keyv, { prefix: 'pages:' })
        return createEngine({ ...settings, cache, snapshots: store, profiles: storeProfiles(store) })
      })
      try {
        const { logins, told } = await crawlOnMachines(engines)
        expect(logins).toBeLessThanOrEqual(2)
        await Promise.all(engines.map((engine) => engine.close()))
        const client = new KeyvRedis(server.url)
        const redis = await client.getClient()
        const texts = [told]
        for (const key of await redis.keys('*')) texts.push(key, String(await redis.get(key)))
        await client.disconnect()
        expect(texts.length).toBeGreaterThan(10)
        expect(secretsIn(texts)).toEqual([])
      } finally {
        await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
        await Promise.all(connections.map((keyv) => keyv.disconnect()))
        await server.close()
      }
    },
    LONG_MS,
  )
})
