import { afterEach } from 'vitest'
import {
  createEngine,
  type CrawlRequest,
  type Engine,
  type EngineConfig,
  type Job,
  type JobStatus,
  type Document,
  type LedgerRow,
} from '../../src/index.js'
import { startSite, type Site, type SiteOptions } from '../site/site.js'

export type Pages = NonNullable<SiteOptions['pages']>

/** A page of content with these links. */
export const page = (...links: string[]): string =>
  `<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content of this page.</p>${links
    .map((href) => `<a href="${href}">to ${href}</a>`)
    .join('\n')}</main>`

export const pathOf = (url: string): string => url.slice(new URL(url).origin.length)

/** A site and an engine for each test of a file, closed after it. */
export interface CrawlSite {
  readonly site: Site
  readonly engine: Engine
  open(pages: Pages, config?: EngineConfig): Promise<void>
  /** Crawls the site to the end. */
  crawl(request?: Omit<CrawlRequest, 'url'> & { path?: string }): Promise<{
    job: Job<Document>
    status: JobStatus<Document>
    /** Of the documents, sorted. */
    paths: string[]
  }>
  rowOf(job: Job<unknown>, path: string): Promise<LedgerRow | undefined>
}

export function useCrawlSite(): CrawlSite {
  let site: Site
  let engine: Engine

  afterEach(async () => {
    await engine.close()
    await site.close()
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
    },
    async crawl({ path = '/', ...rest } = {}) {
      const job = engine.crawl({ url: site.url(path), ...rest })
      const status = await job.finished()
      return { job, status, paths: status.data.map(({ metadata }) => pathOf(metadata.url)).toSorted() }
    },
    async rowOf(job, path) {
      const row = await job.explain(site.url(path))
      return row?.outcome === 'unseen' ? undefined : row
    },
  }
}
