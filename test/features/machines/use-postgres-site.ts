import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Engine } from '../../../src/index.js'
import type { Pages } from '../../kernel/job/crawl-site.js'
import { startSite, type Site } from '../../site/site.js'
import { LONG_MS } from './postgres-crawls.js'
import { type PostgresServer, startPostgres } from '../../base/store/postgres-server.js'

/** A server and a site of a test file, a schema for each test, and engines that are closed after it. */
export interface PostgresSite {
  readonly server: PostgresServer
  readonly site: Site
  readonly schema: string
  /** Closes an engine after the test. */
  closeLater(engine: Engine): Engine
}

/** Provides each test of a file with a {@link PostgresSite}. @param name of the schemas */
export function usePostgresSite(name: string, pages: Pages): PostgresSite {
  let server: PostgresServer
  let site: Site
  let engines: Engine[] = []
  let schema = ''
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres()
    site = await startSite({ pages })
  }, 3 * LONG_MS)
  afterAll(async () => {
    await site.close()
    await server.close()
  }, LONG_MS)
  beforeEach(() => void (schema = `${name} ${++schemas}`))
  afterEach(async () => {
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
    get schema() {
      return schema
    },
    closeLater(engine) {
      engines.push(engine)
      return engine
    },
  }
}
