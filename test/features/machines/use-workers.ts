import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { createEngine, type Engine, type EngineConfig, postgres } from '../../../src/index.js'
import { type Pages } from '../../kernel/job/crawl-site.js'
import { LONG_MS, settings } from './postgres-crawls.js'
import { type PostgresSite, usePostgresSite } from './use-postgres-site.js'
import { type Process, startWorker } from './worker-processes.js'

/** Settings of the engine that runs the jobs: most pages are for workers. */
export const ownerSettings: EngineConfig = { ...settings, maxConcurrency: 2, maxConcurrencyPerSite: 12 }

/** A {@link PostgresSite} with workers. */
export interface Workers extends PostgresSite {
  readonly processes: readonly Process[]
  /** Opens an engine in this process. @param config in addition to {@link ownerSettings} */
  open(config?: EngineConfig): Engine
  /** Starts a process that works, four pages at once, and waits until the others see it. */
  addWorker(options?: { readonly aheadMs?: number; readonly config?: EngineConfig }): Promise<Process>
  /** The only row of a query, with `SCHEMA` for the schema. */
  ask(sql: string): Promise<Record<string, unknown>>
  /** Waits until a query finds a row. */
  until(sql: string): Promise<void>
}

export function useWorkers(pages: Pages): Workers {
  const processes: Process[] = []
  // Hooks run in reverse order: the engines are closed before.
  afterEach(async () => void (await Promise.all(processes.splice(0).map((one) => one.kill()))), LONG_MS)
  const on = usePostgresSite('workers', pages)
  const ask = async (sql: string) => (await on.server.query(sql.replaceAll('SCHEMA', `"${on.schema}"`)))[0] ?? {}
  const until = async (sql: string): Promise<void> => {
    while (Object.keys(await ask(sql)).length === 0) await sleep(20)
  }
  return Object.assign(on, {
    processes,
    open(config?: EngineConfig) {
      const ledger = postgres({ connectionString: on.server.url(), schema: on.schema })
      return on.closeLater(createEngine({ ...ownerSettings, ledger, ...config }))
    },
    async addWorker({ aheadMs, config }: { readonly aheadMs?: number; readonly config?: EngineConfig } = {}) {
      const before = processes.length
      const started = await startWorker({ ...settings, ...config }, 4, {
        connectionString: on.server.url(),
        schema: on.schema,
        aheadMs,
      })
      processes.push(started)
      await until(`SELECT 1 FROM SCHEMA.workers HAVING count(*) > ${before}`)
      return started
    },
    ask,
    until,
  })
}
