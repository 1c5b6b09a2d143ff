import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Document, Engine, Job } from '../../../src/index.js'
import { factsOf, LONG_MS, sorted, untilSteady } from './postgres-crawls.js'
import { missing, type Network, startNetwork } from '../../base/store/postgres-server.js'
import { PATIENT, QUICK, useCrawls } from './use-crawls.js'

const title = `a job on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`
describe.skipIf(missing !== undefined)(title, { timeout: 3 * LONG_MS }, () => {
  const on = useCrawls()
  let networks: Network[] = []

  const openNetwork = async (): Promise<Network> => {
    const network = await startNetwork(on.server.port)
    networks.push(network)
    return network
  }
  /** Starts a crawl that is in its midst until the site is allowed to answer more. */
  async function startCrawl(engine: Engine): Promise<Job<Document>> {
    on.allow(12)
    const job = engine.crawl(on.crawlOf())
    await expect
      .poll(async () => (await job.status({ limit: 0 })).completed, { interval: 5, timeout: LONG_MS })
      .toBeGreaterThanOrEqual(9)
    return job
  }
  /** Reads each document, with what was acknowledged. */
  async function readAll(job: AsyncIterable<Document> | undefined): Promise<unknown[]> {
    const read: unknown[] = []
    for await (const document of job ?? []) read.push(factsOf(document))
    return read
  }
  const documentsOf = (status: { readonly data: readonly Document[] } | undefined): string[] =>
    sorted(status?.data.map(factsOf) ?? [])

  afterEach(async () => {
    await Promise.all(networks.map((network) => network.close()))
    networks = []
  })

  it('is held by one engine, resumes in the next one where it was parked, and can be read by any when it has ended', async () => {
    const first = on.start()
    const { id } = await startCrawl(first)
    const other = on.start()
    expect(await (await other.job(id))?.status({ limit: 0 })).toMatchObject({ status: 'scraping' })
    expect(await other.resume()).toEqual([])
    const closing = first.close({ drain: true })
    on.allow(Infinity)
    await closing
    const [job] = await other.resume()
    expect(job?.id).toBe(id)
    const status = await job?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: on.whole.length, failed: 0 })
    expect(documentsOf(status)).toEqual(sorted(on.whole))

    const reader = await on.start().job(id)
    expect(documentsOf(await reader?.status())).toEqual(sorted(on.whole))
    expect(await reader?.errors()).toEqual({ errors: [], robotsBlocked: [] })
    expect(await reader?.explain(on.site.url('/5'))).toMatchObject({ outcome: 'done', depth: 2 })
    expect(sorted(await readAll(reader))).toEqual(sorted(on.whole))
  })

  it('goes on when the server crashes and starts again', async () => {
    const job = await startCrawl(on.start())
    const reading = readAll(job)
    await on.server.crash()
    on.allow(Infinity)
    await on.server.start()
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(sorted(await reading)).toEqual(sorted(on.whole))
    // The lock is back: another engine still finds the job held, or ended.
    expect(documentsOf(await (await on.start().job(job.id))?.status())).toEqual(sorted(on.whole))
  })

  it('goes on when the server fails over: it is a replica for a while, and is promoted', async () => {
    const job = await startCrawl(on.start())
    const reading = readAll(job)
    const before = on.site.requests.length
    await on.server.crash()
    await writeFile(join(on.server.folder, 'data', 'standby.signal'), '')
    await on.server.start()
    on.allow(Infinity)
    expect((await untilSteady(() => on.site.requests.length)) - before).toBeLessThan(on.whole.length / 2)
    await on.server.query('SELECT pg_promote()')
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(sorted(await reading)).toEqual(sorted(on.whole))
  })

  it.each([
    ['cut', PATIENT],
    ['freeze', QUICK],
  ] as const)('goes on when the network is away for a while (%s)', async (how, timing) => {
    const network = await openNetwork()
    const before = on.site.requests.length
    const engine = on.start(network.port, timing)
    const job = await startCrawl(engine)
    const reading = readAll(job)
    await network[how]()
    on.allow(Infinity)
    // Pages are not fetched when nothing can be written.
    const fetched = (await untilSteady(() => on.site.requests.length)) - before
    expect(fetched).toBeLessThan(on.whole.length / 2)
    await network.mend()
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(sorted(await reading)).toEqual(sorted(on.whole))
    await engine.close()
    expect(documentsOf(await (await on.start().job(job.id))?.status())).toEqual(sorted(on.whole))
  })

  it('belongs to the engine that has taken it over while its own one was cut off', async () => {
    const network = await openNetwork()
    const job = await startCrawl(on.start(network.port))
    await network.cut()
    const second = on.start()
    await expect.poll(async () => (await second.resume()).length, { timeout: LONG_MS }).toBe(1)
    await network.mend()
    on.allow(Infinity)
    const status = await (await second.job(job.id))?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(documentsOf(status)).toEqual(sorted(on.whole))
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'JOB_HELD' })
    expect(await (await on.start().job(job.id))?.status({ limit: 0 })).toMatchObject({ status: 'completed' })
  })

  it('is not resumed by the engine in which it has not ended yet', async () => {
    const engine = on.start()
    const job = await startCrawl(engine)
    await on.server.query(`UPDATE "${on.schema}".jobs SET owner = NULL`)
    expect(await engine.resume()).toEqual([])
    expect(await engine.job(job.id)).toBe(job)
    on.allow(Infinity)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
  })

  it('fails with the error of the server when the disk is full, and resumes when there is room', async () => {
    const first = on.start()
    const job = await startCrawl(first)
    await on.server.query(
      `CREATE OR REPLACE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON "${on.schema}".documents FOR EACH ROW EXECUTE FUNCTION fill_disk()`,
    )
    on.allow(Infinity)
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR' })
    expect(status.error).toMatch(/^the ledger postgres:\/\/.* cannot be used: .*No space left on device \(53100\)$/)
    await first.close().catch((error: unknown) => expect(error).toMatchObject({ code: 'LEDGER_ERROR' }))
    await on.server.query(`DROP TRIGGER full_disk ON "${on.schema}".documents`)
    const [again] = await on.start().resume()
    expect(documentsOf(await again?.finished())).toEqual(sorted(on.whole))
  })
})
