import { afterEach } from 'vitest'
import { createEngine, openAiCompatible, type Engine, type EngineConfig } from '../../src/index.js'
import type { Pages } from './engine-site.js'
import { startModelServer, type Behaviour, type ModelServer } from './model-server.js'
import { startSite, type Site } from './site.js'

/** A site, a model and an engine for each test of a file, closed after it. */
export interface ModelSite {
  readonly site: Site
  readonly engine: Engine
  readonly server: ModelServer
  open(pages: Pages, behaviour: Behaviour, config?: EngineConfig): Promise<void>
}

export function useModelSite(): ModelSite {
  let site: Site | undefined
  let server: ModelServer | undefined
  let engine: Engine | undefined

  afterEach(async () => {
    await engine?.close()
    await server?.[Symbol.asyncDispose]()
    await site?.close()
  })

  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('not opened yet')
    return value
  }
  return {
    get site() {
      return opened(site)
    },
    get engine() {
      return opened(engine)
    },
    get server() {
      return opened(server)
    },
    async open(pages, behaviour, { modelOptions, ...config } = {}) {
      site = await startSite({ pages })
      server = await startModelServer(behaviour)
      engine = createEngine({
        allowPrivateNetworks: true,
        threads: 0,
        retry: { backoffMs: 1 },
        model: openAiCompatible({ baseUrl: server.baseUrl, model: 'tiny', apiKey: 'sk-secret-key' }),
        modelOptions: { backoffMs: 1, ...modelOptions },
        ...config,
      })
    },
  }
}

/** A page about a thing. */
export const article = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>A page</title>${head}</head><body><main>${body}</main></body></html>`
