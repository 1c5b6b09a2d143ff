import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { Document, Engine } from '../../src/index.js'
import { factsOf, sorted } from './postgres-crawls.js'
import { missing, type Network, startNetwork } from './postgres-server.js'
import { useCrawls } from './use-crawls.js'

describe.skipIf(missing !== undefined)(`a job on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()
  let networks: Network[] = []
  const untilDone = (engine: Engine, id: string, least: number) =>
    expect
      .poll(async () => (await engine.job(id)?.status({ limit: 0 }))?.completed ?? 0, { interval: 5, timeout: 8000 })
      .toBeGreaterThanOrEqual(least)

  const openNetwork = async (): Promise<Network> => {
    const network = await startNetwork(on.server.port)
    networks.push(network)
    return network
  }
  /** Reads each document, with what was acknowledged. */
  async function readAll(job: AsyncIterable<Document> | undefined): Promise<unknown[]> {
    const read: unknown[] = []
    for await (const document of job ?? []) read.push(factsOf(document))
    return read
  }
  afterEach(async () => {
    await Promise.all(networks.map((network) => network.close()))
    networks = []
  })

  it('is held by one engine, resumes in the next one where it was parked, and can be read by any when it has ended', async () => {
    const first = on.start()
    const { id } = first.crawl(on.crawlOf())
    const other = on.start()
    expect(await other.job(id)?.status({ limit: 0 })).toMatchObject({ status: 'scraping' })
    expect(await other.resume()).toEqual([])
    await untilDone(first, id, 9)
    await first.close({ drain: true })
    const [job] = await other.resume()
    expect(job?.id).toBe(id)
    const status = await job?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: on.whole.length, failed: 0 })
    expect(status?.data.map(factsOf)).toEqual(on.whole)

    const reader = on.start().job(id)
    expect((await reader?.status())?.data.map(factsOf)).toEqual(on.whole)
    expect(await reader?.errors()).toEqual({ errors: [], robotsBlocked: [] })
    expect(await reader?.explain(on.site.url('/5'))).toMatchObject({ outcome: 'done', depth: 2 })
    expect(sorted(await readAll(reader))).toEqual(sorted(on.whole))
  }, 20_000)

  it('goes on when the server crashes and starts again', async () => {
    const engine = on.start()
    const job = engine.crawl(on.crawlOf())
    const reading = readAll(job)
    await untilDone(engine, job.id, 10)
    await on.server.crash()
    await on.server.start()
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(sorted(await reading)).toEqual(sorted(on.whole))
    // The lock is back: another engine still finds the job held, or ended.
    expect((await on.start().job(job.id)?.status())?.data.map(factsOf)).toEqual(on.whole)
  }, 20_000)

  it.each(['cut', 'freeze'] as const)(
    'goes on when the network is away for a while (%s)',
    async (how) => {
      const network = await openNetwork()
      const engine = on.start(network.port)
      const job = engine.crawl(on.crawlOf())
      const reading = readAll(job)
      await untilDone(engine, job.id, 10)
      network[how]()
      await sleep(1200)
      const requests = on.site.requests.length
      await sleep(200)
      // Pages are not fetched when nothing can be written.
      expect(on.site.requests.length).toBe(requests)
      network.mend()
      expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
      expect(sorted(await reading)).toEqual(sorted(on.whole))
      await engine.close()
      expect((await on.start().job(job.id)?.status())?.data.map(factsOf)).toEqual(on.whole)
    },
    20_000,
  )

  it('belongs to the engine that has taken it over while its own one was cut off', async () => {
    const network = await openNetwork()
    const first = on.start(network.port)
    const job = first.crawl(on.crawlOf())
    await untilDone(first, job.id, 5)
    network.cut()
    const second = on.start()
    await expect.poll(async () => (await second.resume()).length, { timeout: 5000 }).toBe(1)
    network.mend()
    const status = await second.job(job.id)?.finished()
    expect(status).toMatchObject({ status: 'completed', completed: on.whole.length })
    expect(status?.data.map(factsOf)).toEqual(on.whole)
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'JOB_HELD' })
    expect(await on.start().job(job.id)?.status({ limit: 0 })).toMatchObject({ status: 'completed' })
  }, 20_000)

  it('is not resumed by the engine in which it has not ended yet', async () => {
    const engine = on.start()
    const job = engine.crawl(on.crawlOf())
    await untilDone(engine, job.id, 5)
    await on.server.query(`UPDATE "${on.schema}".jobs SET owner = NULL`)
    expect(await engine.resume()).toEqual([])
    expect(engine.job(job.id)).toBe(job)
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: on.whole.length })
  }, 20_000)

  it('fails with the error of the server when the disk is full, and resumes when there is room', async () => {
    const first = on.start()
    const job = first.crawl(on.crawlOf())
    await untilDone(first, job.id, 5)
    await on.server.query(
      `CREATE OR REPLACE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON "${on.schema}".documents FOR EACH ROW EXECUTE FUNCTION fill_disk()`,
    )
    const status = await job.finished()
    expect(status).toMatchObject({ status: 'failed', code: 'LEDGER_ERROR' })
    expect(status.error).toMatch(/^the ledger postgres:\/\/.* cannot be used: .*No space left on device \(53100\)$/)
    await first.close().catch((error: unknown) => expect(error).toMatchObject({ code: 'LEDGER_ERROR' }))
    await on.server.query(`DROP TRIGGER full_disk ON "${on.schema}".documents`)
    const [again] = await on.start().resume()
    expect((await again?.finished())?.data.map(factsOf)).toEqual(on.whole)
  }, 20_000)
})
