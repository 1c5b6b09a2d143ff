import type { CrawlRequest, Document, Job, JobStatus, LedgerRow } from '../../../src/index.js'
import { type EngineSite, type Pages, useEngineSite } from '../../site/engine-site.js'

export type { Pages }

/** A page of content with these links. */
export const page = (...links: string[]): string =>
  `<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content of this page.</p>${links
    .map((href) => `<a href="${href}">to ${href}</a>`)
    .join('\n')}</main>`

/** A page with these headers. */
export const answer =
  (headers: Record<string, string>, html = page(), status = 200): Pages[string] =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end(html)
  }

export const pathOf = (url: string): string => url.slice(new URL(url).origin.length)

/** A slow page that counts how many requests for it run at once. */
export function createConcurrencyCounter(): { slow: Pages[string]; most: () => number } {
  let underWay = 0
  let most = 0
  return {
    slow: ({ response }) => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay -= 1
        response.end(page())
      }, 10)
    },
    most: () => most,
  }
}

/** Provides each test of a file with a site and an engine that crawls it. */
export interface CrawlSite extends EngineSite {
  /** Crawls the site to the end. */
  crawl(request?: Omit<CrawlRequest, 'url'> & { path?: string }): Promise<{
    job: Job<Document>
    status: JobStatus<Document>
    /** Paths of the documents, sorted. */
    paths: string[]
  }>
  rowOf(job: Job<unknown>, path: string): Promise<LedgerRow | undefined>
}

export function useCrawlSite(): CrawlSite {
  const on = useEngineSite()
  return Object.assign(on, {
    async crawl({ path = '/', ...rest }: Parameters<CrawlSite['crawl']>[0] = {}) {
      const job = on.engine.crawl({ url: on.site.url(path), ...rest })
      const status = await job.finished()
      return { job, status, paths: status.data.map(({ metadata }) => pathOf(metadata.url)).toSorted() }
    },
    async rowOf(job: Job<unknown>, path: string) {
      const row = await job.explain(on.site.url(path))
      return row?.outcome === 'unseen' ? undefined : row
    },
  })
}
