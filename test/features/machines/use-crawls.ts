import { afterEach, beforeAll } from 'vitest'
import { createEngine, type Engine } from '../../../src/index.js'
import type { PgTiming } from '../../../src/features/machines/postgres/statement.js'
import { openPostgres } from '../../../src/features/machines/shared/open-postgres.js'
import { createSlowTree, factsOf, LONG_MS, settings } from './postgres-crawls.js'
import { createRequestGate } from './request-gate.js'
import { type PostgresSite, usePostgresSite } from './use-postgres-site.js'

/** Times that suffice on a busy machine. */
export const PATIENT: PgTiming = { connectMs: 20_000, statementMs: 20_000, closingMs: LONG_MS, patienceMs: LONG_MS }
/** A silent server counts as lost soon. */
export const QUICK: PgTiming = { ...PATIENT, connectMs: 2000, statementMs: 1000 }

/** A {@link PostgresSite} with the pages of {@link createSlowTree}. */
export interface Crawls extends PostgresSite {
  /** Facts of all documents of an undisturbed crawl. */
  readonly whole: readonly unknown[]
  /** Lets the site answer so many further requests, and holds the others until the next call or the end of the test. */
  allow(requests: number): void
  crawlOf(limit?: number): { url: string; limit: number; ignoreRobotsTxt: boolean; sitemap: 'skip' }
  /** Opens an engine on the schema, which stands for a process. @param port of a network before the server */
  start(port?: number, timing?: PgTiming): Engine
}

export function useCrawls(): Crawls {
  const whole: unknown[] = []
  const gate = createRequestGate()
  const on = usePostgresSite('crawls', createSlowTree(gate))
  const crawlOf = (limit = 100) => ({ url: on.site.url('/'), limit, ignoreRobotsTxt: true, sitemap: 'skip' as const })
  beforeAll(async () => {
    const engine = createEngine(settings)
    whole.push(...(await engine.crawl(crawlOf()).finished()).data.map(factsOf))
    await engine.close()
  }, LONG_MS)
  // Hooks run in reverse order: the site answers before the engines are closed.
  afterEach(() => gate.allow(Infinity))
  return Object.assign(on, {
    whole,
    allow: (requests: number) => gate.allow(requests),
    crawlOf,
    start(port = on.server.port, timing = PATIENT) {
      const { server, schema } = on
      const ledger = openPostgres({ connectionString: server.url({ port }), schema }, timing)
      return on.closeLater(createEngine({ ...settings, ledger }))
    },
  })
}
