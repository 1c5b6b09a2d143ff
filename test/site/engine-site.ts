import { afterEach } from 'vitest'
import { createEngine, type Engine, type EngineConfig } from '../../src/index.js'
import { startSite, type Site, type SiteOptions } from './site.js'

export type Pages = NonNullable<SiteOptions['pages']>

/** A site and an engine for each test of a file, closed after it. */
export interface EngineSite {
  readonly site: Site
  readonly engine: Engine
  open(pages: Pages, config?: EngineConfig): Promise<void>
}

export function useEngineSite(): EngineSite {
  let site: Site
  let engine: Engine
  const opened: { close(): Promise<void> }[] = []

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  return {
    get site() {
      return site
    },
    get engine() {
      return engine
    },
    async open(pages, config = {}) {
      site = await startSite({ pages })
      engine = createEngine({ allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 1 }, ...config })
      opened.push(engine, site)
    },
  }
}
