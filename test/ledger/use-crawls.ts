import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createEngine, type Engine } from '../../src/index.js'
import type { PgTiming } from '../../src/ledger/postgres/protocol.js'
import { openPostgres } from '../../src/ledger/shared/open-postgres.js'
import { startSite, type Site } from '../site/site.js'
import { createSlowTree, factsOf, LONG_MS, settings } from './postgres-crawls.js'
import { type PostgresServer, startPostgres } from './postgres-server.js'
import { createRequestGate } from './request-gate.js'

/** Times that suffice on a busy machine. */
export const PATIENT: PgTiming = { connectMs: 20_000, statementMs: 20_000, blockingMs: LONG_MS, patienceMs: LONG_MS }
/** A silent server counts as lost soon. */
export const QUICK: PgTiming = { ...PATIENT, connectMs: 2000, statementMs: 1000 }

/** A server, a site of {@link createSlowTree}, a schema for each test, and engines that are closed after it. */
export interface Crawls {
  readonly server: PostgresServer
  readonly site: Site
  /** Facts of all documents of an undisturbed crawl. */
  readonly whole: readonly unknown[]
  readonly schema: string
  /** Lets the site answer so many further requests, and holds the others until the next call or the end of the test. */
  allow(requests: number): void
  crawlOf(limit?: number): { url: string; limit: number; ignoreRobotsTxt: boolean; sitemap: 'skip' }
  /** Opens an engine on the schema, which stands for a process. @param port of a network before the server */
  start(port?: number, timing?: PgTiming): Engine
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
  const gate = createRequestGate()
  const crawlOf = (limit = 100) => ({ url: site.url('/'), limit, ignoreRobotsTxt: true, sitemap: 'skip' as const })
  const closeLater = (engine: Engine): Engine => {
    engines.push(engine)
    return engine
  }
  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages: createSlowTree(gate) })
    const engine = createEngine(settings)
    whole = (await engine.crawl(crawlOf()).finished()).data.map(factsOf)
    await engine.close()
  }, 3 * LONG_MS)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, LONG_MS)
  beforeEach(() => void (schema = `crawls ${++schemas}`))
  afterEach(async () => {
    gate.allow(Infinity)
    await Promise.all(engines.map((engine) => engine.close({ drain: false }).catch(() => undefined)))
    engines = []
  }, LONG_MS)
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
    allow: (requests) => gate.allow(requests),
    crawlOf,
    start: (port = server.port, timing = PATIENT) =>
      closeLater(
        createEngine({ ...settings, ledger: openPostgres({ connectionString: server.url({ port }), schema }, timing) }),
      ),
    closeLater,
  }
}
