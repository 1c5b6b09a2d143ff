import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine, type EngineConfig, postgres } from '../../src/index.js'
import { startSite, type Site } from '../site/site.js'
import { settings } from './postgres-crawls.js'
import { missing, type PostgresServer, startPostgres } from './postgres-server.js'
import { crawlOf, createWorkSite, resultsOf } from './work-site.js'
import { type Process, startWorker } from './worker-processes.js'

describe.skipIf(missing !== undefined)(`workers${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: PostgresServer
  let site: Site
  const { pages } = createWorkSite(40)
  let engines: Engine[] = []
  let processes: Process[] = []
  let schema = ''
  let schemas = 0

  const owner: EngineConfig = { ...settings, maxConcurrency: 2, maxConcurrencyPerSite: 12 }
  const shared = () => postgres({ connectionString: server.url(), schema })
  const open = (config: EngineConfig): Engine => {
    const engine = createEngine(config)
    engines.push(engine)
    return engine
  }
  const addWorker = async (): Promise<void> => {
    processes.push(await startWorker(settings, 4, [server.url(), schema]))
    await seen('workers', processes.length)
  }
  /** Waits until a table has so many rows. */
  const seen = async (table: string, rows: number): Promise<void> => {
    const sql = `SELECT count(*)::int AS found FROM "${schema}".${table}`
    while ((await server.query(sql))[0]?.['found'] !== rows) await sleep(20)
  }

  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages })
  }, 60_000)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, 30_000)
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    await Promise.all(processes.map((one) => one.kill()))
    engines = []
    processes = []
  })
  beforeEach(() => void (schema = `workers ${++schemas}`))

  it('scrape for an engine, and the documents and outcomes are the same with 0, 1 and 3 of them', async () => {
    const alone = await resultsOf(open({ ...owner, ledger: undefined }).crawl(crawlOf(site.url('/'))))
    const engine = open({ ...owner, ledger: shared() })
    expect(await resultsOf(engine.crawl(crawlOf(site.url('/'))))).toEqual(alone)
    expect(await server.query(`SELECT last_value FROM "${schema}".owners`)).toEqual([{ last_value: '1' }])
    for (const count of [1, 3]) {
      while (processes.length < count) await addWorker()
      const before = site.requests.length
      expect(await resultsOf(engine.crawl(crawlOf(site.url('/'))))).toEqual(alone)
      // The page that fails is asked for twice, and the page that has moved with its target.
      expect(site.requests.length - before).toBe(Object.keys(pages).length + 2)
      await seen('tasks', 0)
    }
    for (const { child, said } of processes) {
      child.kill('SIGTERM')
      await once(child, 'close')
      expect(said()).toMatch(/"active":0,"done":[1-9]/)
    }
    await seen('workers', 0)
  }, 60_000)
})
