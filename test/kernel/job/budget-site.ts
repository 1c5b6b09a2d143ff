import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import {
  createEngine,
  type Document,
  type Engine,
  type EngineConfig,
  type JobBudget,
  sqlite,
} from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { page, pathOf } from './crawl-site.js'

/** A tree of linked pages. The sitemap lists one of them, and one page that no link leads to. */
export const PAGES = 31

const tree = (origin: () => string) => ({
  ...Object.fromEntries(
    Array.from({ length: PAGES }, (_, at) => {
      const links = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES).map((child) => `/${child}`)
      return [at === 0 ? '/' : `/${at}`, page(...links, '/')]
    }),
  ),
  '/only': page('/'),
  '/sitemap.xml': ({ response }: { response: { end(body: string): void } }) =>
    response.end(`<urlset><url><loc>${origin()}/9</loc></url><url><loc>${origin()}/only</loc></url></urlset>`),
})

export const pathsOf = (documents: readonly Document[]): string[] =>
  documents.map(({ metadata }) => pathOf(metadata.url))

/** Provides each test with a site, a ledger file, and engines that stand for processes and are closed after the test. */
export interface BudgetSite {
  readonly site: Site
  /** Path of the default ledger of the engines. */
  readonly file: string
  start(config?: EngineConfig): Engine
  /** The crawl of the site. */
  crawlOf(budget?: JobBudget): { url: string; budget?: JobBudget }
  /** Paths of the pages requested so far. */
  pagesAsked(): string[]
}

export function useBudgetSite(): BudgetSite {
  let folder: string
  let site: Site
  let file: string
  let engines: Engine[] = []
  let files = 0

  beforeEach(async () => {
    folder ??= await mkdtemp(join(tmpdir(), 'trawl-budget-'))
    site = await startSite({ pages: tree(() => site.origin) })
    file = join(folder, `${files++}.db`)
  })
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close()))
    engines = []
    await site.close()
  })
  afterAll(() => rm(folder, { recursive: true }))

  return {
    get site() {
      return site
    },
    get file() {
      return file
    },
    start(config = {}) {
      const settings: EngineConfig = { allowPrivateNetworks: true, threads: 0, fetcher: 'http', cache: false }
      const engine = createEngine({ ...settings, maxConcurrency: 3, ledger: sqlite(file), ...config })
      engines.push(engine)
      return engine
    },
    crawlOf: (budget) => ({ url: site.url('/'), ...(budget && { budget }) }),
    pagesAsked: () => site.requests.map(({ path }) => path).filter((path) => !/robots|sitemap/.test(path)),
  }
}
