import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, postgres } from '../../src/index.js'
import { startSite, type Site } from '../site/site.js'
import { hasPgBouncer, startPgBouncer } from './pg-bouncer.js'
import { factsOf, settings, slowTree, sorted } from './postgres-crawls.js'
import { missing, type PostgresServer, startPostgres } from './postgres-server.js'

/** Process that crawls: it continues the crawl of the one before it, and commits each document to a line of a file. */
const crawler = `
  import { appendFileSync, existsSync, readFileSync } from 'node:fs'
  import { createEngine, postgres } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
  const [connectionString, schema, url, committed] = process.argv.slice(1)
  const engine = createEngine({ ...${JSON.stringify(settings)}, ledger: postgres({ connectionString, schema }) })
  let job
  // The server may need a moment to see that the process before this one is gone.
  while (!job) {
    try {
      job = engine.crawl({ url, limit: 100, ignoreRobotsTxt: true, sitemap: 'skip' }, { acknowledge: true, idempotencyKey: 'one' })
    } catch (error) {
      if (error.code !== 'JOB_HELD') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const last = existsSync(committed) ? readFileSync(committed, 'utf8').trimEnd().split('\\n').at(-1) : undefined
  if (last) await job.acknowledge(JSON.parse(last)[0])
  for await (const { metadata, markdown } of job) {
    const { deliveryId, url, depth } = metadata
    appendFileSync(committed, JSON.stringify([deliveryId, new URL(url).pathname, depth, markdown]) + '\\n')
  }
  process.stdout.write((await job.finished()).status)
  await engine.close()`

/** Each process but the last one is killed. */
const KILLS = 2

describe.skipIf(missing !== undefined)(`a PostgreSQL server${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  let folder: string
  let whole: unknown[]
  let engines: Engine[] = []
  let schema = ''
  let schemas = 0

  const crawlOf = () => ({ url: site.url('/'), limit: 100, ignoreRobotsTxt: true, sitemap: 'skip' as const })
  function start(connectionString: string): Engine {
    const engine = createEngine({ ...settings, ledger: postgres({ connectionString, schema }) })
    engines.push(engine)
    return engine
  }

  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages: slowTree })
    folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    await chmod(folder, 0o755)
    const engine = createEngine(settings)
    whole = (await engine.crawl(crawlOf()).finished()).data.map(factsOf)
    await engine.close()
  }, 60_000)
  afterAll(async () => {
    await site.close()
    await server.close()
    await rm(folder, { recursive: true })
  }, 30_000)
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    engines = []
  })
  const newSchema = (): void => void (schema = `kills ${schemas++}`)

  it('loses no document and gives none twice when its process is killed, again and again', async () => {
    newSchema()
    const committed = join(folder, 'committed')
    const args = ['--input-type=module', '-e', crawler, server.url(), schema, site.url('/'), committed]
    const linesOf = async (): Promise<string[]> =>
      existsSync(committed) ? (await readFile(committed, 'utf8')).trimEnd().split('\n') : []
    let said = ''
    for (let kills = 0; kills <= KILLS; kills += 1) {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'close')
      child.stdout.on('data', (data) => (said += String(data)))
      const before = (await linesOf()).length
      if (kills < KILLS) {
        while ((await linesOf()).length < before + 5 + kills && child.exitCode === null) await sleep(5)
        child.kill('SIGKILL')
      }
      await ended
    }
    expect(said).toBe('completed')
    const lines = (await linesOf()).map((line) => JSON.parse(line) as unknown[])
    expect(lines.map(([deliveryId]) => deliveryId)).toEqual(lines.map((_, at) => at))
    expect(sorted(lines.map((line) => line.slice(1)))).toEqual(sorted(whole))
  }, 40_000)

  it('says what is wrong with a server that cannot be used', async () => {
    newSchema()
    const failure = (connectionString: string): unknown => {
      try {
        start(connectionString).crawl(crawlOf())
        return undefined
      } catch (error) {
        return error
      }
    }
    const saying = (message: RegExp) =>
      expect.objectContaining({ code: 'LEDGER_ERROR', message: expect.stringMatching(message) })
    expect(failure('postgres://trawl:x@127.0.0.1:1/postgres')).toEqual(
      saying(/^the ledger postgres:\/\/127\.0\.0\.1:1\/postgres cannot be used: connect ECONNREFUSED/),
    )
    expect(failure(server.url({ password: 'wrong' }))).toEqual(saying(/password authentication failed.*\(28P01\)$/))
    expect(failure(server.url({ database: 'none' }))).toEqual(saying(/database "none" does not exist \(3D000\)$/))
    await server.query(`CREATE ROLE poor LOGIN PASSWORD 'the password'`)
    expect(failure(server.url({ user: 'poor' }))).toEqual(saying(/permission denied for database postgres \(42501\)$/))
    await server.query(`ALTER ROLE poor SET default_transaction_read_only = on`)
    expect(failure(server.url({ user: 'poor' }))).toEqual(saying(/the connection is read-only/))
  }, 20_000)

  it.each(['settings', 'a pool'])('is found by the settings of a pool (%s)', async (what) => {
    newSchema()
    const { hostname: host, port, username: user, password } = new URL(server.url())
    const given = {
      host,
      port: Number(port),
      user,
      password: decodeURIComponent(password),
      database: 'postgres',
      max: 3,
    }
    const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (settings: object) => object }
    const engine = createEngine({
      ...settings,
      ledger: postgres({ pool: what === 'settings' ? given : new Pool(given), schema }),
    })
    engines.push(engine)
    expect((await engine.crawl({ ...crawlOf(), limit: 3 }).finished()).completed).toBe(3)
    expect(await server.query(`SELECT count(*)::int AS jobs FROM "${schema}".jobs`)).toEqual([{ jobs: 1 }])
  })

  it('is refused by a read-only replica', async () => {
    newSchema()
    await server.crash()
    const signal = join(server.folder, 'data', 'standby.signal')
    await writeFile(signal, '')
    await server.start()
    expect(() => start(server.url()).crawl(crawlOf())).toThrow(/read-only replica/)
    await server.crash()
    await rm(signal)
    await server.start()
  }, 20_000)

  it.skipIf(!hasPgBouncer).each(['session', 'transaction'] as const)(
    'runs through PgBouncer in session mode, and is refused in transaction mode (%s)',
    async (mode) => {
      newSchema()
      const bouncer = await startPgBouncer(server.port, mode)
      try {
        const engine = start(server.url({ port: bouncer.port }))
        if (mode === 'transaction') expect(() => engine.crawl(crawlOf())).toThrow(/pool_mode = session/)
        else {
          const status = await engine.crawl(crawlOf()).finished()
          expect(status?.data.map(factsOf)).toEqual(whole)
        }
        await engine.close()
      } finally {
        await bouncer.close()
      }
    },
    20_000,
  )
})
