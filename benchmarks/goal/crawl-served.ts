import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createEngine, type CrawlRequest, type Engine } from 'trawl'
import type { ServedDocs } from '../frontier/serve-docs.js'
import type { Site } from './questions.js'

/** A site that is served on loopback by a process of its own. */
export interface ServedSite {
  readonly engine: Engine
  /** URL of the folder of the site. */
  readonly root: string
  /** Request for the whole site. */
  readonly from: Pick<CrawlRequest, 'url' | 'crawlEntireDomain'>
  close(): Promise<void>
}

export async function serveSite({ name, folder, start }: Site): Promise<ServedSite> {
  const served: ServedDocs = { folders: { [`/${name}/`]: folder } }
  const server = fork(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
  const [origin] = (await once(server, 'message')) as [string]
  const root = `${origin}${name}/`
  const engine = createEngine({ allowPrivateNetworks: true, cache: false })
  const close = async (): Promise<void> => {
    await engine.close()
    server.kill()
  }
  // The start page may be in a folder of the site.
  return { engine, root, from: { url: `${root}${start}`, crawlEntireDomain: start.includes('/') }, close }
}

const MAX_PAGES = 100_000

/**
 * Crawls a site.
 *
 * @param pages number of documents after which it is cancelled. A `limit` would change the order: it bounds the queue as well
 * @returns the paths of its pages in the order in which they were leased, below its folder
 */
export async function crawlFor({ engine, root, from }: ServedSite, request: Partial<CrawlRequest>, pages = Infinity) {
  const job = engine.crawl({
    limit: MAX_PAGES,
    sitemap: 'skip',
    retain: false,
    scrapeOptions: { formats: ['links'] },
    ...from,
    ...request,
  })
  let documents = 0
  for await (const _ of job) {
    documents += 1
    if (documents === pages) await job.cancel()
  }
  const { coverage } = await job.finished()
  const rows: { order: number; path: string }[] = []
  for await (const { order, url } of job.urls()) {
    if (order !== undefined) rows.push({ order, path: decodeURI(url.slice(root.length)) })
  }
  return { paths: rows.sort((a, b) => a.order - b.order).map(({ path }) => path), coverage }
}
