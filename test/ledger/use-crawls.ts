import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createEngine, type Engine } from '../../src/index.js'
import type { PgTiming } from '../../src/ledger/postgres/protocol.js'
import { openPostgres } from '../../src/ledger/shared/open-postgres.js'
import { startSite, type Site } from '../site/site.js'
import { factsOf, settings, slowTree } from './postgres-crawls.js'
import { type PostgresServer, startPostgres } from './postgres-server.js'

/** Shorter times, so that a test sees what happens after them. */
export const QUICK: PgTiming = { connectMs: 1000, statementMs: 800, blockingMs: 5000, patienceMs: 10_000 }

/** A server, a site of {@link slowTree}, a schema for each test, and engines that are closed after it. */
export interface Crawls {
  readonly server: PostgresServer
  readonly site: Site
  /** Facts of all documents of an undisturbed crawl. */
  readonly whole: readonly unknown[]
  readonly schema: string
  crawlOf(limit?: number): { url: string; limit: number; ignoreRobotsTxt: boolean; sitemap: 'skip' }
  /** Opens an engine on the schema, which stands for a process. @param port of a network before the server */
  start(port?: number): Engine
  /** Closes an engine after the test. */
  closeLater(engine: Engine): Engine
}

export function useCrawls(): Crawls {
  let server: PostgresServer
  let site: Site
  let whole: readonly unknown[]
  let engines: Engine[] = []
  let schema = ''
  let schemas = 0
  const crawlOf = (limit = 100) => ({ url: site.url('/'), limit, ignoreRobotsTxt: true, sitemap: 'skip' as const })
  const closeLater = (engine: Engine): Engine => {
    engines.push(engine)
    return engine
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
  beforeEach(() => void (schema = `crawls ${++schemas}`))
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    engines = []
  })
  return {
    get server() {
      return server
    },
    get site() {
      return site
    },
    get whole() {
      return whole
    },
    get schema() {
      return schema
    },
    crawlOf,
    start: (port = server.port) =>
      closeLater(
        createEngine({ ...settings, ledger: openPostgres({ connectionString: server.url({ port }), schema }, QUICK) }),
      ),
    closeLater,
  }
}
