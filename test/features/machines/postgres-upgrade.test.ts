import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createEngine, type Document, type Job, postgres } from '../../../src/index.js'
import { factsOf, settings, sorted } from './postgres-crawls.js'
import { missing, startNetwork } from '../../base/store/postgres-server.js'
import { useCrawls } from './use-crawls.js'

/** Takes the migrations after the third one back. */
const TO_VERSION_3 = `
  DROP TABLE SCHEMA.commands; DROP TABLE SCHEMA.readers;
  ALTER TABLE SCHEMA.jobs DROP COLUMN counts; ALTER TABLE SCHEMA.pages DROP COLUMN hash;
  UPDATE SCHEMA.schema_version SET version = 3`

describe.skipIf(missing !== undefined)(`the versions of a schema${missing === undefined ? '' : `: ${missing}`}`, () => {
  const on = useCrawls()
  const ask = (sql: string) => on.server.query(sql.replaceAll('SCHEMA', `"${on.schema}"`))
  const startCrawl = async (engine: ReturnType<typeof on.start>): Promise<Job<Document>> => {
    const before = on.site.requests.length
    const job = engine.crawl(on.crawlOf())
    while (on.site.requests.length < before + 5) await sleep(5)
    return job
  }

  it('of an earlier version of trawl is upgraded, with its jobs', async () => {
    const old = on.start()
    const ended = old.crawl({ ...on.crawlOf(), limit: 5 })
    await ended.finished()
    const left = await startCrawl(old)
    await old.close({ drain: false })
    const present = await ask('SELECT version FROM SCHEMA.schema_version')
    await ask(TO_VERSION_3)

    const next = on.start()
    const [resumed] = await next.resume()
    expect(resumed?.id).toBe(left.id)
    const { data = [] } = (await resumed?.finished()) ?? {}
    expect(sorted(data.map(factsOf))).toEqual(sorted(on.whole))
    expect((await (await next.job(ended.id))?.status())?.data).toHaveLength(5)
    expect(await ask('SELECT version FROM SCHEMA.schema_version')).toEqual(present)
  }, 60_000)

  it('of a later version is used by engines that were connected before it', async () => {
    const engine = on.start()
    const job = await startCrawl(engine)
    await ask('UPDATE SCHEMA.schema_version SET version = 99')
    expect((await job.finished()).data).toHaveLength(on.whole.length)
    await engine.close()
    const old = on.start()
    await expect(old.listJobs()).rejects.toThrow(/later version of trawl: it has version 99/)
    expect(await old.health()).toMatchObject({
      ledger: { reachable: false, error: expect.stringContaining('later version') },
    })
  }, 60_000)

  it('of a later version is refused by an engine that has lost its connection: its jobs go on until another takes them', async () => {
    const network = await startNetwork(on.server.port)
    const ledger = postgres({ connectionString: on.server.url({ port: network.port }), schema: on.schema })
    const old = on.closeLater(createEngine({ ...settings, ledger }))
    const job = await startCrawl(old)
    await job.pause()
    await ask('UPDATE SCHEMA.schema_version SET version = 99')
    await network.cut()
    await network.mend()
    while ((await old.health()).ledger.error?.includes('later version') !== true) await sleep(20)
    await expect(old.crawl(on.crawlOf()).prepared()).rejects.toThrow(/later version/)
    const locks = `SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2`
    expect(await ask(locks)).toEqual([{ count: 0 }])
    await job.resume()
    expect((await job.finished()).data).toHaveLength(on.whole.length)
    await network.close()
  }, 60_000)
})
