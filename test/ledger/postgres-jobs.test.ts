import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type Document, type Engine } from '../../src/index.js'
import { openPostgres } from '../../src/ledger/shared/open-postgres.js'
import type { PgTiming } from '../../src/ledger/postgres/protocol.js'
import { startSite, type Site } from '../site/site.js'
import { factsOf, settings, slowTree, sorted } from './postgres-crawls.js'
import { missing, type Network, type PostgresServer, startNetwork, startPostgres } from './postgres-server.js'

/** Shorter times, so that a test sees what happens after them. */
const QUICK: PgTiming = { connectMs: 1000, statementMs: 800, blockingMs: 5000, patienceMs: 10_000 }

describe.skipIf(missing !== undefined)(`a job on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  let whole: unknown[]
  let engines: Engine[] = []
  let networks: Network[] = []
  let schema = ''
  let schemas = 0

  const crawlOf = (limit = 100) => ({ url: site.url('/'), limit, ignoreRobotsTxt: true, sitemap: 'skip' as const })
  const untilDone = (engine: Engine, id: string, least: number) =>
    expect
      .poll(async () => (await engine.job(id)?.status({ limit: 0 }))?.completed ?? 0, { interval: 5, timeout: 8000 })
      .toBeGreaterThanOrEqual(least)

  /** An engine on the schema of the test, which stands for a process. @param port of a network before the server */
  function start(port = server.port): Engine {
    const ledger = openPostgres({ connectionString: server.url({ port }), schema }, QUICK)
    const engine = createEngine({ ...settings, ledger })
    engines.push(engine)
    return engine
  }
  const openNetwork = async (): Promise<Network> => {
    const network = await startNetwork(server.port)
    networks.push(network)
    return network
  }
  /** Reads each document, with what was acknowledged. */
  async function readAll(job: AsyncIterable<Document> | undefined): Promise<unknown[]> {
    const read: unknown[] = []
    for await (const document of job ?? []) read.push(factsOf(document))
    return read
  }
  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages: slowTree })
    const engine = createEngine(settings)
    whole = (await engine.crawl(crawlOf()).finished()).data.map(factsOf)
    await engine.close()
  }, 60_000)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, 30_000)
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    await Promise.all(networks.map((network) => network.close()))
    ;[engines, networks] = [[], []]
  })
  const newSchema = (): void => void (schema = `jobs ${schemas++}`)

  it('is held by one engine, resumes in the next one where it was parked, and can be read by any when it has ended', async () => {
    newSchema()
    const first = start()
    const { id } = first.crawl(crawlOf())
    const other = start()
    expect(await other.job(id)?.status({ limit: 0 })).toMatchObject({ status: 'scraping' })
    expect(await other.resume()).toEqual([])
    await untilDone(first, id, 9)
    await first.close({ drain: true })
    const [job] = await other.resume()
    expect(job?.id).toBe(id)
    const status = await job?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: whole.length, failed: 0 })
    expect(status?.data.map(factsOf)).toEqual(whole)

    const reader = start().job(id)
    expect((await reader?.status())?.data.map(factsOf)).toEqual(whole)
    expect(await reader?.errors()).toEqual({ errors: [], robotsBlocked: [] })
    expect(await reader?.explain(site.url('/5'))).toMatchObject({ outcome: 'done', depth: 2 })
    expect(sorted(await readAll(reader))).toEqual(sorted(whole))
  }, 20_000)

  it('goes on when the server crashes and starts again', async () => {
    newSchema()
    const engine = start()
    const job = engine.crawl(crawlOf())
    const reading = readAll(job)
    await untilDone(engine, job.id, 10)
    await server.crash()
    await server.start()
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: whole.length })
    expect(sorted(await reading)).toEqual(sorted(whole))
    // The lock is back: another engine still finds the job held, or ended.
    expect((await start().job(job.id)?.status())?.data.map(factsOf)).toEqual(whole)
  }, 20_000)

  it.each(['cut', 'freeze'] as const)(
    'goes on when the network is away for a while (%s)',
    async (how) => {
      newSchema()
      const network = await openNetwork()
      const engine = start(network.port)
      const job = engine.crawl(crawlOf())
      const reading = readAll(job)
      await untilDone(engine, job.id, 10)
      network[how]()
      await sleep(1200)
      const requests = site.requests.length
      await sleep(200)
      // Pages are not fetched when nothing can be written.
      expect(site.requests.length).toBe(requests)
      network.mend()
      expect(await job.finished()).toMatchObject({ status: 'completed', completed: whole.length })
      expect(sorted(await reading)).toEqual(sorted(whole))
      await engine.close()
      expect((await start().job(job.id)?.status())?.data.map(factsOf)).toEqual(whole)
    },
    20_000,
  )

  it('belongs to the engine that has taken it over while its own one was cut off', async () => {
    newSchema()
    const network = await openNetwork()
    const first = start(network.port)
    const job = first.crawl(crawlOf())
    await untilDone(first, job.id, 5)
    network.cut()
    const second = start()
    await expect.poll(async () => (await second.resume()).length, { timeout: 5000 }).toBe(1)
    network.mend()
    const status = await second.job(job.id)?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: whole.length })
    expect(status?.data.map(factsOf)).toEqual(whole)
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'JOB_HELD' })
    expect(await start().job(job.id)?.status({ limit: 0 })).toMatchObject({ status: 'completed' })
  }, 20_000)

  it('is not resumed by the engine in which it has not ended yet', async () => {
    newSchema()
    const engine = start()
    const job = engine.crawl(crawlOf())
    await untilDone(engine, job.id, 5)
    await server.query(`UPDATE "${schema}".jobs SET owner = NULL`)
    expect(await engine.resume()).toEqual([])
    expect(engine.job(job.id)).toBe(job)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: whole.length })
  }, 20_000)

  it('fails with the error of the server when the disk is full, and resumes when there is room', async () => {
    newSchema()
    const first = start()
    const job = first.crawl(crawlOf())
    await untilDone(first, job.id, 5)
    await server.query(
      `CREATE OR REPLACE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON "${schema}".documents FOR EACH ROW EXECUTE FUNCTION fill_disk()`,
    )
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR' })
    expect(status.error).toMatch(/^the ledger postgres:\/\/.* cannot be used: .*No space left on device \(53100\)$/)
    await first.close().catch((error: unknown) => expect(error).toMatchObject({ code: 'LEDGER_ERROR' }))
    await server.query(`DROP TRIGGER full_disk ON "${schema}".documents`)
    const [again] = await start().resume()
    expect((await again?.finished())?.data.map(factsOf)).toEqual(whole)
  }, 20_000)
})
