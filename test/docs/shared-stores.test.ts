import { mkdir, rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { missing, type PostgresServer, startPostgres } from '../base/store/postgres-server.js'
import type { Site } from '../site/site.js'
import { missing as noRedis, type RedisServer, startRedis } from '../base/store/redis-server.js'
import { BUCKET, credentials, REGION, startS3 } from '../base/store/s3-server.js'
import { blocks, writeModules } from './doc-code.js'
import { startDocSite } from './doc-site.js'

/** The recipes are files of their own in this folder, which is removed at the end. */
const folder = new URL('.stores/', import.meta.url)

describe('the recipes of docs/guides/shared-stores.md', () => {
  let site: Site
  const log = vi.spyOn(console, 'log')

  beforeAll(async () => {
    site = await startDocSite()
    await mkdir(folder, { recursive: true })
  })
  afterAll(async () => {
    await site.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => void log.mockImplementation(() => undefined))
  afterEach(() => log.mockReset())

  /** Runs a recipe with other strings, and returns what it prints. */
  async function run(name: string, replacements: Readonly<Record<string, string>>): Promise<unknown[]> {
    const recipe = blocks.find((block) => block.name === name)
    if (!recipe) throw new Error(`there is no recipe ${name}`)
    let { code } = recipe
    for (const [written, actual] of Object.entries(replacements)) {
      expect(code).toContain(`'${written}'`)
      code = code.replace(`'${written}'`, actual)
    }
    await writeModules([{ ...recipe, code }], {
      origin: site.origin,
      folder,
      ports: [],
      trawl: '../../../src/index.js',
    })
    await import(new URL(name, folder).href)
    return log.mock.calls.at(-1) ?? []
  }

  const printed = [
    expect.stringMatching(/^https:\/\/api\.example\.com\/media\/[0-9a-f]{32}\.mp3$/),
    'audio/mpeg',
    expect.any(Number),
  ]

  describe.skipIf(missing !== undefined)(
    `with PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    () => {
      let server: PostgresServer
      beforeAll(async () => {
        server = await startPostgres()
      }, 60_000)
      afterAll(() => server.close(), 30_000)

      it('store pages, snapshots and media', async () => {
        const said = await run('postgres-stores.ts', {
          'postgres://user:password@host:5432/database': JSON.stringify(server.url()),
        })
        expect(said).toEqual(printed)
        const count = 'SELECT count(*)::int AS n FROM trawl.'
        expect(await server.query(`${count}pages WHERE expires_at > now() + interval '6 days'`)).not.toEqual([{ n: 0 }])
        // A snapshot and a media file.
        expect(await server.query(`${count}store WHERE expires_at IS NULL`)).toEqual([{ n: 2 }])
      }, 60_000)
    },
  )

  it('store pages, snapshots and media in an S3-compatible storage', async () => {
    const server = await startS3()
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    try {
      const said = await run('s3-stores.ts', {
        'https://minio.example.com:9000': JSON.stringify(server.endpoint),
        crawler: JSON.stringify(BUCKET),
        'us-east-1': JSON.stringify(REGION),
        'an id': JSON.stringify(accessKeyId),
        'a secret': `${JSON.stringify(secretAccessKey)}, sessionToken: ${JSON.stringify(sessionToken)}`,
      })
      expect(said).toEqual([expect.stringMatching(/^https:\/\/files\.example\.com\/media\/[0-9a-f]{32}\.mp3$/)])
      const folders = [...server.objects.keys()].map((path) => path.split('/')[2])
      expect(new Set(folders)).toEqual(new Set(['pages', 'store', 'media']))
    } finally {
      await server.close()
    }
  }, 60_000)

  describe.skipIf(noRedis !== undefined)(`with Redis${noRedis === undefined ? '' : ` (skipped: ${noRedis})`}`, () => {
    let server: RedisServer
    beforeAll(async () => {
      server = await startRedis()
    })
    afterAll(() => server.close())

    it('store pages, snapshots and media', async () => {
      expect(await run('redis-stores.ts', { 'redis://localhost:6379': JSON.stringify(server.url) })).toEqual(printed)
    }, 60_000)
  })
})
