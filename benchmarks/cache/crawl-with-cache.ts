import { createEngine } from 'trawl'
import { measure, type Task, type CrawlOutput } from '../speed/measure.js'

/** Task of a crawl with a cache. */
export interface CacheTask extends Task {
  /** Folder of the cache; without it there is no cache. */
  readonly folder?: string
  readonly pages: number
}

async function crawl(task: Task): Promise<CrawlOutput> {
  const { start, concurrency: maxConcurrency, folder, pages } = task as CacheTask
  await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency, cache: folder ?? false })
  // Only pages are cached: robots.txt and sitemaps would be requested in every crawl.
  const job = engine.crawl({
    url: start,
    limit: pages,
    crawlEntireDomain: true,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    maxConcurrency,
  })
  const urls: string[] = []
  let characters = 0
  for await (const { metadata, markdown } of job) {
    urls.push(`${metadata.sourceURL} ${metadata.cacheState}`)
    characters += markdown.length
  }
  return { urls, characters }
}

/** Crawls one page first, so that modules are loaded and compiled as in a running service. */
async function warmUp({ start }: Task): Promise<void> {
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false })
  await engine.crawl({ url: start, limit: 1, sitemap: 'skip', ignoreRobotsTxt: true }).finished()
}

await measure(crawl, warmUp)
