import { createEngine } from 'trawl'
import { measure, type Task, type Yield } from '../speed/measure.js'

/** The task of a crawl that remembers its pages. */
export interface CacheTask extends Task {
  /** Where they are remembered; nowhere without it. */
  readonly folder?: string
  readonly pages: number
}

async function crawl(task: Task): Promise<Yield> {
  const { start, concurrency: maxConcurrency, folder, pages } = task as CacheTask
  await using engine = createEngine({ allowPrivateNetworks: true, maxConcurrency, cache: folder ?? false })
  // What is cached is pages: robots.txt and sitemaps are asked for by every job.
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

/** Crawls are made by services that run: all that is loaded for a first page is loaded. */
async function warmUp({ start }: Task): Promise<void> {
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false })
  await engine.crawl({ url: start, limit: 1, sitemap: 'skip', ignoreRobotsTxt: true }).finished()
}

await measure(crawl, warmUp)
