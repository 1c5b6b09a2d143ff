import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createEngine, type Engine, type EngineConfig, postgres } from '../../src/index.js'
import { type Pages } from '../job/crawl-site.js'
import { startSite, type Site } from '../site/site.js'
import { LONG_MS, settings } from './postgres-crawls.js'
import { type PostgresServer, startPostgres } from './postgres-server.js'
import { type Process, startWorker } from './worker-processes.js'

/** Settings of the engine that runs the jobs: most pages are for workers. */
export const ownerSettings: EngineConfig = { ...settings, maxConcurrency: 2, maxConcurrencyPerSite: 12 }

/** A server, a site, engines and workers for each test of a file. */
export interface Workers {
  readonly server: PostgresServer
  readonly site: Site
  readonly schema: string
  readonly processes: readonly Process[]
  /** Opens an engine in this process. @param config in addition to {@link ownerSettings} */
  open(config?: EngineConfig): Engine
  /** Starts a process that works, four pages at once, and waits until the others see it. @param aheadMs of its clock */
  addWorker(aheadMs?: number): Promise<Process>
  /** The only row of a query, with `SCHEMA` for the schema. */
  ask(sql: string): Promise<Record<string, unknown>>
  /** Waits until a query finds a row. */
  until(sql: string): Promise<void>
}

export function useWorkers(pages: Pages): Workers {
  let server: PostgresServer
  let site: Site
  let engines: Engine[] = []
  let processes: Process[] = []
  let schema = ''
  let schemas = 0
  const ask = async (sql: string) => (await server.query(sql.replaceAll('SCHEMA', `"${schema}"`)))[0] ?? {}
  const until = async (sql: string): Promise<void> => {
    while (Object.keys(await ask(sql)).length === 0) await sleep(20)
  }
  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages })
  }, 3 * LONG_MS)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, LONG_MS)
  beforeEach(() => void (schema = `workers ${++schemas}`))
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    await Promise.all(processes.map((one) => one.kill()))
    engines = []
    processes = []
  }, LONG_MS)
  return {
    get server() {
      return server
    },
    get site() {
      return site
    },
    get schema() {
      return schema
    },
    get processes() {
      return processes
    },
    open(config) {
      const ledger = postgres({ connectionString: server.url(), schema })
      const engine = createEngine({ ...ownerSettings, ledger, ...config })
      engines.push(engine)
      return engine
    },
    async addWorker(aheadMs) {
      const before = processes.length
      const started = await startWorker(settings, 4, { connectionString: server.url(), schema, aheadMs })
      processes.push(started)
      await until(`SELECT 1 FROM SCHEMA.workers HAVING count(*) > ${before}`)
      return started
    },
    ask,
    until,
  }
}
