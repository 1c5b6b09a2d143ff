import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Engine, postgres } from '../../../src/index.js'
import { hasPgBouncer, startPgBouncer } from '../../base/store/pg-bouncer.js'
import { factsOf, LONG_MS, settings, sorted } from './postgres-crawls.js'
import { missing } from '../../base/store/postgres-server.js'
import { useCrawls } from './use-crawls.js'

/** Process that crawls: it continues the crawl of the one before it, and commits each document to a line of a file. */
const crawler = `
  import { appendFileSync, existsSync, readFileSync } from 'node:fs'
  import { createEngine, postgres } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const [connectionString, schema, url, committed] = process.argv.slice(1)
  const engine = createEngine({ ...${JSON.stringify(settings)}, ledger: postgres({ connectionString, schema }) })
  let job
  // The server may need a moment to see that the process before this one is gone.
  while (!job) {
    try {
      job = await engine.crawl({ url, limit: 100, ignoreRobotsTxt: true, sitemap: 'skip' }, { acknowledge: true, idempotencyKey: 'one' })
    } catch (error) {
      if (error.code !== 'JOB_HELD') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  // Where the server still had the process before this one, another engine had the job: it is free a moment later.
  const taking = setInterval(() => void engine.resume().catch(() => undefined), 200)
  const last = existsSync(committed) ? readFileSync(committed, 'utf8').trimEnd().split('\\n').at(-1) : undefined
  if (last) await job.acknowledge(JSON.parse(last)[0])
  for await (const { metadata, markdown } of job) {
    const { deliveryId, url, depth } = metadata
    appendFileSync(committed, JSON.stringify([deliveryId, new URL(url).pathname, depth, markdown]) + '\\n')
  }
  clearInterval(taking)
  process.stdout.write((await job.finished()).status)
  await engine.close()`

/** Each process but the last one is killed. */
const KILLS = 2

const title = `a PostgreSQL server${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()
  let folder: string
  function start(connectionString: string): Engine {
    return on.closeLater(createEngine({ ...settings, ledger: postgres({ connectionString, schema: on.schema }) }))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    await chmod(folder, 0o755)
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })
  it('loses no document and gives none twice when its process is killed, again and again', async () => {
    const committed = join(folder, 'committed')
    const args = ['--input-type=module', '-e', crawler, on.server.url(), on.schema, on.site.url('/'), committed]
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
    expect(sorted(lines.map((line) => line.slice(1)))).toEqual(sorted(on.whole))
  })

  it('says what is wrong with a server that cannot be used', async () => {
    const failure = async (connectionString: string): Promise<unknown> => {
      const job = start(connectionString).crawl(on.crawlOf())
      const error: unknown = await job.prepared().catch((thrown: unknown) => thrown)
      expect(await job.finished()).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR', data: [] })
      return error
    }
    const saying = (message: RegExp) =>
      expect.objectContaining({ code: 'LEDGER_ERROR', message: expect.stringMatching(message) })
    expect(await failure('postgres://trawl:x@127.0.0.1:1/postgres')).toEqual(
      saying(/^the ledger postgres:\/\/127\.0\.0\.1:1\/postgres cannot be used: connect ECONNREFUSED/),
    )
    expect(await failure(on.server.url({ password: 'wrong' }))).toEqual(
      saying(/password authentication failed.*\(28P01\)$/),
    )
    expect(await failure(on.server.url({ database: 'none' }))).toEqual(
      saying(/database "none" does not exist \(3D000\)$/),
    )
    await on.server.query(`CREATE ROLE poor LOGIN PASSWORD 'the password'`)
    expect(await failure(on.server.url({ user: 'poor' }))).toEqual(
      saying(/permission denied for database postgres \(42501\)$/),
    )
    await on.server.query(`ALTER ROLE poor SET default_transaction_read_only = on`)
    expect(await failure(on.server.url({ user: 'poor' }))).toEqual(saying(/the connection is read-only/))
  })

  it.each(['settings', 'a pool'])('is found by the settings of a pool (%s)', async (what) => {
    const { hostname: host, port, username: user, password } = new URL(on.server.url())
    const given = {
      host,
      port: Number(port),
      user,
      password: decodeURIComponent(password),
      database: 'postgres',
      max: 3,
    }
    const { Pool } = createRequire(import.meta.url)('pg') as { Pool: new (settings: object) => object }
    const ledger = postgres({ pool: what === 'settings' ? given : new Pool(given), schema: on.schema })
    const engine = on.closeLater(createEngine({ ...settings, ledger }))
    expect((await engine.crawl({ ...on.crawlOf(), limit: 3 }).finished()).completed).toBe(3)
    expect(await on.server.query(`SELECT count(*)::int AS jobs FROM "${on.schema}".jobs`)).toEqual([{ jobs: 1 }])
  })

  it('is refused by a read-only replica', async () => {
    await on.server.crash()
    const signal = join(on.server.folder, 'data', 'standby.signal')
    await writeFile(signal, '')
    await on.server.start()
    await expect(start(on.server.url()).crawl(on.crawlOf()).prepared()).rejects.toThrow(/read-only replica/)
    await on.server.crash()
    await rm(signal)
    await on.server.start()
  })

  it.skipIf(!hasPgBouncer).each(['session', 'transaction'] as const)(
    'runs through PgBouncer in session mode, and is refused in transaction mode (%s)',
    async (mode) => {
      const bouncer = await startPgBouncer(on.server.port, mode)
      try {
        const engine = start(on.server.url({ port: bouncer.port }))
        if (mode === 'transaction')
          await expect(engine.crawl(on.crawlOf()).prepared()).rejects.toThrow(/pool_mode = session/)
        else {
          const status = await engine.crawl(on.crawlOf()).finished()
          expect(sorted(status?.data.map(factsOf))).toEqual(sorted(on.whole))
        }
        await engine.close()
      } finally {
        await bouncer.close()
      }
    },
  )
})
